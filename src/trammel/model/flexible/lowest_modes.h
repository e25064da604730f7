// The lowest modes of K x = omega^2 M x, K and M symmetric and sparse, by iteration in a subspace
// [Bathe1996, section 11.6]: x <- (K + s M)^-1 M x, with the modes of the problem in the subspace
// after each step. K + s M is positive definite; M may be zero in places.
#pragma once

#include <optional>

#include <Eigen/Core>
#include <Eigen/SparseCore>

namespace trammel::model {

struct LowestModes {
  Eigen::VectorXd omega_squared;  ///< ascending
  Eigen::MatrixXd shapes;         ///< a column each, x^T M x = 1
};

struct LowestModesProblem {
  const Eigen::SparseMatrix<double>& K;
  const Eigen::SparseMatrix<double>& M;
  double shift = 0.0;     ///< s
  Eigen::MatrixXd known;  ///< modes that are left out; may have no columns
};

/// `count` is at most the number of freedoms with mass less the known modes. Empty when K + s M is
/// not positive definite, or the iteration does not converge.
std::optional<LowestModes> lowest_modes(const LowestModesProblem& problem, Eigen::Index count);

}  // namespace trammel::model
