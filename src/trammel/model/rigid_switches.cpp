// Functions of a rigid system that jump or have kinks: of time, and by conditions on its motion.
#include <algorithm>
#include <cmath>

#include "trammel/model/rigid_system.h"

namespace trammel::model {

template <class S>
system::TimeSwitch RigidSystem<S>::next_switch(double t, double h, int highest) {
  system::TimeSwitch first;
  const double from = std::max(t, mechanism_->first_time);
  for (const TimedFormula& formula : mechanism_->timed) {
    const double end = std::min(t + h, (1.0 + system::TimeSwitch::round_off) * first.last);
    first = system::first_of(first, formula.next(from, end, h, highest, work_.program));
  }
  return first;
}

template <class S>
void RigidSystem<S>::hold_before(const system::TimeSwitch& next) {
  held_ = next;
  last_time_ = std::nextafter(next.time, -INFINITY);
  if (std::isinf(next.time)) last_time_ = next.time;
}

// ---- conditions on the motion

template <class S>
template <class Visit>
void RigidSystem<S>::visit_branches(const system::Motion& motion, Visit&& visit) {
  update(motion.state);
  if (!memories_.empty()) settle_moving(motion.state);
  const Place<S> place = place_at(motion);
  for (const BranchedFormula<S>& branched : mechanism_->branched) {
    branched.formula.value(place, work_);
    const double* registers = work_.program.take(0).data();
    for (std::size_t i = 0; i < branched.branches.size(); ++i) {
      visit(branched.branches[i], branched.first + static_cast<int>(i), registers);
    }
  }
}

template <class S>
void RigidSystem<S>::branch_distances(const system::Motion& motion,
                                      system::Vector& distances,
                                      system::Vector& magnitudes) {
  distances.resize(branch_count());
  magnitudes.resize(branch_count());
  visit_branches(motion, [&](const expression::Branch& branch, int i, const double* registers) {
    const double side = branches_[static_cast<std::size_t>(i)];
    const bool held = side != expression::let_go;
    distances[i] = held ? branch.distance(side, registers) : INFINITY;
    magnitudes[i] = branch.magnitude(registers);
  });
}

template <class S>
void RigidSystem<S>::asked_branches(const system::Motion& motion, system::Vector& branches) {
  branches.resize(branch_count());
  visit_branches(motion, [&](const expression::Branch& branch, int i, const double* registers) {
    branches[i] = registers[branch.raw];
  });
}

template <class S>
std::string RigidSystem<S>::branch_name(int branch) const {
  for (const BranchedFormula<S>& branched : mechanism_->branched) {
    if (branch < branched.first + static_cast<int>(branched.branches.size())) return branched.name;
  }
  return {};
}

// ---- functions of time

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
  for (const NamedConnection<S>& named : mechanism.connections) {
    for (const auto& load : named.connection->loads()) add(load.law.formula(), TimedUse::load);
  }
  find_first_time(mechanism);
}

template system::TimeSwitch RigidSystem<Planar>::next_switch(double, double, int);
template system::TimeSwitch RigidSystem<Spatial>::next_switch(double, double, int);
template void RigidSystem<Planar>::hold_before(const system::TimeSwitch&);
template void RigidSystem<Spatial>::hold_before(const system::TimeSwitch&);
template void RigidSystem<Planar>::branch_distances(const system::Motion&,
                                                    system::Vector&,
                                                    system::Vector&);
template void RigidSystem<Spatial>::branch_distances(const system::Motion&,
                                                     system::Vector&,
                                                     system::Vector&);
template void RigidSystem<Planar>::asked_branches(const system::Motion&, system::Vector&);
template void RigidSystem<Spatial>::asked_branches(const system::Motion&, system::Vector&);
template std::string RigidSystem<Planar>::branch_name(int) const;
template std::string RigidSystem<Spatial>::branch_name(int) const;
template void find_timed_formulas<Planar>(Mechanism<Planar>&);
template void find_timed_formulas<Spatial>(Mechanism<Spatial>&);

}  // namespace trammel::model
