#include "trammel/constraint_handling/mass_orthogonal_projection.h"

#include <functional>
#include <limits>

#include "trammel/constraint_handling/row_sizes.h"
#include "trammel/system/position_measure.h"

namespace trammel::constraint_handling {

using system::largest;
using system::Vector;

MassOrthogonalProjection::MassOrthogonalProjection(system::MechanicalSystem& system,
                                                   std::unique_ptr<linear::KktSolver> solver)
    : system_(system),
      sizes_(system.sizes()),
      solver_(std::move(solver)),
      matrix_(system.pattern()),
      acceleration_constraint_(system) {
  solver_->analyse(system.pattern());
  motion_.a.setZero(sizes_.v);
  motion_.lambda.setZero(sizes_.multipliers());
  stacked_.setZero(sizes_.v + sizes_.multipliers());
  right_side_ = stacked_;
  x_.setZero(sizes_.v);
}

bool MassOrthogonalProjection::factor(const system::State& state) {
  motion_.state = state;
  motion_.lambda.setZero();
  system_.tangent(motion_, {.acceleration = 1.0}, nullptr, matrix_);
  return solver_->factor(matrix_).ok;
}

void MassOrthogonalProjection::solve(const Vector& residual, Vector& x) {
  right_side_.head(sizes_.v).setZero();
  right_side_.tail(sizes_.multipliers()) = -residual;
  refined_(*solver_, matrix_, right_side_, solution_);
  x = solution_.head(sizes_.v);
}

ProjectionReport MassOrthogonalProjection::positions(system::State& state, int most_steps) {
  constexpr double round_off = 1e-14;
  const Vector& scale = system_.displacement_scale();
  ProjectionReport report;
  report.converged = true;
  origin_ = state.q;
  stacked_.setZero();  // (x, s)
  system_.position_constraint(state, residual_);
  const auto closed = [&](double margin) {
    if (row_size_.size() == 0) return sizes_.holonomic == 0;
    const int rows = sizes_.holonomic;
    const auto needed = (round_off * row_size_).cwiseMax(margin * row_round_off_);
    return (residual_.head(rows).array().abs() <= needed.head(rows).array()).all();
  };
  double last = std::numeric_limits<double>::infinity();
  while (report.iterations < most_steps && !closed(1.0)) {
    ++report.iterations;
    if (!factor(state)) {
      report.converged = false;
      break;
    }
    row_sizes(matrix_, scale, row_size_);
    system::position_round_off(system_, state, position_round_off_);
    row_round_off(matrix_, position_round_off_, row_round_off_);
    matrix_.multiply(stacked_, right_side_);
    right_side_ = -right_side_;
    right_side_.tail(sizes_.multipliers()) = -residual_;
    refined_(*solver_, matrix_, right_side_, solution_);
    const double size = solution_.head(sizes_.v).cwiseQuotient(scale).lpNorm<Eigen::Infinity>();
    stacked_ += solution_;
    x_ = stacked_.head(sizes_.v);
    system_.retract(origin_, x_, state.q);
    system_.position_constraint(state, residual_);
    // Far from the origin round-off is larger than that: there corrections stop falling.
    constexpr double converged = 1e-13;
    if (size < converged || (size > 0.5 * last && closed(round_off_margin))) break;
    last = size;
  }
  report.residual = largest(residual_);
  report.converged = report.converged && state.q.allFinite();
  return report;
}

bool MassOrthogonalProjection::velocities(system::State& state) {
  if (!factor(state)) return false;
  system_.velocity_constraint(state, residual_);
  solve(residual_, x_);
  state.v += x_;
  return state.v.allFinite();
}

void MassOrthogonalProjection::accelerations(const system::State& state, Vector& a) {
  acceleration_constraint_(state, a, residual_);
  solve(residual_, x_);
  a += x_;
}

bool MassOrthogonalProjection::multipliers(const system::State& state,
                                           const Vector& a,
                                           Vector& lambda) {
  use_scale_metric();
  if (!solver_->factor(matrix_).ok) return false;
  motion_.state = state;
  motion_.a = a;
  right_side_.tail(sizes_.multipliers()).setZero();
  // One correction, with a share of the loads h(lambda) that are in the residual.
  system::ConstraintDependentForces* loads = system_.constraint_dependent_forces();
  const auto corrected = [&](const Vector& from, double share, Vector& image) {
    motion_.lambda = from;
    system_.residual(motion_, x_, residual_);
    right_side_.head(sizes_.v) = -x_;
    if (share < 1.0 && loads != nullptr) {
      loads->constraint_dependent_forces(motion_, x_);
      right_side_.head(sizes_.v) -= (1.0 - share) * x_;
    }
    refined_(*solver_, matrix_, right_side_, solution_);
    image = motion_.lambda + solution_.tail(sizes_.multipliers());
  };
  lambda.setZero(sizes_.multipliers());
  bool converged = true;
  if (loads == nullptr) {
    corrected(lambda, 1.0, lambda);
  } else {
    converged = iteration_.solve(std::ref(corrected), lambda).converged;
  }
  motion_.a.setZero();
  return converged && lambda.allFinite();
}

// Puts D^-2 in the place of the mass matrix.
void MassOrthogonalProjection::use_scale_metric() {
  const system::KktPattern& pattern = *matrix_.pattern;
  const Vector& scale = system_.displacement_scale();
  for (int column = 0; column < pattern.velocities; ++column) {
    const auto c = static_cast<std::size_t>(column);
    for (int k = pattern.column_start[c]; k < pattern.column_start[c + 1]; ++k) {
      const int row = pattern.row[static_cast<std::size_t>(k)];
      if (row >= pattern.velocities) break;
      matrix_.values[static_cast<std::size_t>(k)] =
          row != column ? 0.0 : (unit_metric_ ? 1.0 : 1.0 / (scale[column] * scale[column]));
    }
  }
}

std::size_t MassOrthogonalProjection::memory_bytes() const {
  const auto vectors = static_cast<std::size_t>(3 * sizes_.q + 5 * sizes_.v +
                                                10 * (sizes_.v + sizes_.multipliers()));
  return vectors * sizeof(double) + matrix_.values.capacity() * sizeof(double) +
         solver_->memory_bytes();
}

}  // namespace trammel::constraint_handling
