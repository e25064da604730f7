// Newton's iteration of a Radau step.
#include <algorithm>
#include <cmath>

#include "trammel/integrators/radau.h"
#include "trammel/integrators/radau_table.h"
#include "trammel/integrators/solver_choice.h"

namespace trammel::integrators {

using system::Vector;

RadauMatrices::RadauMatrices(system::MechanicalSystem& system, const std::string& solver)
    // Long steps give the unsymmetric part of the tangent its full weight.
    : system_(system),
      solver_(solver_by_name(solver == "auto" ? "klu" : solver)),
      mass_(system.pattern()),
      damping_(system.pattern()),
      stiffness_(system.pattern()),
      real_(system.pattern()) {
  const system::KktPattern& pattern = *mass_.pattern;
  solver_->analyse(mass_.pattern);
  if (pattern.size() > 0) complex_solver_.analyse(mass_.pattern);
  complex_.resize(mass_.values.size());
  of_velocities_.resize(mass_.values.size());
  for (int column = 0; column < pattern.size(); ++column) {
    const auto c = static_cast<std::size_t>(column);
    for (int k = pattern.column_start[c]; k < pattern.column_start[c + 1]; ++k) {
      const auto entry = static_cast<std::size_t>(k);
      of_velocities_[entry] =
          column < pattern.velocities && pattern.row[entry] < pattern.velocities;
    }
  }
  full_.setZero(pattern.size());
}

void RadauMatrices::evaluate(const system::Motion& motion) {
  system_.tangent(motion, {.position = 0.0, .velocity = 0.0, .acceleration = 1.0}, nullptr, mass_);
  system_.tangent(motion, {.position = 0.0, .velocity = 1.0, .acceleration = 0.0}, nullptr,
                  damping_);
  system_.tangent(motion, {.position = 1.0, .velocity = 0.0, .acceleration = 0.0}, nullptr,
                  stiffness_);
  evaluated_ = true;
}

bool RadauMatrices::factor(double real, std::complex<double> pair) {
  ++factorisations_;
  // Where drives prescribe everything there is nothing to solve.
  if (mass_.pattern->size() == 0) return true;
  for (std::size_t i = 0; i < mass_.values.size(); ++i) {
    const double m = mass_.values[i];
    const double d = of_velocities_[i] ? damping_.values[i] : 0.0;
    const double k = of_velocities_[i] ? stiffness_.values[i] : 0.0;
    real_.values[i] = m + real * (d + real * k);
    complex_[i] = m + pair * (d + pair * k);
  }
  return solver_->factor(real_).ok && complex_solver_.factor(complex_, real_);
}

void RadauMatrices::solve(const Vector& right_side, Vector& solution) {
  if (mass_.pattern->size() > 0) solver_->solve(right_side, solution);
}

void RadauMatrices::solve(linear::ComplexVector& x) {
  if (mass_.pattern->size() > 0) complex_solver_.solve(x);
}

void RadauMatrices::constrain(const Vector& residual, Vector& x) {
  right_side_.setZero(real_.pattern->size());
  right_side_.tail(residual.size()) = -residual;
  refined_(*solver_, real_, right_side_, solution_);
  x = solution_.head(real_.pattern->velocities);
}

void RadauMatrices::stiffness_times(const Vector& x, Vector& y) {
  const int n = mass_.pattern->velocities;
  full_.head(n) = x;
  stiffness_.multiply(full_, product_);
  y = product_.head(n);
}

std::size_t RadauMatrices::memory_bytes() const {
  const std::size_t numbers =
      5 * static_cast<std::size_t>(mass_.pattern->size()) + 6 * mass_.values.capacity();
  return numbers * sizeof(double) + solver_->memory_bytes() + complex_solver_.memory_bytes();
}

// The stages of the last step go on; those of a first one fall freely.
void Radau::predict() {
  const RadauTable& table = radau_table();
  const int n = equations_.sizes().v;
  const int nz = equations_.sizes().z;
  constexpr double farthest = 3.0;  // steps; multipliers are not extrapolated beyond
  for (std::size_t i = 0; i < stages; ++i) {
    Vector& y = y_stage_[i];
    const double node = table.c[static_cast<Eigen::Index>(i)];
    y.setZero();
    if (last_h_ == 0.0) {
      y.segment(n, n + nz) = node * h_ * dy_.segment(n, n + nz);
      level_[i].lambda = base_.lambda;
      continue;
    }
    const double s = 1.0 + node * h_ / last_h_;
    const RadauWeights weights(s);
    for (std::size_t j = 0; j < stages; ++j) {
      const auto column = static_cast<Eigen::Index>(j);
      y.segment(n, n + nz) += weights.value[column] * last_[j].segment(n, n + nz);
    }
    y.segment(n, n + nz) -= last_[stages - 1].segment(n, n + nz);
    level_[i].lambda = base_.lambda;
    if (s > farthest) continue;
    level_[i].lambda.setZero();
    for (std::size_t j = 0; j < stages; ++j) {
      level_[i].lambda += weights.multiplier[static_cast<Eigen::Index>(j)] * last_lambda_[j];
    }
  }
}

// Positions, accelerations and states that belong to the velocities of the stages.
void Radau::set_stages() {
  const RadauTable& table = radau_table();
  const int n = equations_.sizes().v;
  const int passes = equations_.curved() ? 3 : 1;
  for (int pass = 0; pass < passes; ++pass) {
    for (std::size_t i = 0; i < stages; ++i) {
      dx_ = y_.segment(n, n) + y_stage_[i].segment(n, n);
      if (equations_.curved()) {
        x_ = y_stage_[i].head(n);
        equations_.system().inverse_tangent(x_, dx_, rates_[i]);
      } else {
        rates_[i] = dx_;
      }
    }
    for (std::size_t i = 0; i < stages; ++i) {
      x_.setZero(n);
      for (std::size_t j = 0; j < stages; ++j) {
        x_ += h_ * table.a(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j)) * rates_[j];
      }
      y_stage_[i].head(n) = x_;
    }
  }
  for (std::size_t i = 0; i < stages; ++i) {
    const auto row = static_cast<Eigen::Index>(i);
    iterate_ = y_ + y_stage_[i];
    equations_.state(t_ + table.c[row] * h_, iterate_, level_[i].state);
    level_[i].a.setZero(n);
    for (std::size_t j = 0; j < stages; ++j) {
      level_[i].a +=
          table.inverse(row, static_cast<Eigen::Index>(j)) / h_ * y_stage_[j].segment(n, n);
    }
  }
}

