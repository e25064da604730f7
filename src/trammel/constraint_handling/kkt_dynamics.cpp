#include "trammel/constraint_handling/kkt_dynamics.h"

#include <algorithm>

namespace trammel::constraint_handling {

using system::Vector;

KktDynamics::KktDynamics(system::MechanicalSystem& system,
                         std::unique_ptr<linear::KktSolver> solver)
    : system_(system),
      sizes_(system.sizes()),
      solver_(std::move(solver)),
      matrix_(system.pattern()) {
  solver_->analyse(system.pattern());
  motion_.a.setZero(sizes_.v);
  motion_.lambda.setZero(sizes_.multipliers());
  right_side_.setZero(sizes_.v + sizes_.multipliers());
}

bool KktDynamics::accelerations(const system::State& state, Vector& a, Vector& lambda) {
  motion_.state = state;
  system_.tangent(motion_, {.acceleration = 1.0}, nullptr, matrix_);
  ++factorisations_;
  if (!solver_->factor(matrix_).ok) return false;
  system_.forces(state, f_);
  system_.acceleration_bias(state, gamma_);
  right_side_.head(sizes_.v) = f_;
  right_side_.tail(sizes_.multipliers()) = -gamma_;
  const bool ok = loaded_(*solver_, refined_, matrix_, system_.constraint_dependent_forces(),
                          right_side_, motion_, solution_)
                      .converged;
  a = solution_.head(sizes_.v);
  lambda = motion_.lambda;
  if (!solution_.allFinite()) motion_.lambda.setZero();
  return ok && solution_.allFinite();
}

void KktDynamics::constrain(const Vector& residual, Vector& x) {
  right_side_.head(sizes_.v).setZero();
  right_side_.tail(sizes_.multipliers()) = -residual;
  refined_(*solver_, matrix_, right_side_, solution_);
  x = solution_.head(sizes_.v);
}

std::size_t KktDynamics::memory_bytes() const {
  const auto numbers = static_cast<std::size_t>(sizes_.q + 5 * sizes_.v + 4 * sizes_.multipliers() +
                                                6 * (sizes_.v + sizes_.multipliers()));
  return (numbers + matrix_.values.capacity()) * sizeof(double) + solver_->memory_bytes();
}

}  // namespace trammel::constraint_handling
