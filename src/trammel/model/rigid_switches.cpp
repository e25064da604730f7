// Functions of time of a rigid system that jump or have kinks.
#include <algorithm>
#include <cmath>

#include "trammel/model/rigid_system.h"

namespace trammel::model {

template <class S>
system::TimeSwitch RigidSystem<S>::next_switch(double t, double h, int highest) {
  system::TimeSwitch first;
  for (const TimedFormula& formula : mechanism_->timed) {
    const double end = std::min(t + h, first.time);
    const system::TimeSwitch found = formula.next(t, end, h, highest, work_.program);
    const bool lower = found.time == first.time && found.order < first.order;
    if (found.time < first.time || lower) first = found;
  }
  return first;
}

template <class S>
void RigidSystem<S>::hold_before(const system::TimeSwitch& next) {
  held_ = next;
  last_time_ = std::nextafter(next.time, -INFINITY);
  if (std::isinf(next.time)) last_time_ = next.time;
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
  for (const NamedConnection<S>& named : mechanism.connections) {
    for (const auto& load : named.connection->loads()) add(load.law.formula(), TimedUse::load);
  }
}

template system::TimeSwitch RigidSystem<Planar>::next_switch(double, double, int);
template system::TimeSwitch RigidSystem<Spatial>::next_switch(double, double, int);
template void RigidSystem<Planar>::hold_before(const system::TimeSwitch&);
template void RigidSystem<Spatial>::hold_before(const system::TimeSwitch&);
template void find_timed_formulas<Planar>(Mechanism<Planar>&);
template void find_timed_formulas<Spatial>(Mechanism<Spatial>&);

}  // namespace trammel::model
