#include "trammel/model/connections/bounded_matrix.h"

#include <Eigen/Eigenvalues>
#include <Eigen/QR>

namespace trammel::model {
namespace {

using Factors = Eigen::ColPivHouseholderQR<BoundedMatrix>;

// The rows of the triangle that count, as columns: T^T of A P = Q_1 T.
BoundedMatrix transposed_triangle(const Factors& factors) {
  const Eigen::Index columns = factors.cols();
  BoundedMatrix T = BoundedMatrix::Zero(columns, factors.rank());
  for (Eigen::Index i = 0; i < T.cols(); ++i) {
    T.col(i).tail(columns - i) = factors.matrixQR().row(i).tail(columns - i).transpose();
  }
  return T;
}

}  // namespace

void set_pseudo_inverse(const BoundedMatrix& matrix, BoundedMatrix& inverse) {
  inverse.setZero(matrix.cols(), matrix.rows());
  if (matrix.size() == 0) return;
  // A P = Q_1 T with T of full row rank, T^T = Q_2 R: A^+ = P Q_2 R^-T Q_1^T.
  Factors first(matrix.rows(), matrix.cols());
  first.setThreshold(rank_tolerance);
  first.compute(matrix);
  const Eigen::Index rank = first.rank();
  if (rank == 0) return;
  BoundedMatrix T = transposed_triangle(first);
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

void set_smallest_solution(const BoundedMatrix& A, const BoundedVector& b, BoundedVector& x) {
  x.setZero(A.cols());
  if (A.size() == 0) return;
  Factors first(A.rows(), A.cols());
  first.setThreshold(rank_tolerance);
  first.compute(A);
  const Eigen::Index rank = first.rank();
  if (rank == 0) return;
  BoundedVector c = b;
  c.applyOnTheLeft(first.householderQ().adjoint());
  BoundedVector y = BoundedVector::Zero(A.cols());
  y.head(rank) = c.head(rank);
  if (rank == A.cols()) {
    first.matrixQR().topRows(rank).triangularView<Eigen::Upper>().solveInPlace(y);
  } else {
    const Eigen::HouseholderQR<BoundedMatrix> second(transposed_triangle(first));
    auto part = y.head(rank);
    second.matrixQR().topRows(rank).transpose().triangularView<Eigen::Lower>().solveInPlace(part);
    y.applyOnTheLeft(second.householderQ());
  }
  for (Eigen::Index i = 0; i < x.size(); ++i) x[first.colsPermutation().indices()[i]] = y[i];
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
