// A function's value with its first and second derivatives by N arguments, carried through
// arithmetic (forward differentiation): exact tangents of constraints that are written as formulas
// of a few coordinates.                                                    [Griewank2008, ch. 3,
// 10]
#pragma once

#include <array>
#include <cmath>

#include <Eigen/Core>

namespace trammel::model {

template <int N>
struct Jet {
  using Gradient = Eigen::Matrix<double, N, 1>;
  using Hessian = Eigen::Matrix<double, N, N>;

  double value = 0.0;
  Gradient gradient = Gradient::Zero();
  Hessian hessian = Hessian::Zero();

  Jet() = default;
  Jet(double constant) : value(constant) {}  // NOLINT(google-explicit-constructor)

  /// Argument number i.
  static Jet argument(double value, int i) {
    Jet x(value);
    x.gradient[i] = 1.0;
    return x;
  }
};

/// The arguments of a function of N variables.
template <int N>
using Jets = std::array<Jet<N>, static_cast<std::size_t>(N)>;

/// f(x) from f and its derivatives at x.value.
template <int N>
Jet<N> chain(const Jet<N>& x, double f, double first, double second) {
  Jet<N> y(f);
  y.gradient = first * x.gradient;
  y.hessian = first * x.hessian + second * x.gradient * x.gradient.transpose();
  return y;
}

template <int N>
Jet<N> operator+(const Jet<N>& a, const Jet<N>& b) {
  Jet<N> y(a.value + b.value);
  y.gradient = a.gradient + b.gradient;
  y.hessian = a.hessian + b.hessian;
  return y;
}

template <int N>
Jet<N> operator*(double factor, const Jet<N>& a) {
  return chain(a, factor * a.value, factor, 0.0);
}

template <int N>
Jet<N> operator-(const Jet<N>& a, const Jet<N>& b) {
  return a + (-1.0) * b;
}

template <int N>
Jet<N> operator*(const Jet<N>& a, const Jet<N>& b) {
  Jet<N> y(a.value * b.value);
  y.gradient = a.value * b.gradient + b.value * a.gradient;
  y.hessian = a.value * b.hessian + b.value * a.hessian + a.gradient * b.gradient.transpose() +
              b.gradient * a.gradient.transpose();
  return y;
}

template <int N>
Jet<N> reciprocal(const Jet<N>& a) {
  const double r = 1.0 / a.value;
  return chain(a, r, -r * r, 2.0 * r * r * r);
}

template <int N>
Jet<N> operator/(const Jet<N>& a, const Jet<N>& b) {
  return a * reciprocal(b);
}

template <int N>
Jet<N> sqrt(const Jet<N>& a) {
  const double root = std::sqrt(a.value);
  return chain(a, root, 0.5 / root, -0.25 / (root * a.value));
}

template <int N>
Jet<N> sin(const Jet<N>& a) {
  return chain(a, std::sin(a.value), std::cos(a.value), -std::sin(a.value));
}

template <int N>
Jet<N> cos(const Jet<N>& a) {
  return chain(a, std::cos(a.value), -std::sin(a.value), -std::cos(a.value));
}

template <int N>
Jet<N> atan2(const Jet<N>& y, const Jet<N>& x) {
  const double r2 = x.value * x.value + y.value * y.value;
  Jet<N> angle(std::atan2(y.value, x.value));
  angle.gradient = (x.value * y.gradient - y.value * x.gradient) / r2;
  const typename Jet<N>::Gradient half = (x.value * x.gradient + y.value * y.gradient) / r2;
  angle.hessian = (x.value * y.hessian - y.value * x.hessian) / r2;
  // The rest of the derivative of the gradient; it is symmetric as a whole.
  angle.hessian += (y.gradient * x.gradient.transpose() - x.gradient * y.gradient.transpose()) / r2;
  angle.hessian -= 2.0 * angle.gradient * half.transpose();
  return angle;
}

}  // namespace trammel::model
