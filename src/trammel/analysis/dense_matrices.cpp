#include "trammel/analysis/dense_matrices.h"

#include <Eigen/SVD>
#include <fmt/format.h>

#include "trammel/core/diagnostic.h"

namespace trammel::analysis {

system::Motion motion_of(const system::MechanicalSystem& system, const system::State& state) {
  system::Motion motion;
  motion.state = state;
  motion.a.setZero(system.sizes().v);
  motion.lambda.setZero(system.sizes().multipliers());
  return motion;
}

DenseTangent dense_tangent(system::MechanicalSystem& system,
                           const system::Motion& motion,
                           const system::Weights& weights) {
  if (system.sizes().v > largest_size) {
    throw core::InputError(
        fmt::format("the model is too large for this analysis: {} velocities, and at most {} with "
                    "dense matrices",
                    system.sizes().v, largest_size),
        "take a smaller model of the same kind, e.g. with fewer repeated parts");
  }
  system::KktMatrix matrix(system.pattern());
  system.tangent(motion, weights, nullptr, matrix);
  const system::KktPattern& pattern = *matrix.pattern;
  DenseTangent dense;
  dense.K.setZero(pattern.velocities, pattern.velocities);
  dense.G.setZero(pattern.multipliers, pattern.velocities);
  for (int column = 0; column < pattern.velocities; ++column) {
    const auto c = static_cast<std::size_t>(column);
    for (int k = pattern.column_start[c]; k < pattern.column_start[c + 1]; ++k) {
      const auto entry = static_cast<std::size_t>(k);
      const int row = pattern.row[entry];
      if (row < pattern.velocities) {
        dense.K(row, column) = matrix.values[entry];
      } else {
        dense.G(row - pattern.velocities, column) = matrix.values[entry];
      }
    }
  }
  return dense;
}

Matrix constraint_jacobian(system::MechanicalSystem& system, const system::State& state) {
  return dense_tangent(system, motion_of(system, state), {.acceleration = 1.0}).G;
}

Subspaces subspaces(const Matrix& G, const Vector& scale, double tolerance) {
  Subspaces result;
  const Eigen::Index n = scale.size();
  if (G.rows() == 0 || n == 0) {
    result.allowed = scale.asDiagonal();
    return result;
  }
  Matrix scaled = G * scale.asDiagonal();
  for (Eigen::Index i = 0; i < scaled.rows(); ++i) {
    const double length = scaled.row(i).norm();
    if (length > 0.0) scaled.row(i) /= length;
  }
  const Eigen::BDCSVD<Matrix> svd(scaled, Eigen::ComputeFullV);
  result.singular_values = svd.singularValues();
  result.rank = static_cast<int>((result.singular_values.array() > tolerance).count());
  result.allowed = scale.asDiagonal() * svd.matrixV().rightCols(n - result.rank);
  return result;
}

double scaled_size(const Vector& x, const Vector& scale) {
  return x.size() == 0 ? 0.0 : x.cwiseQuotient(scale).lpNorm<Eigen::Infinity>();
}

}  // namespace trammel::analysis
