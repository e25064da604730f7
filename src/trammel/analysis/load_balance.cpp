#include "trammel/analysis/load_balance.h"

#include <algorithm>
#include <cmath>

#include "trammel/core/dense_factors.h"
#include "trammel/system/reaction_iteration.h"
#include "trammel/system/reaction_weights.h"

namespace trammel::analysis {

LoadBalance::LoadBalance(model::ModelSystem& system, const std::vector<std::string>& actuators)
    : system_(system), observer_(system) {
  for (const std::string& name : actuators) actuators_.push_back(observer_.find(name));
}

Matrix LoadBalance::all_rows(const system::State& state) {
  const Matrix G = constraint_jacobian(system_, state);
  const Matrix C = observer_.gradients(actuators_, state);
  Matrix rows(G.rows() + C.rows(), G.cols());
  rows << G, C;
  return rows;
}

// The square roots of the weights by which reactions and loads are compared where they are not
// unique (system/reaction_weights.h).
Vector LoadBalance::sizes_of(const Matrix& rows, const system::State& state) {
  Vector size = (rows * system_.displacement_scale().asDiagonal()).rowwise().norm();
  Vector weights;
  if (system::ReactionWeights* own = system::reaction_weights(system_)) {
    own->reaction_weights(state, weights);
  }
  for (Eigen::Index i = 0; i < weights.size(); ++i) {
    if (weights[i] > 0.0) size[i] = std::sqrt(weights[i]);
  }
  for (double& each : size) {
    if (!(each > 0.0)) each = 1.0;
  }
  return size;
}

void LoadBalance::solve(system::Motion& motion) {
  const Vector& scale = system_.displacement_scale();
  const int multipliers = system_.sizes().multipliers();
  const Matrix rows = all_rows(motion.state);
  const Vector size = sizes_of(rows, motion.state);
  Eigen::CompleteOrthogonalDecomposition<Matrix> balance;
  balance.setThreshold(1e-9);
  balance.compute((size.cwiseInverse().asDiagonal() * rows * scale.asDiagonal()).transpose());
  Vector solution = Vector::Zero(rows.rows());
  Vector r;
  Vector constraint;
  Vector h;
  double whole = 0.0;
  system::ConstraintDependentForces* loads = system_.constraint_dependent_forces();
  const auto corrected = [&](const Vector& from, double share, Vector& image) {
    motion.lambda = from.head(multipliers);
    system_.residual(motion, r, constraint);
    // r = M a + G^T lambda - f; the loads tau act like multipliers of opposite sign.
    r += rows.bottomRows(rows.rows() - multipliers).transpose() *
         from.tail(rows.rows() - multipliers);
    if (share < 1.0 && loads != nullptr) {
      loads->constraint_dependent_forces(motion, h);
      r += (1.0 - share) * h;
    }
    if (whole == 0.0) whole = r.cwiseProduct(scale).norm();
    image = from + balance.solve(-r.cwiseProduct(scale)).cwiseQuotient(size);
  };
  // Loads of friction depend on lambda: corrections until they stay.
  if (loads == nullptr) {
    corrected(Vector(solution), 1.0, solution);
  } else {
    system::ReactionIteration().solve(corrected, solution);
  }
  motion.lambda = solution.head(multipliers);
  loads_ = -solution.tail(rows.rows() - multipliers);
  system_.residual(motion, r, constraint);
  r -= rows.bottomRows(loads_.size()).transpose() * loads_;
  Vector f;
  system_.forces(motion.state, f);
  whole = std::max(whole, f.cwiseProduct(scale).norm());
  missing_ = whole > 0.0 ? r.cwiseProduct(scale).norm() / whole : 0.0;
  if (missing_coordinates_.empty()) return;
  const Matrix N = subspaces(rows, scale).allowed;
  const Matrix C = observer_.gradients(missing_coordinates_, motion.state) * N;
  missing_loads_ = C.transpose().completeOrthogonalDecomposition().solve(N.transpose() * r);
}

void LoadBalance::choose_missing(const system::State& state) {
  const Matrix N = subspaces(all_rows(state), system_.displacement_scale()).allowed;
  missing_coordinates_.clear();
  for (const std::string& name : suitable_inputs(observer_, state, N)) {
    missing_coordinates_.push_back(observer_.find(name));
  }
}

std::vector<std::string> LoadBalance::not_unique(const system::State& state) {
  Matrix rows = all_rows(state) * system_.displacement_scale().asDiagonal();
  for (Eigen::Index i = 0; i < rows.rows(); ++i) {
    const double length = rows.row(i).norm();
    if (length > 0.0) rows.row(i) /= length;
  }
  std::vector<std::string> names;
  if (rows.rows() == 0) return names;
  const Eigen::JacobiSVD<Matrix> svd(rows, Eigen::ComputeFullU);
  const auto rank = (svd.singularValues().array() > subspace_tolerance).count();
  const Matrix dependent = svd.matrixU().rightCols(rows.rows() - rank);
  const std::vector<model::RowName> row_names = system_.row_names();
  for (Eigen::Index i = 0; i < rows.rows(); ++i) {
    constexpr double least_share = 1e-6;
    // Rows of zeros are open: they carry nothing.
    if (dependent.cols() == 0 || dependent.row(i).norm() < least_share) continue;
    if (rows.row(i).isZero(0.0)) continue;
    const auto index = static_cast<std::size_t>(i);
    const std::string& name = index < row_names.size() ? row_names[index].joint
                                                       : actuators_[index - row_names.size()].name;
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  }
  return names;
}

}  // namespace trammel::analysis
