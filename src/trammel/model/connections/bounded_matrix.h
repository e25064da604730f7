// Matrices whose sizes are known up to a limit: they live on the stack and allocate nothing.
#pragma once

#include <Eigen/Core>

namespace trammel::model {

constexpr int bounded_size = 54;
using BoundedMatrix =
    Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, bounded_size, bounded_size>;
using BoundedVector = Eigen::Matrix<double, Eigen::Dynamic, 1, 0, bounded_size, 1>;

/// Singular values below this part of the largest count as zero.
constexpr double rank_tolerance = 1e-8;

/// By a rank-revealing factorisation.
void set_pseudo_inverse(const BoundedMatrix& matrix, BoundedMatrix& inverse);
/// x = A^+ b, without A^+ itself.
void set_smallest_solution(const BoundedMatrix& A, const BoundedVector& b, BoundedVector& x);

/// M = (A^T A)^1/2 = V diag(m) V^T, and N = A M^-1: the orthonormal basis nearest to A.
struct PolarFactors {
  BoundedMatrix N;
  BoundedMatrix V;
  BoundedVector m;
};
void set_polar_factors(const BoundedMatrix& A, PolarFactors& factors);

}  // namespace trammel::model
