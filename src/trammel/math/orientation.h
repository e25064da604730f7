// Ways to write an orientation, and the conversions between them.
//
// R_WB (3x3, a rotation matrix) maps body components to world components, x_W = R_WB x_B; its
// columns are the body axes seen from the world [Sol1983, sec. 2.2; the transpose of R in
// Chiou1990]. With the unit axis n and the angle phi (rad) of the one turn that leads from W to B:
//
//   axis and angle        n, phi:  R_WB = n n^T + cos(phi) (I - n n^T) + sin(phi) skew(n)
//                         [Chiou1990, eq. 2.3.1]
//   rotation vector       theta = phi n
//   Rodrigues parameters  gamma = n tan(phi/2), infinite at phi = pi  [Chiou1990, eq. 2.5.7]
//   Euler parameters      e0 = cos(phi/2), (e1, e2, e3) = n sin(phi/2)  [Chiou1990, eq. 2.6.6]
//   Euler, Bryant angles  three turns about axes, see euler_angles.h
//
// Euler parameters are held as Eigen::Quaterniond (w = e0) and are the hub: everything converts
// from and to them, without singularity. q and -q are the same orientation; functions that make a
// quaternion from a matrix return e0 >= 0. A quaternion given to these functions need not be
// exactly normalised.
//
// What a person typed (a matrix, a direction) is checked here; a useless value throws
// core::InputError.
#pragma once

#include <optional>

#include <Eigen/Geometry>

#include "trammel/math/euler_angles.h"

namespace trammel::math {

// Euler parameters and matrix.

/// (e0, e1, e2, e3), normalised.
Eigen::Vector4d euler_parameters_from_quaternion(const Eigen::Quaterniond& q_WB);
/// Normalises; throws core::InputError when the four numbers are all zero or not finite.
Eigen::Quaterniond quaternion_from_euler_parameters(const Eigen::Vector4d& euler_parameters);

Eigen::Matrix3d matrix_from_quaternion(const Eigen::Quaterniond& q_WB);
/// By Spurrier's method (the largest of trace and diagonal leads), accurate for every rotation. A
/// matrix of few digits is first brought to the nearest rotation; throws core::InputError when
/// nearest_rotation finds none.
Eigen::Quaterniond quaternion_from_matrix(const Eigen::Matrix3d& R_WB);

/// The rotation nearest to A in the Frobenius norm (the orthogonal polar factor), or nothing if A
/// is not finite, is a reflection, or some element of A^T A - I exceeds `tolerance`. The default
/// accepts matrices typed with three digits.
std::optional<Eigen::Matrix3d> nearest_rotation(const Eigen::Matrix3d& A, double tolerance = 0.01);

// Axis and angle.

struct AxisAngle {
  /// Any length but zero on input, 1 on output.
  Eigen::Vector3d axis = Eigen::Vector3d::UnitZ();
  double angle = 0.0;  ///< rad
};

/// Throws core::InputError when the axis has no direction.
Eigen::Quaterniond quaternion_from_axis_angle(const AxisAngle& turn);
/// Angle in [0, pi]. No turn: the axis is z. Half turn: both axes are right, and the one whose
/// first non-zero component is positive is given.
AxisAngle axis_angle_from_quaternion(const Eigen::Quaterniond& q_WB);

Eigen::Quaterniond quaternion_from_rotation_vector(const Eigen::Vector3d& rotation_vector);
/// Length in [0, pi], sign at pi as for axis_angle_from_quaternion.
Eigen::Vector3d rotation_vector_from_quaternion(const Eigen::Quaterniond& q_WB);

// Rodrigues parameters.

Eigen::Quaterniond quaternion_from_rodrigues(const Eigen::Vector3d& gamma);
/// Nothing for a half turn (|e0| < 1e-12), where the parameters are infinite.
std::optional<Eigen::Vector3d> rodrigues_from_quaternion(const Eigen::Quaterniond& q_WB);

// Frames from directions.

/// A rotation R_WF whose z axis points along `direction` (W components, any length). The x and y
/// axes are those of the smallest turn that brings z there, unless it is longer than 130 degrees;
/// then those of the smallest turn from -z, after a half turn about x. The same direction always
/// gives the same frame, and close directions close frames, except across the cone at 130 degrees
/// from z. Throws core::InputError when the direction is zero or not finite.
Eigen::Matrix3d rotation_with_z_along(const Eigen::Vector3d& direction);

/// A rotation R_WF whose axis `first` points exactly along `first_direction` and whose axis
/// `second` is as near as possible to `second_direction`. Throws core::InputError when the axes are
/// equal, a direction is zero, or the directions are parallel to within 1e-6 rad.
Eigen::Matrix3d rotation_from_two_axes(Axis first,
                                       const Eigen::Vector3d& first_direction,
                                       Axis second,
                                       const Eigen::Vector3d& second_direction);

}  // namespace trammel::math
