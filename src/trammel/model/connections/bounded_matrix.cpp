#include "trammel/model/connections/bounded_matrix.h"

#include <Eigen/Eigenvalues>
#include <Eigen/QR>

namespace trammel::model {

void set_pseudo_inverse(const BoundedMatrix& matrix, BoundedMatrix& inverse) {
  constexpr double rank_tolerance = 1e-8;
  inverse.setZero(matrix.cols(), matrix.rows());
  if (matrix.size() == 0) return;
  // A P = Q_1 T with T of full row rank, T^T = Q_2 R: A^+ = P Q_2 R^-T Q_1^T.
  Eigen::ColPivHouseholderQR<BoundedMatrix> first(matrix.rows(), matrix.cols());
  first.setThreshold(rank_tolerance);
  first.compute(matrix);
  const Eigen::Index rank = first.rank();
  if (rank == 0) return;
  BoundedMatrix T(matrix.cols(), rank);  // transposed
  T.setZero();
  for (Eigen::Index i = 0; i < rank; ++i) {
    T.col(i).tail(matrix.cols() - i) = first.matrixQR().row(i).tail(matrix.cols() - i).transpose();
  }
  BoundedMatrix Q = BoundedMatrix::Identity(matrix.rows(), rank);
  Q.applyOnTheLeft(first.householderQ());
  BoundedMatrix X = Q.transpose();
  const Eigen::HouseholderQR<BoundedMatrix> second(T);
  second.matrixQR().topRows(rank).transpose().triangularView<Eigen::Lower>().solveInPlace(X);
  Q.setIdentity(matrix.cols(), rank);
  Q.applyOnTheLeft(second.householderQ());
  T.noalias() = Q * X;
  for (Eigen::Index i = 0; i < matrix.cols(); ++i) {
    inverse.row(first.colsPermutation().indices()[i]) = T.row(i);
  }
}

void set_polar_factors(const BoundedMatrix& A, PolarFactors& factors) {
  factors.N = A;
  factors.V.setIdentity(A.cols(), A.cols());
  factors.m.setOnes(A.cols());
  if (A.cols() == 0) return;
  const BoundedMatrix square = A.transpose() * A;
  const Eigen::SelfAdjointEigenSolver<BoundedMatrix> eigen(square);
  constexpr double tiny = 1e-300;
  factors.V = eigen.eigenvectors();
  factors.m = eigen.eigenvalues().cwiseMax(tiny).cwiseSqrt();
  BoundedMatrix scaled = A * factors.V;
  for (Eigen::Index i = 0; i < factors.m.size(); ++i) scaled.col(i) /= factors.m[i];
  factors.N = scaled * factors.V.transpose();
}

}  // namespace trammel::model
