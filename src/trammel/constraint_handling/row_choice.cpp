#include "trammel/constraint_handling/row_choice.h"

#include <algorithm>
#include <cmath>

#include "trammel/constraint_handling/mass_orthogonal_projection.h"
#include "trammel/constraint_handling/rank.h"
#include "trammel/system/open_row.h"

namespace trammel::constraint_handling {

using system::largest;
using system::Vector;

namespace {

std::vector<bool> open_rows(system::MechanicalSystem& system, const system::State& state) {
  const system::Sizes sizes = system.sizes();
  system::Motion motion{state, Vector::Zero(sizes.v), Vector::Zero(sizes.multipliers())};
  system::KktMatrix matrix(system.pattern());
  system.tangent(motion, {.acceleration = 1.0}, nullptr, matrix);
  std::vector<bool> open(static_cast<std::size_t>(sizes.multipliers()));
  for (int row = 0; row < sizes.multipliers(); ++row) {
    open[static_cast<std::size_t>(row)] = system::is_open_row(row, matrix);
  }
  return open;
}

}  // namespace

RowChoice::Workspace::Workspace(system::MechanicalSystem& system)
    : jacobian(system), matrix(system.pattern()) {
  const system::Sizes sizes = system.sizes();
  solver.analyse(system.pattern());
  factor.setZero(sizes.multipliers());
  right_side.setZero(sizes.v + sizes.multipliers());
  solution = right_side;
  x.setZero(sizes.v);
}

bool RowChoice::begin(const system::State& state) {
  // Where there are no rows the pattern, which is large for deep trees, is not asked for.
  if (system_.sizes().multipliers() == 0 || !rows_may_depend(*system_.pattern())) return false;
  const std::vector<bool> open = open_rows(system_, state);
  if (searched_ && open == open_) {
    if (left_out_.empty()) return false;
    work_->jacobian.take(state);
    return look_again(state);
  }
  searched_ = true;
  open_ = open;
  const std::vector<int> before = left_out_;
  find(state);
  if (left_out_.empty()) work_.reset();
  return left_out_ != before;
}

void RowChoice::find(const system::State& state) {
  left_out_.clear();
  factored_ = false;
  looked_at_ = state.q;
  system::State place = state;
  if (!consistent(place)) place = state;
  left_out_ = constraint_rank(system_, place).redundant;
  leave_out_without_direction(place);
  if (left_out_.empty()) return;
  if (!work_) work_ = std::make_unique<Workspace>(system_);
  work_->jacobian.take(place);
  complete();
  // Of several loops that are singular at once, one direction may leave one where it is. In the
  // first one all move alike.
  constexpr int directions = 4;
  for (int direction = 0; direction < directions && !left_out_.empty(); ++direction) {
    constexpr double independent = 1e-5;
    system::State aside = place;
    if (!step_aside(direction, aside)) continue;
    work_->jacobian.take(aside);
    exchange();
    return_independent(independent);
  }
  if (left_out_.empty()) return;
  work_->jacobian.take(state);
  exchange();
}

// Pivots do not show every dependence: a row with a small share in it has a large one. What is left
// of an arbitrary vector after some passes of e (S + e)^-1, S = G' G'^T, is a null vector of S, and
// its largest entry the row that is left out best.
void RowChoice::complete() {
  constexpr double shift = 1e-8;
  constexpr int passes = 6;
  constexpr double null = 1e-2;
  const int n = system_.sizes().v;
  const int rows = work_->jacobian.rows();
  for (int trial = 0; trial < rows; ++trial) {
    if (!factor_kept(shift)) return;
    auto vector = work_->right_side.tail(rows);
    for (int i = 0; i < rows; ++i) {
      vector[i] = work_->factor[i] > 0.0 ? std::sin(1.0 + 2.3 * i + 0.7 * trial) : 0.0;
    }
    for (int pass = 0; pass < passes; ++pass) {
      // [1 G'^T; G' -e] (x, y) = (0, -b):  (S + e) y = b.
      work_->right_side.head(n).setZero();
      vector *= -1.0;
      work_->refined(work_->solver, work_->matrix, work_->right_side, work_->solution);
      vector = shift * work_->solution.tail(rows);
    }
    Eigen::Index row = 0;
    const double most = vector.cwiseAbs().maxCoeff(&row);
    if (!(most > null)) return;
    // Velocity rows go first.
    const int nonholonomic = system_.sizes().nonholonomic;
    Eigen::Index among = 0;
    if (nonholonomic > 0 && vector.tail(nonholonomic).cwiseAbs().maxCoeff(&among) > 0.1 * most) {
      row = rows - nonholonomic + among;
    }
    left_out_.push_back(static_cast<int>(row));
  }
}

// Round-off may make rows of them that no pivot tells from others.
void RowChoice::leave_out_without_direction(const system::State& state) {
  ScaledJacobian jacobian(system_);
  jacobian.take(state);
  for (int row = 0; row < jacobian.rows(); ++row) {
    const bool known = std::find(left_out_.begin(), left_out_.end(), row) != left_out_.end();
    const bool open = jacobian.open()[static_cast<std::size_t>(row)];
    if (!known && !open && !jacobian.has_direction(row)) left_out_.push_back(row);
  }
}

// Onto the constraints, if that is needed.
bool RowChoice::consistent(system::State& state) {
  constexpr double small = 1e-10;
  Vector g;
  system_.position_constraint(state, g);
  if (largest(g) <= small) return true;
  return ConsistentStart(system_).positions(state, {}).converged;
}

// Moves a state along the constraints: with its velocity, and in an arbitrary direction that they
// allow.
bool RowChoice::step_aside(int direction, system::State& state) {
  constexpr double far_enough = 0.05;  // rad, or model sizes
  constexpr double longest = 1.0;      // s
  const system::Sizes sizes = system_.sizes();
  const Vector& scale = system_.displacement_scale();
  MassOrthogonalProjection projection(system_, std::make_unique<linear::BlockLdlt>());
  if (!projection.factor(state)) return false;
  system::State moving = state;
  Vector rows;
  Vector at_rest;
  Vector change;
  moving.v.setZero();
  system_.velocity_constraint(moving, at_rest);
  for (int i = 0; i < sizes.v; ++i) {
    moving.v[i] = scale[i] * std::sin(1.0 + 2.3 * direction * i);
  }
  system_.velocity_constraint(moving, rows);
  projection.solve(rows - at_rest, change);
  const Vector allowed = moving.v + change;
  const double size = largest(allowed.cwiseQuotient(scale));
  const double speed = largest(state.v.cwiseQuotient(scale));
  for (const double share : {1.0, 0.25}) {
    system::State trial = state;
    Vector x = Vector::Zero(sizes.v);
    constexpr double round_off = 1e-9;
    if (size > round_off) x += share * far_enough / size * allowed;
    if (speed > 0.0) {
      const double time = std::min(share * far_enough / speed, longest);
      x += time * state.v;
      trial.t += time;
    }
    system_.retract(state.q, x, trial.q);
    if (!ConsistentStart(system_).positions(trial, {}).converged) continue;
    state = trial;
    return true;
  }
  return false;
}

bool RowChoice::revise(const system::State& state) {
  constexpr double far_enough = 0.1;  // rad, or model sizes
  if (left_out_.empty()) return false;
  Vector& x = work_->x;
  system_.logarithm(looked_at_, state.q, x);
  const Vector& scale = system_.displacement_scale();
  if (x.cwiseQuotient(scale).lpNorm<Eigen::Infinity>() <= far_enough) return false;
  work_->jacobian.take(state);
  return look_again(state);
}

bool RowChoice::look_again(const system::State& state) {
  looked_at_ = state.q;
  const bool changed = exchange();
  return take_back(state) || changed;
}

bool RowChoice::factor_kept(double shift) {
  const ScaledJacobian& jacobian = work_->jacobian;
  for (int row = 0; row < jacobian.rows(); ++row) {
    work_->factor[row] = jacobian.has_direction(row) ? 1.0 / jacobian.size()[row] : 0.0;
  }
  for (const int row : left_out_) work_->factor[row] = 0.0;
  work_->jacobian.write(work_->factor, shift, work_->matrix);
  factored_ = work_->solver.factor(work_->matrix).ok;
  return factored_;
}

auto RowChoice::dependence() -> Dependence {
  constexpr double accurate = 1e-8;
  Dependence found;
  const int n = system_.sizes().v;
  const int holonomic = system_.sizes().holonomic;
  for (std::size_t i = 0; i < left_out_.size(); ++i) {
    const int row = left_out_[i];
    if (!work_->jacobian.has_direction(row)) continue;
    // (x, c) with x = G_d - C G_k: what the other rows leave of the row.
    work_->right_side.setZero();
    work_->jacobian.add_row(row, 1.0 / work_->jacobian.size()[row], work_->right_side);
    const double error =
        work_->refined(work_->solver, work_->matrix, work_->right_side, work_->solution);
    if (!(error < accurate)) {
      found.reliable = false;
      continue;
    }
    const double distance = work_->solution.head(n).norm();
    if (distance > found.distance) {
      found.distance = distance;
      found.independent = static_cast<int>(i);
    }
    // A position row does not give way to a velocity row.
    const int first = row < holonomic ? 0 : holonomic;
    Eigen::Index place = 0;
    const double coefficient =
        work_->solution.tail(work_->jacobian.rows() - first).cwiseAbs().maxCoeff(&place);
    if (coefficient > found.coefficient) {
      found.coefficient = coefficient;
      found.left_out = static_cast<int>(i);
      found.kept = static_cast<int>(place) + first;
    }
  }
  return found;
}

// Near a singular position the kept rows depend on each other whatever the choice: it stays.
bool RowChoice::exchange() {
  constexpr double strong = 2.0;
  bool changed = false;
  const std::size_t most = 4 * left_out_.size() + 8;
  for (std::size_t pass = 0; pass < most; ++pass) {
    if (!factor_kept()) break;
    const Dependence found = dependence();
    if (!found.reliable || found.coefficient <= strong) break;
    left_out_[static_cast<std::size_t>(found.left_out)] = found.kept;
    changed = true;
  }
  return changed;
}

// Beside the constraints rows come apart by the drift; what counts is how far they are on them.
bool RowChoice::take_back(const system::State& state) {
  constexpr double suspect = 1e-4;
  constexpr double independent = 1e-3;
  if (!factored_ || dependence().distance < suspect) return false;
  system::State place = state;
  if (!consistent(place)) return false;
  work_->jacobian.take(place);
  const bool changed = return_independent(independent);
  work_->jacobian.take(state);
  factor_kept();
  return changed;
}

// At the Jacobian last taken; of a place on the constraints.
bool RowChoice::return_independent(double least_distance) {
  bool changed = false;
  while (!left_out_.empty() && factor_kept()) {
    const Dependence found = dependence();
    if (found.distance < least_distance) break;
    left_out_.erase(left_out_.begin() + found.independent);
    changed = true;
  }
  return changed;
}

void RowChoice::leave_out(system::KktMatrix& matrix) const {
  for (const int row : left_out_) work_->jacobian.open_row(row, matrix);
}

void RowChoice::regroup(Vector& lambda) {
  if (left_out_.empty()) return;
  if (factored_) {
    // G_k^T y = G^T lambda.
    work_->right_side.setZero();
    for (const int row : left_out_) {
      work_->jacobian.add_row(row, lambda[row], work_->right_side);
    }
    work_->refined(work_->solver, work_->matrix, work_->right_side, work_->solution);
    const auto shares = work_->solution.tail(work_->jacobian.rows());
    lambda += work_->factor.cwiseProduct(shares);
  }
  for (const int row : left_out_) lambda[row] = 0.0;
}

std::size_t RowChoice::memory_bytes() const {
  if (!work_) return 0;
  const system::Sizes sizes = system_.sizes();
  const auto numbers = static_cast<std::size_t>(7 * sizes.v + 11 * sizes.multipliers());
  return (numbers + 3 * work_->matrix.values.capacity()) * sizeof(double) +
         work_->solver.memory_bytes();
}

}  // namespace trammel::constraint_handling
