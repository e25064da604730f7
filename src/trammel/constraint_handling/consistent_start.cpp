#include "trammel/constraint_handling/consistent_start.h"

#include <algorithm>
#include <cmath>

#include "trammel/constraint_handling/row_sizes.h"
#include "trammel/system/position_measure.h"

namespace trammel::constraint_handling {
namespace {

using system::largest;
using system::Vector;

}  // namespace

ConsistentStart::ConsistentStart(system::MechanicalSystem& system)
    : system_(system), sizes_(system.sizes()), rows_left_(system), matrix_(system.pattern()) {
  solver_.analyse(system.pattern());
  motion_.a.setZero(sizes_.v);
  motion_.lambda.setZero(sizes_.multipliers());
  right_side_.setZero(sizes_.v + sizes_.multipliers());
}

void ConsistentStart::mass_and_jacobian(system::MechanicalSystem& system,
                                        const system::State& state) {
  motion_.state = state;
  system.tangent(motion_, {.acceleration = 1.0}, nullptr, matrix_);
  system::position_round_off(system_, state, position_round_off_);
  row_round_off(matrix_, position_round_off_, row_round_off_);
  // The largest sizes met: a row may have no derivatives where the description is far from it.
  Vector sizes;
  row_sizes(matrix_, system_.displacement_scale(), sizes);
  if (row_size_.size() == sizes.size()) {
    row_size_ = row_size_.cwiseMax(sizes);
  } else {
    row_size_ = sizes;
  }
}

void ConsistentStart::fix(const std::vector<bool>& fixed) {
  for (std::size_t i = 0; i < fixed.size(); ++i) {
    if (fixed[i]) matrix_.fix_unknown(static_cast<int>(i));
  }
}

// Least x (in the mass metric) with G x = -residual; damping > 0 trades the residual for size.
double ConsistentStart::solve_constraint(const Vector& residual,
                                         const std::vector<bool>& fixed,
                                         double damping) {
  if (damping > 0.0) {
    Vector size;
    linear::regularisation(matrix_, damping, size);
    for (int i = 0; i < sizes_.multipliers(); ++i) {
      const auto position = static_cast<std::size_t>(
          matrix_.pattern->diagonal[static_cast<std::size_t>(sizes_.v + i)]);
      matrix_.values[position] = -size[i];
    }
  }
  right_side_.head(sizes_.v).setZero();
  right_side_.tail(sizes_.multipliers()) = -residual;
  solver_.factor(matrix_);
  const double error = refined_(solver_, matrix_, right_side_, solution_);
  for (std::size_t i = 0; i < fixed.size(); ++i) {
    if (fixed[i]) solution_[static_cast<Eigen::Index>(i)] = 0.0;
  }
  return error;
}

int most_position_steps(int to_converge, double largest_gap, double largest_step) {
  constexpr double most = 1e5;
  const double on_the_way = 2.0 * largest_gap / largest_step;
  return to_converge + (on_the_way < most ? static_cast<int>(on_the_way) : static_cast<int>(most));
}

ProjectionReport ConsistentStart::positions(system::State& state,
                                            const std::vector<bool>& fixed,
                                            const Follow& follow) {
  constexpr int to_converge = 200;
  constexpr double largest_step = 0.5;  // of the displacement scale: half the model, half a radian
  const Vector& scale = system_.displacement_scale();
  constexpr double tolerance = 1e-13;  // of the size of a row: model sizes, radians
  mass_and_jacobian(state);
  const int rows = sizes_.holonomic;
  const auto scaled = [&](const Vector& g) -> Vector {
    return g.head(rows).cwiseQuotient(row_size_.head(rows));
  };
  const auto closed = [&](const Vector& g, double limit) {
    const auto needed = (limit * row_size_).cwiseMax(round_off_margin * row_round_off_);
    return (g.head(rows).array().abs() <= needed.head(rows).array()).all();
  };

  ProjectionReport report;
  Vector g;
  Vector trial_g;
  system::State trial = state;
  double damping = 0.0;
  system_.position_constraint(state, g);
  const int most_iterations = most_position_steps(to_converge, largest(scaled(g)), largest_step);
  for (; report.iterations < most_iterations && !closed(g, tolerance); ++report.iterations) {
    mass_and_jacobian(state);
    fix(fixed);
    solve_constraint(g, fixed, damping);
    Vector x = solution_.head(sizes_.v);
    const double size = largest(x.cwiseQuotient(scale));
    if (size > largest_step) x *= largest_step / size;
    system_.retract(state.q, x, trial.q);
    system_.position_constraint(trial, trial_g);
    const double before = scaled(g).norm();
    const double after = scaled(trial_g).norm();
    const bool better = trial_g.allFinite() && after < before;
    if (better) {
      const bool slow = after > 0.9999 * before && damping > 1e3;
      state.q = trial.q;
      if (follow) follow(state);
      g = trial_g;
      damping = damping > 1e-8 ? 0.1 * damping : 0.0;
      if (slow) break;
      continue;
    }
    // Round-off is reached, or Newton's step does not help: damp it.
    if (closed(g, 100.0 * tolerance) || damping > 1e8) break;
    damping = std::max(10.0 * damping, 1e-6);
  }
  report.residual = largest(g);
  report.converged = closed(g, 1e-10);
  return report;
}

ProjectionReport ConsistentStart::velocities(system::State& state, const std::vector<bool>& fixed) {
  ProjectionReport report;
  Vector g_dot;
  system_.velocity_constraint(state, g_dot);
  const Vector& scale = system_.displacement_scale();
  const double before = largest(state.v.cwiseQuotient(scale));
  mass_and_jacobian(state);
  fix(fixed);
  // The problem is linear; the second pass removes what round-off and regularisation left.
  for (; report.iterations < 3 && largest(g_dot) > 0.0; ++report.iterations) {
    solve_constraint(g_dot, fixed, 0.0);
    state.v += solution_.head(sizes_.v);
    system_.velocity_constraint(state, g_dot);
  }
  report.residual = largest(g_dot);
  // Rates of rows against those that the fastest motion there is would give them.
  const double speed = std::max(before, largest(state.v.cwiseQuotient(scale)));
  report.converged = largest(g_dot.cwiseQuotient(row_size_)) <= 1e-9 * speed;
  return report;
}

ProjectionReport ConsistentStart::accelerations(const system::State& state,
                                                Vector& a,
                                                Vector& lambda) {
  const bool read = rows_left_.reads_reactions();
  if (read) rows_left_.begin(state);
  system::MechanicalSystem& system = read ? rows_left_ : system_;
  mass_and_jacobian(system, state);
  Vector f;
  Vector gamma;
  system.forces(state, f);
  system.acceleration_bias(state, gamma);
  right_side_.head(sizes_.v) = f;
  right_side_.tail(sizes_.multipliers()) = -gamma;
  const double scale = largest(right_side_);
  ProjectionReport report;
  report.converged = solver_.factor(matrix_).ok;
  motion_.lambda.setZero();
  const LoadedSolve::Report found =
      loaded_(solver_, refined_, matrix_, system.constraint_dependent_forces(), right_side_,
              motion_, solution_);
  a = solution_.head(sizes_.v);
  lambda = motion_.lambda;
  rows_left_.make_unique(state, lambda);
  report.iterations = found.solutions;
  report.friction_share = found.share;
  report.residual = found.error * scale;
  // Round-off in the residual is that of G a with the largest acceleration there is.
  report.converged = report.converged && found.converged && found.error < 1e-8;
  return report;
}

}  // namespace trammel::constraint_handling
