// How rotation matrices change when their rotation vector theta does: matrices
// 1 + a(z) skew(theta) + b(z) skew(theta)^2 with z = theta . theta, and their derivatives by two
// numbers s and t on which theta depends. What carried frames answer about their maps is made of
// these (frames/carried_frame.h).
#pragma once

#include <array>

#include "trammel/math/rotation.h"
#include "trammel/math/stumpff.h"

namespace trammel::model::turning_changes {

using Eigen::Matrix3d;
using Eigen::Vector3d;

/// A value with its derivatives by s, by t and by both.
template <class Value>
struct TwoWays {
  Value value;
  Value s;
  Value t;
  Value st;
};

/// A function of z = theta . theta with its derivatives.
struct OfSquare {
  double value = 0.0;
  double slope = 0.0;
  double curvature = 0.0;
};

/// c_k(xi^2 z) by z.
inline OfSquare stumpff_of_share(const std::array<double, 8>& c, std::size_t k, double xi) {
  const double square = xi * xi;
  return {c[k], square * math::stumpff_slope(c, k),
          square * square * math::stumpff_curvature(c, k)};
}

/// Of S = 1 + skew/2 + c skew^2: c = (c_2 - c_3)/(4 c_1) at z/4.
inline OfSquare inverse_coefficient(double z) {
  const auto c = math::stumpff(0.25 * z);
  const double n = c[2] - c[3];
  const double n1 = math::stumpff_slope(c, 2) - math::stumpff_slope(c, 3);
  const double n2 = math::stumpff_curvature(c, 2) - math::stumpff_curvature(c, 3);
  const double d = c[1];
  const double d1 = math::stumpff_slope(c, 1);
  const double d2 = math::stumpff_curvature(c, 1);
  const double q = n / d;
  const double q1 = (n1 - q * d1) / d;
  const double q2 = (n2 - 2.0 * q1 * d1 - q * d2) / d;
  return {0.25 * q, q1 / 16.0, q2 / 64.0};
}

using TurnVector = TwoWays<Vector3d>;
using Operator = TwoWays<Matrix3d>;

/// f(z) with z = theta . theta.
inline TwoWays<double> composed(const OfSquare& f, const TurnVector& theta) {
  const double z_s = 2.0 * theta.value.dot(theta.s);
  const double z_t = 2.0 * theta.value.dot(theta.t);
  const double z_st = 2.0 * (theta.s.dot(theta.t) + theta.value.dot(theta.st));
  return {f.value, f.slope * z_s, f.slope * z_t, f.slope * z_st + f.curvature * z_s * z_t};
}

inline Operator operator*(const Operator& a, const Operator& b) {
  return {a.value * b.value, a.s * b.value + a.value * b.s, a.t * b.value + a.value * b.t,
          a.st * b.value + a.s * b.t + a.t * b.s + a.value * b.st};
}

inline Operator scaled(const TwoWays<double>& f, const Operator& A) {
  return {f.value * A.value, f.s * A.value + f.value * A.s, f.t * A.value + f.value * A.t,
          f.st * A.value + f.s * A.t + f.t * A.s + f.value * A.st};
}

/// 1 + a skew(theta) + b skew(theta)^2.
inline Operator form(const TwoWays<double>& a, const TwoWays<double>& b, const TurnVector& theta) {
  const Operator skew{math::skew(theta.value), math::skew(theta.s), math::skew(theta.t),
                      math::skew(theta.st)};
  const Operator first = scaled(a, skew);
  const Operator second = scaled(b, skew * skew);
  return {Matrix3d::Identity() + first.value + second.value, first.s + second.s, first.t + second.t,
          first.st + second.st};
}

inline OfSquare times(double factor, const OfSquare& f) {
  return {factor * f.value, factor * f.slope, factor * f.curvature};
}

/// exp(-xi skew(theta)).
inline Operator turned_back(const TurnVector& theta, double xi) {
  const auto c = math::stumpff(xi * xi * theta.value.squaredNorm());
  return form(composed(times(-xi, stumpff_of_share(c, 1, xi)), theta),
              composed(times(xi * xi, stumpff_of_share(c, 2, xi)), theta), theta);
}

/// The tangent operator T(xi theta) of math/rotation.h.
inline Operator tangent_of_share(const TurnVector& theta, double xi) {
  const auto c = math::stumpff(xi * xi * theta.value.squaredNorm());
  return form(composed(times(-xi, stumpff_of_share(c, 2, xi)), theta),
              composed(times(xi * xi, stumpff_of_share(c, 3, xi)), theta), theta);
}

}  // namespace trammel::model::turning_changes
