#include "trammel/model/assembly/mechanism_system.h"

#include <algorithm>
#include <cmath>

#include "trammel/model/assembly/observation.h"
#include "trammel/model/kinds.h"
#include "trammel/model/wrapping_angles.h"

namespace trammel::model {

using system::Vector;

namespace {

double relative_speed(const Planar::Kinematics& a, const Planar::Kinematics& b) {
  return std::abs(b.w - a.w);
}
double relative_speed(const Spatial::Kinematics& a, const Spatial::Kinematics& b) {
  return (b.R * b.w - a.R * a.w).norm();
}

}  // namespace

template <class S>
MechanismSystem<S>::MechanismSystem(std::shared_ptr<const Mechanism<S>> mechanism)
    : evaluator_(std::make_shared<const ElementGroups<S>>(mechanism)),
      facts_(mechanism),
      rates_(evaluator_),
      balance_(evaluator_),
      reactions_(evaluator_),
      switches_(evaluator_),
      branches_(evaluator_),
      measure_(evaluator_),
      friction_(evaluator_),
      workers_(evaluator_),
      products_(evaluator_),
      ranks_(evaluator_),
      names_(facts_, evaluator_.mechanism()),
      freedoms_(evaluator_),
      capabilities_{&reactions_, &switches_, &branches_, &measure_, &friction_,
                    &workers_,   &products_, &ranks_,    &names_,   &freedoms_} {}

template <class S>
MechanismSystem<S>::MechanismSystem(const MechanismSystem& other)
    : ModelSystem(other),
      evaluator_(other.evaluator_),
      facts_(other.facts_),
      rates_(evaluator_),
      balance_(evaluator_),
      reactions_(evaluator_),
      switches_(evaluator_, other.switches_),
      branches_(evaluator_),
      measure_(evaluator_),
      friction_(evaluator_),
      workers_(evaluator_),
      products_(evaluator_),
      ranks_(evaluator_),
      names_(facts_, evaluator_.mechanism()),
      freedoms_(evaluator_),
      capabilities_{&reactions_, &switches_, &branches_, &measure_, &friction_,
                    &workers_,   &products_, &ranks_,    &names_,   &freedoms_} {}

template <class S>
std::unique_ptr<system::MechanicalSystem> MechanismSystem<S>::clone() const {
  return std::make_unique<MechanismSystem<S>>(*this);
}

template <class S>
void MechanismSystem<S>::retract(const Vector& q, const Vector& x, Vector& q_moved) const {
  mechanism().freedoms.retract(q, x, q_moved);
}

template <class S>
void MechanismSystem<S>::logarithm(const Vector& from, const Vector& to, Vector& x) const {
  mechanism().freedoms.logarithm(from, to, x);
}

template <class S>
void MechanismSystem<S>::inverse_tangent(const Vector& x, const Vector& delta, Vector& dx) const {
  mechanism().freedoms.inverse_tangent(x, delta, dx);
}

// Angles of which two are the same in some position (Bryant angles) have rates without bound near
// it; what counts is how fast the bodies turn against each other.
template <class S>
double MechanismSystem<S>::fastest_turn(const system::State& state) {
  if (evaluator_.nodes().history().turns.empty()) return 0.0;
  constexpr double most = 4.0;  // times the relative angular velocity
  const Instant<S> now = evaluator_.nodes().moving(state);
  double fastest = 0.0;
  for_wrapping_angles(mechanism(), [&](const Coordinate<S>& coordinate, int a, int b) {
    const double speed = most * relative_speed(now.at(a), now.at(b));
    if (speed <= fastest) return;
    fastest = std::max(fastest, std::min(speed, std::abs(coordinate.rate(now.at(a), now.at(b)))));
  });
  return fastest;
}

template <class S>
void MechanismSystem<S>::residual(const system::Motion& motion, Vector& r, Vector& constraint) {
  evaluator_.residual(motion, r, constraint);
}

template <class S>
void MechanismSystem<S>::tangent(const system::Motion& motion,
                                 const system::Weights& weights,
                                 const Vector* step,
                                 system::KktMatrix& tangent) {
  evaluator_.tangent(motion, weights, step, tangent);
}

template <class S>
void MechanismSystem<S>::forces(const system::State& state, Vector& f) {
  evaluator_.forces(state, f);
}

template <class S>
void MechanismSystem<S>::position_constraint(const system::State& state, Vector& g) {
  evaluator_.positions(state, g);
}

template <class S>
void MechanismSystem<S>::velocity_constraint(const system::State& state, Vector& g_dot) {
  evaluator_.velocities(state, g_dot);
}

template <class S>
void MechanismSystem<S>::acceleration_bias(const system::State& state, Vector& gamma) {
  evaluator_.biases(state, gamma);
}

template <class S>
system::Energy MechanismSystem<S>::energy(const system::State& state) {
  return evaluator_.energy(state);
}

template <class S>
system::Power MechanismSystem<S>::power(const system::Motion& motion) {
  return evaluator_.power(motion);
}

template <class S>
system::FirstOrderStates* MechanismSystem<S>::first_order_states() {
  return mechanism().sizes.z == 0 ? nullptr : &rates_;
}

template <class S>
system::ConstraintDependentForces* MechanismSystem<S>::constraint_dependent_forces() {
  return reactions_.has_loads() ? &reactions_ : nullptr;
}

template <class S>
std::size_t MechanismSystem<S>::memory_bytes() const {
  return mechanism().memory_bytes() + evaluator_.nodes().memory_bytes();
}

template <class S>
void MechanismSystem<S>::observe(const system::Motion& motion, double* values) {
  model::observe(evaluator_, motion, values);
}

template class MechanismSystem<Planar>;
template class MechanismSystem<Spatial>;

std::unique_ptr<ModelSystem> compile(Description description) {
  core::Diagnostics diagnostics;
  check(description, diagnostics);
  diagnostics.throw_if_errors();
  if (description.space == Space::planar) {
    return std::make_unique<MechanismSystem<Planar>>(build_mechanism<Planar>(description));
  }
  return std::make_unique<MechanismSystem<Spatial>>(build_mechanism<Spatial>(description));
}

}  // namespace trammel::model
