#include "trammel/constraint_handling/least_singular_value.h"

#include <cmath>

#include "trammel/constraint_handling/rank.h"

namespace trammel::constraint_handling {
namespace {

// On the diagonal of the multipliers: singular values below its root look like its root.
constexpr double singular_value_shift = 1e-12;

}  // namespace

LeastSingularValue::LeastSingularValue(system::MechanicalSystem& system) : system_(system) {
  // Recursions have no pattern, and make none for us.
  if (system.sizes().multipliers() == 0) return;
  may_vanish_ = rows_may_depend(*system.pattern());
}

LeastSingularValue::Place LeastSingularValue::begin(const system::State& state) {
  if (!may_vanish_) return {};
  if (choice_ == nullptr) {
    choice_ = std::make_unique<RowChoice>(system_);
    jacobian_ = std::make_unique<ScaledJacobian>(system_);
    matrix_ = std::make_unique<system::KktMatrix>(system_.pattern());
    solver_.analyse(system_.pattern());
  }
  choice_->begin(state);
  jacobian_->take(state);
  return fresh();
}

// Without a u to begin with: any that has a part in every direction.
LeastSingularValue::Place LeastSingularValue::fresh() {
  constexpr int iterations = 12;
  const int rows = jacobian_->rows();
  open_ = jacobian_->open();
  u_.resize(rows);
  for (int i = 0; i < rows; ++i) u_[i] = std::sin(1.0 + 2.3 * i);
  u_.normalize();
  if (!iterate(iterations)) return {};
  return {.value = b_.norm()};
}

bool LeastSingularValue::iterate(int iterations) {
  const int n = system_.sizes().v;
  const int rows = jacobian_->rows();
  factor_.resize(rows);
  for (int i = 0; i < rows; ++i) {
    factor_[i] = jacobian_->has_direction(i) ? 1.0 / jacobian_->size()[i] : 0.0;
  }
  for (const int row : choice_->left_out()) factor_[row] = 0.0;
  for (int i = 0; i < rows; ++i) {
    if (factor_[i] == 0.0) u_[i] = 0.0;
  }
  jacobian_->write(factor_, singular_value_shift, *matrix_);
  if (!solver_.factor(*matrix_).ok) return false;
  right_side_.setZero(n + rows);
  for (int k = 0; k < iterations; ++k) {
    right_side_.tail(rows) = u_;
    solver_.solve(right_side_, solution_);
    const double length = solution_.tail(rows).norm();
    if (!(length > 0.0) || !std::isfinite(length)) return false;
    // A x = u with x = A^T z, and the multipliers are -z.
    u_ = -solution_.tail(rows) / length;
    b_ = solution_.head(n) / length;
  }
  return true;
}

LeastSingularValue::Place LeastSingularValue::next(const system::State& state) {
  if (!may_vanish_) return {};
  const bool others = choice_->revise(state);
  jacobian_->take(state);
  if (jacobian_->open() != open_) {
    choice_->begin(state);
    return fresh();
  }
  if (others) return fresh();
  constexpr int iterations = 2;
  last_u_ = u_;
  last_b_ = b_;
  if (!iterate(iterations)) return fresh();
  if (u_.dot(last_u_) < 0.0) {
    u_ = -u_;
    b_ = -b_;
  }
  Place place{.value = b_.norm()};
  constexpr double alike = 0.7;  // the same combination of rows, and its velocity reversed
  const double before = last_b_.norm();
  if (u_.dot(last_u_) > alike && b_.dot(last_b_) < -alike * place.value * before) {
    place.crossed = before / (before + place.value);
  }
  return place;
}

}  // namespace trammel::constraint_handling
