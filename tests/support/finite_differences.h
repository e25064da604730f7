// Derivatives of functions of a vector by central differences of fourth order:
//
//     f'  = (f(-2h) - 8 f(-h) + 8 f(h) - f(2h)) / (12 h)                     error h^4/30 f^(5)
//     f'' = (-f(-2h) + 16 f(-h) - 30 f(0) + 16 f(h) - f(2h)) / (12 h^2)      error h^4/90 f^(6)
//
// For smooth functions of size one, h = 3e-4 leaves about 1e-12 of the first derivative (round-off;
// truncation where the fifth derivative is above 1e3) and h = 5e-3 about 1e-10 of the second.
#pragma once

#include <utility>

#include <Eigen/Core>

namespace trammel::support {

/// d f / d s at s = 0.
template <class F>
Eigen::VectorXd first_derivative(F f, double h = 3e-4) {
  const Eigen::VectorXd near = f(h) - f(-h);
  const Eigen::VectorXd far = f(2.0 * h) - f(-2.0 * h);
  return (8.0 * near - far) / (12.0 * h);
}

/// d^2 f / d s^2 at s = 0.
template <class F>
Eigen::VectorXd second_derivative(F f, double h = 5e-3) {
  const Eigen::VectorXd near = f(h) + f(-h);
  const Eigen::VectorXd far = f(2.0 * h) + f(-2.0 * h);
  return (16.0 * near - far - 30.0 * f(0.0)) / (12.0 * h * h);
}

/// Column i: the derivative of f along component i of its argument, at zero.
template <class F>
Eigen::MatrixXd derivative_matrix(Eigen::Index arguments, F f, double h = 3e-4) {
  Eigen::MatrixXd result;
  for (Eigen::Index i = 0; i < arguments; ++i) {
    const Eigen::VectorXd column = first_derivative(
        [&](double s) -> Eigen::VectorXd {
          return f(Eigen::VectorXd(s * Eigen::VectorXd::Unit(arguments, i)));
        },
        h);
    if (i == 0) result.resize(column.size(), arguments);
    result.col(i) = column;
  }
  return result;
}

}  // namespace trammel::support