bool Radau::renew_factors() {
  const RadauTable& table = radau_table();
  if (!matrices_.evaluated()) {
    matrices_.evaluate(base_);
    fresh_ = true;
    factored_h_ = 0.0;
  }
  if (factored_h_ == h_) return true;
  const int nz = equations_.sizes().z;
  if (nz > 0) {
    equations_.system().first_order_states()->rate_tangent(base_.state, rate_tangent_);
    stage_tangent_.setZero(3 * nz, 3 * nz);
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) {
        auto block = stage_tangent_.block(i * nz, j * nz, nz, nz);
        block = -h_ * table.a(i, j) * rate_tangent_;
        if (i == j) block.diagonal().array() += 1.0;
      }
    }
    stage_factors_.compute(stage_tangent_);
    rate_tangent_ *= -h_ * table.real;
    rate_tangent_.diagonal().array() += 1.0;
    state_factors_.compute(rate_tangent_);
  }
  if (!matrices_.factor(h_ * table.real, h_ * table.pair)) return false;
  factored_h_ = h_;
  return true;
}

// Iterates with the matrices that are there, and with new ones where that does not converge.
Failure Radau::solve() {
  while (true) {
    predict();
    set_stages();
    if (!renew_factors()) {
      factored_h_ = 0.0;
      return Failure::singular;
    }
    const Failure failure = iterate();
    if (failure == Failure::none || fresh_) return failure;
    matrices_.forget();
  }
}

Failure Radau::iterate() {
  constexpr int most_iterations = 8;
  constexpr double slow = 0.1;  // new matrices pay
  // A part of the error's tolerance that falls with it, but stays above round-off.
  const double wanted =
      std::sqrt(std::max(options_.relative_tolerance, options_.absolute_tolerance));
  const double tolerance = std::clamp(wanted, 1e-3, 0.03);
  const double multiplier_tolerance = std::max(options_.relative_tolerance, 1e-9);
  const auto left = [](double rate) {
    const double bounded = std::min(rate, 0.9);
    return bounded / (1.0 - bounded);
  };
  double last = 0.0;
  double last_multipliers = 0.0;
  // Rates of earlier steps are trusted less.
  rate_ = std::pow(std::max(rate_, 1e-3), 0.8);
  multiplier_rate_ = std::pow(std::max(multiplier_rate_, 1e-3), 0.8);
  bool arrived = false;
  for (int i = 0; i < most_iterations; ++i) {
    ++statistics_.iterations;
    newton_iterations_ = i + 1;
    const double size = correct();
    if (!std::isfinite(size)) return Failure::not_finite;
    if (i > 0) {
      rate_ = last > 0.0 ? size / last : 0.0;
      // Where stiff directions turn, the first correction overshoots and the second one mends it.
      const double worst = i == 1 ? 5.0 : 0.95;
      if (rate_ > worst && size > tolerance) return Failure::diverged;
      multiplier_rate_ = last_multipliers > 0.0 ? multiplier_change_ / last_multipliers : 0.0;
    }
    arrived = size == 0.0 || left(rate_) * size <= tolerance;
    if (arrived && left(multiplier_rate_) * multiplier_change_ <= multiplier_tolerance) {
      if (i > 0 && rate_ > slow) matrices_.forget();
      return Failure::none;
    }
    last = size;
    last_multipliers = multiplier_change_;
  }
  if (!arrived) return Failure::slow;
  matrices_.forget();  // too old for the multipliers
  return Failure::none;
}

