// Functions of time of a mechanism that jump or have kinks.
#include <algorithm>

#include "trammel/model/connections/elastic_connection.h"
#include "trammel/model/mechanism.h"

namespace trammel::model {

// Behind all switches that follow on t = 0 without a time between them.
template <class S>
void find_first_time(Mechanism<S>& mechanism) {
  constexpr double next_to_nothing = 1e-300;  // s
  expression::Workspace workspace;
  for (const TimedFormula& formula : mechanism.timed) {
    double t = 0.0;
    while (true) {
      const system::TimeSwitch found =
          formula.next(t, next_to_nothing, 1.0, system::TimeSwitch::all, workspace);
      if (!(found.last <= next_to_nothing)) break;
      t = found.last;
      mechanism.first_time = std::max(mechanism.first_time, t);
    }
  }
}

template <class S>
void find_timed_formulas(Mechanism<S>& mechanism) {
  const auto add = [&](const Formula<S>& formula, TimedUse use) {
    TimedFormula timed(formula.shared_program(), use);
    if (timed.switches()) mechanism.timed.push_back(std::move(timed));
  };
  for (const NamedRelation<S>& named : mechanism.relations) {
    const bool position = named.relation.level() == RelationLevel::position;
    add(named.relation.formula(), position ? TimedUse::position_row : TimedUse::velocity_row);
  }
  for (const NamedLaw<S>& named : mechanism.laws) add(named.law.formula(), TimedUse::load);
  for (const NamedState<S>& state : mechanism.states) add(state.rate, TimedUse::load);
  for (const NamedElement<S>& named : mechanism.elements) {
    if (!named.factor) continue;
    TimedFormula timed(named.factor, TimedUse::load);
    if (timed.switches()) mechanism.timed.push_back(std::move(timed));
  }
  for (const NamedConnection<S>& named : mechanism.connections) {
    for (const auto& load : named.connection->loads()) add(load.law.formula(), TimedUse::load);
  }
  find_first_time(mechanism);
}

template void find_timed_formulas<Planar>(Mechanism<Planar>&);
template void find_timed_formulas<Spatial>(Mechanism<Spatial>&);

}  // namespace trammel::model
