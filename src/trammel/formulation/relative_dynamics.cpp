// Accelerations of a relative system by recursion, with loops.
//
//     a_0 = M^-1 f                          one recursion
//     (G M^-1 G^T) lambda = G a_0 + gamma   one recursion for each row
//     a = a_0 - M^-1 G^T lambda             [Sol1983, 6.3.6; there with lambda of the other sign]
#include <functional>

#include "trammel/formulation/relative_system.h"

namespace trammel::formulation {

using system::Vector;

template <class S>
void RelativeSystem<S>::set_row_responses() {
  const int rows = constant_->sizes.multipliers();
  row_loads_.resize(constant_->sizes.v, rows);
  row_responses_.resize(constant_->sizes.v, rows);
  const Vector& scale = displacement_scale();
  const std::shared_ptr<const RelativePattern> pattern = relative_pattern();
  const auto& parts = pattern->rows;  // sorted by rows
  std::size_t next = 0;
  for (int row = 0; row < rows; ++row) {
    r_.setZero();
    for (; next < parts.size() && parts[next].row == row; ++next) {
      const RowPart& part = parts[next];
      const int first = constant_->mechanism->nodes[static_cast<std::size_t>(part.node)].v;
      for (int k = part.first; k < part.first + part.count; ++k) {
        const BlockEntry& entry = pattern->row_entries[static_cast<std::size_t>(k)];
        r_[first + entry.column] = K_q_.values[static_cast<std::size_t>(entry.position)];
      }
    }
    motion_.pull_back(r_, tau_);
    const double terms = r_.cwiseAbs().dot(absolute_.displacement_scale());
    for (Eigen::Index m = 0; m < tau_.size(); ++m) {
      if (std::abs(tau_[m]) * scale[m] <= cancelled_share * terms) tau_[m] = 0.0;
    }
    recursion_.solve(tau_, response_);
    row_loads_.col(row) = tau_;
    row_responses_.col(row) = response_;
  }
  for (const int row : left_out_) {
    row_loads_.col(row).setZero();
    row_responses_.col(row).setZero();
  }
  factor_schur();
}

// Cholesky's factors, as long as no row nearly follows from those before it: its pivot over the
// diagonal is the share of the row that is its own.
template <class S>
void RelativeSystem<S>::factor_schur() {
  constexpr double own_share = 1e-7;
  constexpr double rank_tolerance = 1e-11;  // of the largest pivot: rows enter squared
  schur_.noalias() = row_loads_.transpose() * row_responses_;
  definite_factors_.compute(schur_);
  definite_ = definite_factors_.info() == Eigen::Success;
  for (Eigen::Index i = 0; definite_ && i < schur_.rows(); ++i) {
    const double pivot = definite_factors_.matrixLLT()(i, i);
    definite_ = pivot * pivot > own_share * schur_(i, i);
  }
  if (definite_) return;
  factors_.setThreshold(rank_tolerance);
  factors_.compute(schur_);
}

template <class S>
template <class Right>
void RelativeSystem<S>::solve_schur(const Right& right, Vector& lambda) const {
  if (definite_) {
    lambda = right;
    definite_factors_.solveInPlace(lambda);
  } else {
    lambda = factors_.solve(right);
  }
}

template <class S>
bool RelativeSystem<S>::accelerations(const system::State& state, Vector& a, Vector& lambda) {
  lambda.resize(constant_->sizes.multipliers());
  const model::Mechanism<S>& m = *constant_->mechanism;
  const bool only_gravity = m.forces.empty() && m.laws.empty() && m.connections.empty();
  const bool prescribed = !constant_->tree->prescribed.empty();
  if (only_gravity && !prescribed && lambda.size() == 0) {
    recursion_.accelerations(state.q, state.v, a);
    return true;
  }
  set_state(state);
  absolute_.forces(absolute_motion_.state, r_);
  recursion_.set_prescribed(motion_.prescribed());
  recursion_.accelerations(state.q, state.v, r_, a);
  if (lambda.size() == 0) return true;

  absolute_.acceleration_bias(absolute_motion_.state, rows_);
  Vector& right = bias_;
  pick_rows(rows_, right);
  set_jacobian();
  motion_.set_accelerations(state.v, a);
  motion_.write_accelerations(absolute_motion_.a);
  add_row_accelerations(right);
  set_row_responses();
  for (const int row : left_out_) right[row] = 0.0;
  solve_schur(right, lambda);
  if (absolute_.constraint_dependent_forces() == nullptr) {
    a.noalias() -= row_responses_ * lambda;
    return true;
  }
  // Loads that depend on lambda: they add G M^-1 h(lambda) to the right side.
  loaded_motion_.state = state;
  loaded_motion_.a = zero_;
  const auto map = [&](const Vector& at, double share, Vector& image) {
    loaded_motion_.lambda = at;
    constraint_dependent_forces(loaded_motion_, h_);
    h_ *= share;
    recursion_.solve(h_, response_);
    solve_schur(right + row_loads_.transpose() * response_, image);
  };
  const system::ReactionIteration::Report found = iteration_.solve(std::ref(map), lambda);
  map(lambda, found.share, lambda);
  a += response_;
  a.noalias() -= row_responses_ * lambda;
  return found.converged;
}

template <class S>
void RelativeSystem<S>::constrain(const Vector& residual, Vector& x) {
  solve_schur(-residual, reaction_);
  x.noalias() = row_responses_ * reaction_;
}

template <class S>
void RelativeSystem<S>::constraint_dependent_forces(const system::Motion& motion, Vector& h) {
  set_motion(motion);
  absolute_.constraint_dependent_forces()->constraint_dependent_forces(absolute_motion_, r_);
  motion_.pull_back(r_, h);
}

template <class S>
void RelativeSystem<S>::reaction_weights(const system::State& state, Vector& weights) {
  set_state(state);
  system::reaction_weights(absolute_)->reaction_weights(absolute_motion_.state, rows_);
  pick_rows(rows_, weights);
}

template void RelativeSystem<Planar>::set_row_responses();
template void RelativeSystem<Spatial>::set_row_responses();
template bool RelativeSystem<Planar>::accelerations(const system::State&, Vector&, Vector&);
template bool RelativeSystem<Spatial>::accelerations(const system::State&, Vector&, Vector&);
template void RelativeSystem<Planar>::constrain(const Vector&, Vector&);
template void RelativeSystem<Spatial>::constrain(const Vector&, Vector&);
template void RelativeSystem<Planar>::constraint_dependent_forces(const system::Motion&, Vector&);
template void RelativeSystem<Spatial>::constraint_dependent_forces(const system::Motion&, Vector&);
template void RelativeSystem<Planar>::reaction_weights(const system::State&, Vector&);
template void RelativeSystem<Spatial>::reaction_weights(const system::State&, Vector&);

}  // namespace trammel::formulation
