// Coefficients of Radau IIA of order 5 [Hairer & Wanner 1996, sec. IV.8].
#pragma once

#include <complex>

#include <Eigen/LU>

namespace trammel::integrators {

struct RadauTable {
  Eigen::Vector3d c;        ///< nodes
  Eigen::Matrix3d a;        ///< A
  Eigen::Matrix3d inverse;  ///< A^-1
  Eigen::Vector3d error;    ///< d of the embedded formula
  double real = 0.0;        ///< eigenvalues of A
  std::complex<double> pair;
  Eigen::Vector3d real_vector;  ///< A = P diag P^-1: columns of P,
  Eigen::Vector3cd pair_vector;
  Eigen::Vector3d real_row;  ///< and rows of P^-1
  Eigen::Vector3cd pair_row;

  RadauTable();
};

const RadauTable& radau_table();

/// Value and derivative at s of the polynomial of degree 3 that is 0 at s = 0 and has given values
/// at the nodes: their weights. Likewise the value of that of degree 2 through the nodes alone.
struct RadauWeights {
  Eigen::Vector3d value;
  Eigen::Vector3d slope;
  Eigen::Vector3d multiplier;

  explicit RadauWeights(double s);
};

}  // namespace trammel::integrators