// One correction; returns its size, 1 at the tolerance of the error.
double Radau::correct() {
  residuals();
  y_before_ = y_stage_;
  multiplier_change_ = 0.0;
  correct_real();
  correct_pair();
  if (equations_.sizes().z > 0) correct_states();
  set_stages();
  return change_of_stages();
}

void Radau::residuals() {
  for (std::size_t i = 0; i < stages; ++i) {
    ++evaluations_;
    equations_.system().residual(level_[i], residual_[i], constraint_);
    if (equations_.sizes().multipliers() == 0) continue;
    equations_.system().velocity_constraint(level_[i].state, rows_[i]);
  }
}

void Radau::correct_real() {
  const RadauTable& table = radau_table();
  const int n = equations_.sizes().v;
  const int m = equations_.sizes().multipliers();
  const double c = h_ * table.real;
  right_side_.setZero(n + m);
  for (std::size_t i = 0; i < stages; ++i) {
    const double weight = table.real_row[static_cast<Eigen::Index>(i)];
    right_side_.head(n) -= c * weight * residual_[i];
    if (m > 0) right_side_.tail(m) -= weight * rows_[i];
  }
  matrices_.solve(right_side_, solution_);
  for (std::size_t i = 0; i < stages; ++i) {
    const double weight = table.real_vector[static_cast<Eigen::Index>(i)];
    y_stage_[i].segment(n, n) += weight * solution_.head(n);
    if (m > 0) level_[i].lambda += weight / c * solution_.tail(m);
  }
  // What the last stage makes of it shows in the multipliers of the end.
  sum_ = table.real_vector[2] / c * solution_.tail(m);
}

void Radau::correct_pair() {
  const RadauTable& table = radau_table();
  const int n = equations_.sizes().v;
  const int m = equations_.sizes().multipliers();
  const std::complex<double> c = h_ * table.pair;
  pair_.setZero(n + m);
  for (std::size_t i = 0; i < stages; ++i) {
    const std::complex<double> weight = table.pair_row[static_cast<Eigen::Index>(i)];
    for (int k = 0; k < n; ++k) pair_[k] -= c * weight * residual_[i][k];
    for (int k = 0; k < m; ++k) pair_[n + k] -= weight * rows_[i][k];
  }
  matrices_.solve(pair_);
  for (std::size_t i = 0; i < stages; ++i) {
    const std::complex<double> weight = 2.0 * table.pair_vector[static_cast<Eigen::Index>(i)];
    for (int k = 0; k < n; ++k) y_stage_[i][n + k] += (weight * pair_[k]).real();
    for (int k = 0; k < m; ++k) level_[i].lambda[k] += (weight / c * pair_[n + k]).real();
  }
  if (m == 0) return;
  const std::complex<double> weight = 2.0 * table.pair_vector[2] / c;
  for (int k = 0; k < m; ++k) sum_[k] += (weight * pair_[n + k]).real();
  multiplier_scale_ = std::max(multiplier_scale_, level_[2].lambda.lpNorm<Eigen::Infinity>());
  if (multiplier_scale_ > 0.0) {
    multiplier_change_ = sum_.lpNorm<Eigen::Infinity>() / multiplier_scale_;
  }
}

// One Newton iteration of Z_i = h sum_j a_ij s_j, with the last q and v.
void Radau::correct_states() {
  const RadauTable& table = radau_table();
  const int nz = equations_.sizes().z;
  const int first = 2 * equations_.sizes().v;
  state_right_side_.setZero(3 * nz);
  for (int j = 0; j < 3; ++j) {
    equations_.system().first_order_states()->rates(level_[static_cast<std::size_t>(j)].state,
                                                    state_rates_);
    for (int i = 0; i < 3; ++i) {
      state_right_side_.segment(i * nz, nz) += h_ * table.a(i, j) * state_rates_;
    }
  }
  for (int i = 0; i < 3; ++i) {
    state_right_side_.segment(i * nz, nz) -=
        y_stage_[static_cast<std::size_t>(i)].segment(first, nz);
  }
  state_solution_ = stage_factors_.solve(state_right_side_);
  for (int i = 0; i < 3; ++i) {
    y_stage_[static_cast<std::size_t>(i)].segment(first, nz) += state_solution_.segment(i * nz, nz);
  }
}

double Radau::change_of_stages() {
  double largest = 0.0;
  for (std::size_t i = 0; i < stages; ++i) {
    delta_ = y_stage_[i] - y_before_[i];
    largest = std::max(largest, equations_.motion_norm(delta_));
  }
  return largest;
}

}  // namespace trammel::integrators
