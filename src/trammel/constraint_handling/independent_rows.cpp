#include "trammel/constraint_handling/independent_rows.h"

namespace trammel::constraint_handling {

using system::Vector;

IndependentRows::IndependentRows(system::MechanicalSystem& system)
    : system_(system), choice_(system) {}

bool IndependentRows::begin(const system::State& state) {
  const bool changed = choice_.begin(state);
  if (!least_ && any_left_out() && reads_reactions()) {
    least_ = std::make_unique<LeastReactions>(system_);
  }
  return changed;
}

bool IndependentRows::reads_reactions() const {
  const system::ReactionWeights* weights = system::reaction_weights(system_);
  return system_.constraint_dependent_forces() != nullptr ||
         (weights != nullptr && weights->reads_reactions());
}

void IndependentRows::make_unique(const system::State& state, Vector& lambda) {
  if (least_ && any_left_out()) (*least_)(state, lambda);
}

void IndependentRows::leave_out(Vector& rows) const {
  for (const int row : choice_.left_out()) {
    if (row < rows.size()) rows[row] = 0.0;
  }
}

const system::Motion& IndependentRows::with_least_reactions(const system::Motion& motion) {
  unique_ = motion;
  (*least_)(motion.state, unique_.lambda);
  return unique_;
}

void IndependentRows::exchange_loads(const system::Motion& motion, Vector& r) {
  if (!loads_not_unique()) return;
  system::ConstraintDependentForces& loads = *system_.constraint_dependent_forces();
  loads.constraint_dependent_forces(motion, h_);
  r += h_;
  loads.constraint_dependent_forces(with_least_reactions(motion), h_);
  r -= h_;
}

void IndependentRows::residual(const system::Motion& motion, Vector& r, Vector& constraint) {
  system_.residual(motion, r, constraint);
  leave_out(constraint);
  exchange_loads(motion, r);
}

void IndependentRows::tangent(const system::Motion& motion,
                              const system::Weights& weights,
                              const Vector* step,
                              system::KktMatrix& tangent) {
  const bool of_loads = loads_not_unique() && (weights.position != 0.0 || weights.velocity != 0.0);
  system_.tangent(of_loads ? with_least_reactions(motion) : motion, weights, step, tangent);
  choice_.leave_out(tangent);
}

void IndependentRows::position_constraint(const system::State& state, Vector& g) {
  system_.position_constraint(state, g);
  leave_out(g);
}

void IndependentRows::velocity_constraint(const system::State& state, Vector& g_dot) {
  system_.velocity_constraint(state, g_dot);
  leave_out(g_dot);
}

void IndependentRows::acceleration_bias(const system::State& state, Vector& gamma) {
  system_.acceleration_bias(state, gamma);
  leave_out(gamma);
}

system::DiscreteGradients* IndependentRows::discrete_gradients() {
  return system_.discrete_gradients() == nullptr ? nullptr : this;
}

std::string IndependentRows::obstacle() const {
  return system_.discrete_gradients()->obstacle();
}

void IndependentRows::residual_between(const system::State& from,
                                       const system::Motion& middle,
                                       const system::State& to,
                                       const Vector& x,
                                       Vector& r) {
  system_.discrete_gradients()->residual_between(from, middle, to, x, r);
  exchange_loads(middle, r);
}

system::ConstraintDependentForces* IndependentRows::constraint_dependent_forces() {
  return system_.constraint_dependent_forces() == nullptr ? nullptr : this;
}

void IndependentRows::constraint_dependent_forces(const system::Motion& motion, Vector& h) {
  system_.constraint_dependent_forces()->constraint_dependent_forces(
      loads_not_unique() ? with_least_reactions(motion) : motion, h);
}

std::size_t IndependentRows::memory_bytes() const {
  return choice_.memory_bytes() + (least_ ? least_->memory_bytes() : 0);
}

}  // namespace trammel::constraint_handling
