// Rotations as a Lie group: exponential, logarithm and their differentials.
//
// R_WB maps body to world components. A rotation is moved by a rotation vector x given in the
// body's own axes: R <- R exp(skew(x)). Then
//     d exp(skew(x)) = exp(skew(x)) skew(T(x) dx),
//     T(x) = I - (1 - cos f)/f^2 skew(x) + (f - sin f)/f^3 skew(x)^2,   f = |x|.
#pragma once

#include <numbers>

#include <Eigen/Core>
#include <Eigen/Geometry>

namespace trammel::math {

inline constexpr double full_turn = 2.0 * std::numbers::pi;  ///< rad

/// skew(a) b = a x b.
inline Eigen::Matrix3d skew(const Eigen::Vector3d& a) {
  Eigen::Matrix3d m;
  m << 0.0, -a.z(), a.y(), a.z(), 0.0, -a.x(), -a.y(), a.x(), 0.0;
  return m;
}

/// The unit quaternion of the rotation vector x.
Eigen::Quaterniond exponential(const Eigen::Vector3d& x);

/// The rotation vector of shortest length, |x| <= pi. Accepts either sign of the quaternion.
Eigen::Vector3d logarithm(const Eigen::Quaterniond& rotation);

/// The least rotation that turns one direction into another; about any axis across them where they
/// are opposite. Neither need be of unit length.
Eigen::Quaterniond shortest_rotation(const Eigen::Vector3d& from, const Eigen::Vector3d& to);

/// The tangent operator T(x) above.
Eigen::Matrix3d tangent_operator(const Eigen::Vector3d& x);

/// The inverse tangent operator T(x)^-1, for |x| < 2 pi.
Eigen::Matrix3d inverse_tangent_operator(const Eigen::Vector3d& x);

}  // namespace trammel::math
