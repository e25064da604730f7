#include "trammel/constraint_handling/penalty_stabilisation.h"

#include <algorithm>

#include "trammel/system/open_row.h"

namespace trammel::constraint_handling {

using system::Vector;

namespace {

constexpr double automatic_share = 1e-8;  // of rho^2 S_i

}  // namespace

PenaltyStabilisation::PenaltyStabilisation(system::MechanicalSystem& system,
                                           std::unique_ptr<linear::KktSolver> solver,
                                           PenaltyOptions options)
    : system_(system),
      sizes_(system.sizes()),
      options_(options),
      solver_(std::move(solver)),
      matrix_(system.pattern()) {
  solver_->analyse(system.pattern());
  factored_.a.setZero(sizes_.v);
  factored_.lambda.setZero(sizes_.multipliers());
  first_lambda_ = factored_.lambda;
  epsilon_ = factored_.lambda;
  shift_ = factored_.lambda;
  applied_ = factored_.lambda;
  right_side_.setZero(sizes_.v + sizes_.multipliers());
}

void PenaltyStabilisation::set_half_step(double rho) {
  rho_ = rho;
  chosen_ = false;
}

void PenaltyStabilisation::set_row_steps() {
  row_step_.setConstant(sizes_.multipliers(), options_.rates_of_velocities ? 1.0 : rho_);
  if (options_.nonholonomic == NonholonomicRows::acceleration) {
    row_step_.tail(sizes_.nonholonomic).setOnes();
  }
}

// Of the matrix last made, without its shift.
void PenaltyStabilisation::choose_epsilon() {
  linear::regularisation(matrix_, rho_, row_size_);
  set_row_steps();
  row_size_ = row_size_.cwiseProduct(row_step_);
  if (options_.epsilon > 0.0) {
    epsilon_.setConstant(options_.epsilon);
  } else {
    epsilon_ = automatic_share * row_size_;
  }
  shift_ = epsilon_.cwiseQuotient(row_step_) / rho_;
  softness_ = epsilon_.cwiseQuotient(row_size_).maxCoeff();
  chosen_ = true;
}

double& PenaltyStabilisation::diagonal(int row) {
  const auto unknown = static_cast<std::size_t>(sizes_.v + row);
  return matrix_.values[static_cast<std::size_t>(matrix_.pattern->diagonal[unknown])];
}

bool PenaltyStabilisation::factor_with(const system::State& state, bool penalty) {
  factored_.state = state;
  // What was put there the last time would pass for rows that are open.
  for (int row = 0; row < sizes_.multipliers(); ++row) diagonal(row) = 0.0;
  system_.tangent(factored_, {.acceleration = 1.0}, nullptr, matrix_);
  if (penalty) {
    if (!chosen_) choose_epsilon();
    for (int row = 0; row < sizes_.multipliers(); ++row) {
      const bool open = system::is_open_row(row, matrix_);
      applied_[row] = open ? 0.0 : shift_[row];
      if (!open) diagonal(row) = -shift_[row];
    }
  }
  ++factorisations_;
  return solver_->factor(matrix_).ok;
}

bool PenaltyStabilisation::factor(const system::State& state) {
  return factor_with(state, false);
}

bool PenaltyStabilisation::solve(const Vector& velocity, const Vector& lambda, system::Motion& m) {
  base_.t = m.state.t;
  base_.q = m.state.q;
  base_.v = velocity;
  base_.z = m.state.z;
  system_.velocity_constraint(base_, rows_);
  rows_ /= rho_;
  if (options_.nonholonomic == NonholonomicRows::acceleration && sizes_.nonholonomic > 0) {
    system_.acceleration_bias(m.state, gamma_);
    rows_.tail(sizes_.nonholonomic) = gamma_.tail(sizes_.nonholonomic);
  }
  return solve_penalty(rows_, lambda, m);
}

bool PenaltyStabilisation::solve_penalty(const Vector& rows,
                                         const Vector& lambda,
                                         system::Motion& m) {
  if (!factor_with(m.state, true)) return false;
  system_.forces(m.state, f_);
  right_side_.head(sizes_.v) = f_;
  right_side_.tail(sizes_.multipliers()) = -rows - applied_.cwiseProduct(lambda);
  m.lambda = lambda;
  if (!finish(m)) return false;
  for (int row = 0; row < sizes_.multipliers(); ++row) {
    if (applied_[row] == 0.0) continue;
    violation_ = std::max(violation_, epsilon_[row] * std::abs(m.lambda[row] - first_lambda_[row]));
  }
  return true;
}

bool PenaltyStabilisation::solve_accelerations(system::Motion& m) {
  system_.acceleration_bias(m.state, gamma_);
  return solve_rows(gamma_, m);
}

bool PenaltyStabilisation::solve_rows(const Vector& rows, system::Motion& m) {
  if (!factor_with(m.state, false)) return false;
  system_.forces(m.state, f_);
  right_side_.head(sizes_.v) = f_;
  right_side_.tail(sizes_.multipliers()) = -rows;
  return finish(m);
}

bool PenaltyStabilisation::solve_with_multipliers(system::Motion& m) {
  m.a.setZero(sizes_.v);
  system_.residual(m, f_, rows_);
  factored_.state = m.state;
  system_.tangent(factored_, {.acceleration = 1.0}, nullptr, matrix_);
  // M alone: rows without entries.
  for (std::size_t k = 0; k < matrix_.values.size(); ++k) {
    if (matrix_.pattern->row[k] >= sizes_.v) matrix_.values[k] = 0.0;
  }
  for (int row = 0; row < sizes_.multipliers(); ++row) system::open_row(row, matrix_);
  ++factorisations_;
  if (!solver_->factor(matrix_).ok) return false;
  accelerate(f_, m.a);
  m.a = -m.a;
  return m.a.allFinite();
}

bool PenaltyStabilisation::finish(system::Motion& m) {
  const bool found = loaded_(*solver_, refined_, matrix_, system_.constraint_dependent_forces(),
                             right_side_, m, solution_)
                         .converged;
  m.a = solution_.head(sizes_.v);
  return found && solution_.allFinite();
}

void PenaltyStabilisation::constrain(const Vector& residual, Vector& x) {
  right_side_.head(sizes_.v).setZero();
  right_side_.tail(sizes_.multipliers()) = -residual;
  refined_(*solver_, matrix_, right_side_, solution_);
  x = solution_.head(sizes_.v);
}

void PenaltyStabilisation::accelerate(const Vector& r, Vector& x) {
  right_side_.head(sizes_.v) = r;
  right_side_.tail(sizes_.multipliers()).setZero();
  solver_->solve(right_side_, solution_);
  x = solution_.head(sizes_.v);
}

double PenaltyStabilisation::least_epsilon() const {
  return epsilon_.size() == 0 ? 0.0 : epsilon_.minCoeff();
}

double PenaltyStabilisation::largest_epsilon() const {
  return epsilon_.size() == 0 ? 0.0 : epsilon_.maxCoeff();
}

std::size_t PenaltyStabilisation::memory_bytes() const {
  const auto numbers =
      static_cast<std::size_t>(2 * (sizes_.q + 3 * sizes_.v) + 8 * sizes_.multipliers() +
                               6 * (sizes_.v + sizes_.multipliers()));
  return (numbers + matrix_.values.capacity()) * sizeof(double) + solver_->memory_bytes();
}

}  // namespace trammel::constraint_handling
