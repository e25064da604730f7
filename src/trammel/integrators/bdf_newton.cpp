// Newton's iteration of a BDF step.
#include <algorithm>
#include <cmath>

#include "trammel/integrators/bdf.h"
#include "trammel/integrators/solver_choice.h"

namespace trammel::integrators {

using system::Vector;

NewtonMatrix::NewtonMatrix(system::MechanicalSystem& system, const std::string& solver)
    // Long steps give the unsymmetric part of the tangent its full weight.
    : system_(system),
      solver_(solver_by_name(solver == "auto" ? "klu" : solver)),
      matrix_(system.pattern()) {
  solver_->analyse(system.pattern());
}

bool NewtonMatrix::renew(const system::Motion& motion, double c) {
  ++factorisations_;
  system_.tangent(motion, {.position = c * c, .velocity = c, .acceleration = 1.0}, nullptr,
                  matrix_);
  // Where drives prescribe everything there is nothing to solve.
  const bool ok = matrix_.pattern->size() == 0 || solver_->factor(matrix_).ok;
  c_ = ok ? c : 0.0;
  return ok;
}

bool NewtonMatrix::serves(double c) const {
  constexpr double nearly = 1.25;
  return c_ > 0.0 && c < nearly * c_ && c_ < nearly * c;
}

// Rows of constraints are regularised in proportion to what their bodies give way: turns without
// inertia give way so much that little is left of the row, until the solution is refined.
void NewtonMatrix::solve(const Vector& right_side, Vector& solution) {
  constexpr double good_enough = 1e-6;
  constexpr int most_steps = 3;
  if (matrix_.pattern->size() == 0) return;
  solver_->solve(right_side, solution);
  const int rows = matrix_.pattern->multipliers;
  if (rows == 0) return;
  matrix_.multiply(solution, product_);
  const double asked = right_side.tail(rows).lpNorm<Eigen::Infinity>();
  const double missed = (right_side - product_).tail(rows).lpNorm<Eigen::Infinity>();
  if (missed <= good_enough * asked) return;
  refined_(*solver_, matrix_, right_side, solution, most_steps);
}

void NewtonMatrix::constrain(const Vector& residual, Vector& x) {
  const int n = matrix_.pattern->velocities;
  right_side_.setZero(matrix_.pattern->size());
  right_side_.tail(residual.size()) = -residual;
  refined_(*solver_, matrix_, right_side_, solution_);
  x = solution_.head(n);
}

std::size_t NewtonMatrix::memory_bytes() const {
  const auto numbers = 6 * static_cast<std::size_t>(matrix_.pattern->size());
  return (numbers + matrix_.values.capacity()) * sizeof(double) + solver_->memory_bytes();
}

// Iterates with the matrix that is there, and with a new one where that does not converge.
Failure Bdf::solve() {
  bool fresh = false;
  while (true) {
    iterate_ = predicted_;
    predict_multipliers();
    set_iterate();
    if (!matrix_.serves(c_)) {
      if (!matrix_.renew(level_, c_)) return Failure::singular;
      fresh = true;
      rate_ = 0.9;
    }
    const Failure failure = iterate();
    if (failure == Failure::none || fresh) return failure;
    matrix_.forget();
  }
}

// Newton's iteration watches velocities, which kept factors bring home sooner than multipliers:
// these have to start as near as velocities do.
void Bdf::predict_multipliers() {
  multipliers_.value(h_, std::min(order_ + 1, multipliers_.available()), level_.lambda);
}

// Velocities, multipliers and the balance of energy have to arrive. With kept factors velocities do
// so first where constraints leave little freedom; multipliers that stay behind spoil reactions and
// work. A balance that round-off keeps from closing is left as it is.
//
// The rate of convergence tells the error that a correction leaves. One that was measured at
// earlier steps grows old with the matrix, since the constraints turn: it is trusted less at every
// step, so that it is measured again before errors below notice add up.
Failure Bdf::iterate() {
  constexpr int most_iterations = 6;
  constexpr double tolerance = 0.05;  // of the error's
  const double multiplier_tolerance = std::max(options_.relative_tolerance, 1e-9);
  constexpr double least_rate = 0.1;
  constexpr double ageing = 1.5;  // per step
  constexpr double slow = 0.3;    // a new matrix pays
  const auto left = [](double rate) {
    const double bounded = std::min(rate, 0.9);
    return bounded / (1.0 - bounded);
  };
  double last = 0.0;
  double last_multipliers = 0.0;
  bool arrived = false;
  rate_ = ageing * std::max(rate_, least_rate);
  multiplier_rate_ = ageing * std::max(multiplier_rate_, least_rate);
  for (int i = 0; i < most_iterations; ++i) {
    ++statistics_.iterations;
    const double size = correct();
    if (!std::isfinite(size)) return Failure::not_finite;
    if (i > 0) {
      rate_ = last > 0.0 ? size / last : 0.0;
      if (rate_ > 0.9 && size > tolerance) return Failure::diverged;
      multiplier_rate_ = last_multipliers > 0.0 ? multiplier_change_ / last_multipliers : 0.0;
    }
    arrived = size == 0.0 || left(rate_) * size <= tolerance;
    const bool balanced = left(rate_) * lack_ <= tolerance;
    if (arrived && balanced &&
        left(multiplier_rate_) * multiplier_change_ <= multiplier_tolerance) {
      if (i > 0 && rate_ > slow) matrix_.forget();
      return Failure::none;
    }
    last = size;
    last_multipliers = multiplier_change_;
  }
  if (!arrived) return Failure::slow;
  matrix_.forget();  // too old for the multipliers or the balance
  return Failure::none;
}

// x and the accelerations that belong to v and z; the state at t_{n+1}.
void Bdf::set_iterate() {
  const int n = equations_.sizes().v;
  auto v = iterate_.segment(n, n);
  if (equations_.curved()) {
    // x = x* + c (T(x)^-1 v - x*'), a contraction by half the turn within a step.
    for (int pass = 0; pass < 2; ++pass) {
      x_ = iterate_.head(n);
      level_.state.v = v;
      equations_.system().inverse_tangent(x_, level_.state.v, dx_);
      iterate_.head(n) = predicted_.head(n) + c_ * (dx_ - slope_.head(n));
    }
  } else {
    iterate_.head(n) = predicted_.head(n) + c_ * (v - slope_.head(n));
  }
  equations_.state(t_ + h_, iterate_, level_.state);
  level_.a = slope_.segment(n, n) + (v - predicted_.segment(n, n)) / c_;
}

// One correction; returns its size, 1 at the tolerance of the error.
double Bdf::correct() {
  const system::Sizes& sizes = equations_.sizes();
  const int n = sizes.v;
  ++evaluations_;
  equations_.system().residual(level_, residual_, rows_);
  right_side_.head(n) = -c_ * residual_;
  if (sizes.multipliers() > 0) {
    equations_.system().velocity_constraint(level_.state, rows_);
    right_side_.tail(sizes.multipliers()) = -rows_;
  }
  measure_lack();
  matrix_.solve(right_side_, solution_);
  delta_.head(n) = c_ * solution_.head(n);
  delta_.segment(n, n) = solution_.head(n);
  iterate_.segment(n, n) += solution_.head(n);
  level_.lambda += solution_.tail(sizes.multipliers()) / c_;
  measure_multipliers();
  if (sizes.z > 0) correct_states();
  set_iterate();
  return equations_.motion_norm(delta_);
}

// The work of what is out of balance, over the step.
void Bdf::measure_lack() {
  double work = right_side_.head(equations_.sizes().v).dot(level_.state.v);
  if (equations_.sizes().multipliers() > 0) work += c_ * level_.lambda.dot(rows_);
  lack_ = equations_.lack_norm(work);
}

// What the last correction changed, over the largest multiplier there was.
void Bdf::measure_multipliers() {
  multiplier_change_ = 0.0;
  if (equations_.sizes().multipliers() == 0) return;
  multiplier_scale_ = std::max(multiplier_scale_, level_.lambda.lpNorm<Eigen::Infinity>());
  const double change = solution_.tail(level_.lambda.size()).lpNorm<Eigen::Infinity>() / c_;
  if (multiplier_scale_ > 0.0) multiplier_change_ = change / multiplier_scale_;
}

// One Newton iteration of z - z* - c (s - z*') = 0, with the last q and v.
void Bdf::correct_states() {
  const system::Sizes& sizes = equations_.sizes();
  system::FirstOrderStates& states = *equations_.system().first_order_states();
  states.rates(level_.state, rates_);
  states.rate_tangent(level_.state, rate_tangent_);
  rate_tangent_ *= -c_;
  rate_tangent_.diagonal().array() += 1.0;
  state_factors_.compute(rate_tangent_);
  const int first = 2 * sizes.v;
  auto z = iterate_.segment(first, sizes.z);
  rates_ = predicted_.segment(first, sizes.z) - z + c_ * (rates_ - slope_.segment(first, sizes.z));
  delta_.segment(first, sizes.z) = state_factors_.solve(rates_);
  z += delta_.segment(first, sizes.z);
}

}  // namespace trammel::integrators
