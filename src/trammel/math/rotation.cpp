#include "trammel/math/rotation.h"

#include <cmath>

namespace trammel::math {
namespace {

// Below this angle the closed forms lose digits and their series, cut after the angle's fourth
// power, are exact to round-off: 0.02^6 / 5040 < 2e-14 of the leading term's variation.
constexpr double small_angle = 0.02;

}  // namespace

Eigen::Quaterniond exponential(const Eigen::Vector3d& x) {
  const double angle = x.norm();
  const double half = 0.5 * angle;
  const double h2 = half * half;
  // sin(half) / angle
  const double s = angle < small_angle
                       ? 0.5 * (1.0 - h2 / 6.0 * (1.0 - h2 / 20.0 * (1.0 - h2 / 42.0)))
                       : std::sin(half) / angle;
  return {std::cos(half), s * x.x(), s * x.y(), s * x.z()};
}

Eigen::Vector3d logarithm(const Eigen::Quaterniond& rotation) {
  // q and -q are the same rotation; the one with w >= 0 turns by at most pi.
  const double sign = rotation.w() < 0.0 ? -1.0 : 1.0;
  const Eigen::Vector3d n = sign * rotation.vec();
  const double s = n.norm();
  const double w = sign * rotation.w();
  if (s < 1e-8) return 2.0 * n / w;
  return 2.0 * std::atan2(s, w) / s * n;
}

Eigen::Quaterniond shortest_rotation(const Eigen::Vector3d& from, const Eigen::Vector3d& to) {
  return Eigen::Quaterniond::FromTwoVectors(from, to);
}

Eigen::Matrix3d tangent_operator(const Eigen::Vector3d& x) {
  const double f2 = x.squaredNorm();
  const double f = std::sqrt(f2);
  double a = 0.0;  // (1 - cos f) / f^2
  double b = 0.0;  // (f - sin f) / f^3
  if (f < small_angle) {
    a = 0.5 - f2 / 24.0 * (1.0 - f2 / 30.0 * (1.0 - f2 / 56.0));
    b = 1.0 / 6.0 - f2 / 120.0 * (1.0 - f2 / 42.0 * (1.0 - f2 / 72.0));
  } else {
    a = (1.0 - std::cos(f)) / f2;
    b = (f - std::sin(f)) / (f2 * f);
  }
  const Eigen::Matrix3d s = skew(x);
  return Eigen::Matrix3d::Identity() - a * s + b * s * s;
}

Eigen::Matrix3d inverse_tangent_operator(const Eigen::Vector3d& x) {
  const double f2 = x.squaredNorm();
  const double f = std::sqrt(f2);
  // (1 - (f/2) cot(f/2)) / f^2
  const double c = f < small_angle ? 1.0 / 12.0 * (1.0 + f2 / 60.0 * (1.0 + f2 / 42.0))
                                   : (1.0 - 0.5 * f / std::tan(0.5 * f)) / f2;
  const Eigen::Matrix3d s = skew(x);
  return Eigen::Matrix3d::Identity() + 0.5 * s + c * s * s;
}

}  // namespace trammel::math
