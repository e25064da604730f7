#include "trammel/constraint_handling/least_reactions.h"

#include <cmath>

namespace trammel::constraint_handling {

using system::Vector;

LeastReactions::LeastReactions(system::MechanicalSystem& system)
    : jacobian_(system), matrix_(system.pattern()) {
  const system::Sizes sizes = system.sizes();
  solver_.analyse(system.pattern());
  factor_.setZero(sizes.multipliers());
  mu_.setZero(sizes.multipliers());
  right_side_.setZero(sizes.v + sizes.multipliers());
  solution_ = right_side_;
}

// Rows without weight count by their length.
void LeastReactions::set_factors(const system::State& state) {
  jacobian_.take(state);
  for (int row = 0; row < jacobian_.rows(); ++row) {
    const double size = jacobian_.size()[row];
    const bool open = jacobian_.open()[static_cast<std::size_t>(row)];
    factor_[row] = open || !(size > 0.0) ? 0.0 : 1.0 / size;
  }
}

void LeastReactions::add_load(const Vector& mu, double factor) {
  for (int row = 0; row < jacobian_.rows(); ++row) {
    if (mu[row] != 0.0) jacobian_.add_row(row, factor * factor_[row] * mu[row], right_side_);
  }
}

bool LeastReactions::operator()(const system::State& state,
                                Vector& lambda,
                                const std::vector<int>& carrying_nothing) {
  constexpr double shift = 1e-6;
  constexpr int most_passes = 20;
  constexpr double converged = 1e-12;
  constexpr double good_enough = 1e-6;
  set_factors(state);
  for (const int row : carrying_nothing) factor_[row] = 0.0;
  jacobian_.write(factor_, shift, matrix_);
  if (!solver_.factor(matrix_).ok) return false;
  const auto loads = right_side_.head(matrix_.pattern->velocities);
  right_side_.setZero();
  for (int row = 0; row < jacobian_.rows(); ++row) {
    jacobian_.add_row(row, lambda[row], right_side_);
  }
  const double whole = loads.norm();
  mu_.setZero();
  double rest = whole;
  for (int pass = 0; pass < most_passes && rest > converged * whole; ++pass) {
    right_side_.tail(jacobian_.rows()).setZero();
    refined_(solver_, matrix_, right_side_, solution_);
    mu_ += solution_.tail(jacobian_.rows());
    add_load(solution_.tail(jacobian_.rows()), -1.0);
    const double last = rest;
    rest = loads.norm();
    if (!(rest < 0.9 * last)) break;
  }
  if (!(rest <= good_enough * whole)) return false;
  lambda = factor_.cwiseProduct(mu_);
  return true;
}

std::size_t LeastReactions::memory_bytes() const {
  const auto numbers =
      static_cast<std::size_t>(4 * matrix_.pattern->velocities + 9 * matrix_.pattern->multipliers);
  return (numbers + 3 * matrix_.values.capacity()) * sizeof(double) + solver_.memory_bytes();
}

}  // namespace trammel::constraint_handling
