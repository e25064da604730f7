#include "trammel/math/orientation.h"

#include <cmath>
#include <utility>

#include <Eigen/SVD>
#include <fmt/format.h>

#include "trammel/core/diagnostic.h"

namespace trammel::math {
namespace {

using Eigen::AngleAxisd;
using Eigen::Matrix3d;
using Eigen::Quaterniond;
using Eigen::Vector3d;
using Eigen::Vector4d;

// |cos(phi/2)| below which phi = pi: well above the rounding of products of rotations.
constexpr double half_turn_tolerance = 1e-12;

// Matrices with |A^T A - I| below this are rotations to rounding and need no projection.
constexpr double rounding_tolerance = 1e-14;

double orthogonality_error(const Matrix3d& A) {
  return (A.transpose() * A - Matrix3d::Identity()).cwiseAbs().maxCoeff();
}

std::string text_of(const Vector3d& v) {
  return fmt::format("[{:g}, {:g}, {:g}]", v.x(), v.y(), v.z());
}

// The unit vector along what a person gave as a direction; safe against overflow of the squares.
Vector3d checked_direction(const Vector3d& direction, std::string_view name) {
  if (!direction.allFinite() || direction.isZero(0.0)) {
    throw core::InputError(fmt::format("{} {} has no direction", name, text_of(direction)),
                           "give three finite numbers that are not all zero, e.g. [0, 0, 1]");
  }
  return (direction / direction.cwiseAbs().maxCoeff()).normalized();
}

// Spurrier's method, [Chiou1990, eqs. 2.6.8-2.6.11] with the signs corrected and R = R_WB.
Quaterniond spurrier(const Matrix3d& R) {
  const double trace = R.trace();
  int i = 0;
  const double largest = R.diagonal().maxCoeff(&i);
  Quaterniond q;
  if (trace >= largest) {
    q.w() = 1.0 + trace;
    q.vec() << R(2, 1) - R(1, 2), R(0, 2) - R(2, 0), R(1, 0) - R(0, 1);
  } else {
    const int j = (i + 1) % 3;
    const int k = (i + 2) % 3;
    q.w() = R(k, j) - R(j, k);
    q.vec()[i] = 1.0 + 2.0 * R(i, i) - trace;
    q.vec()[j] = R(j, i) + R(i, j);
    q.vec()[k] = R(k, i) + R(i, k);
  }
  // All four were found up to the factor 4 of the leading one.
  if (q.w() < 0.0) {
    q.coeffs() = -q.coeffs();
  }
  return q.normalized();
}

// The sign that makes the first component that is not rounding noise positive.
double sign_of_first(const Vector3d& v) {
  for (const double component : v) {
    if (std::abs(component) > half_turn_tolerance) {
      return component > 0.0 ? 1.0 : -1.0;
    }
  }
  return 1.0;
}

}  // namespace

Vector4d euler_parameters_from_quaternion(const Quaterniond& q_WB) {
  const Quaterniond q = q_WB.normalized();
  return {q.w(), q.x(), q.y(), q.z()};
}

Quaterniond quaternion_from_euler_parameters(const Vector4d& euler_parameters) {
  const Vector4d& e = euler_parameters;
  if (!e.allFinite() || e.isZero(0.0)) {
    throw core::InputError(
        fmt::format("Euler parameters [{:g}, {:g}, {:g}, {:g}] are no orientation", e[0], e[1],
                    e[2], e[3]),
        "give four finite numbers that are not all zero; [1, 0, 0, 0] is no turn");
  }
  const Vector4d unit = (e / e.cwiseAbs().maxCoeff()).normalized();
  return {unit[0], unit[1], unit[2], unit[3]};
}

Matrix3d matrix_from_quaternion(const Quaterniond& q_WB) {
  return q_WB.normalized().toRotationMatrix();
}

Quaterniond quaternion_from_matrix(const Matrix3d& R_WB) {
  if (orthogonality_error(R_WB) < rounding_tolerance && R_WB.determinant() > 0.0) {
    return spurrier(R_WB);
  }
  const std::optional<Matrix3d> nearest = nearest_rotation(R_WB);
  if (!nearest) {
    throw core::InputError(
        fmt::format(
            "the matrix with rows {}, {}, {} is no rotation: its determinant is {:g} (should "
            "be 1) and its columns miss being perpendicular unit vectors by {:g}",
            text_of(R_WB.row(0)), text_of(R_WB.row(1)), text_of(R_WB.row(2)), R_WB.determinant(),
            orthogonality_error(R_WB)),
        "give as columns the right-handed unit vectors of the body axes in world components, or "
        "use "
        "angles, axis and angle, or Euler parameters");
  }
  return spurrier(*nearest);
}

std::optional<Matrix3d> nearest_rotation(const Matrix3d& A, double tolerance) {
  // The comparison is written so that NaN fails it.
  if (!A.allFinite() || !(orthogonality_error(A) <= tolerance) || !(A.determinant() > 0.0)) {
    return std::nullopt;
  }
  const Eigen::JacobiSVD<Matrix3d> svd(A, Eigen::ComputeFullU | Eigen::ComputeFullV);
  return Matrix3d(svd.matrixU() * svd.matrixV().transpose());
}

Quaterniond quaternion_from_axis_angle(const AxisAngle& turn) {
  return Quaterniond(AngleAxisd(turn.angle, checked_direction(turn.axis, "the axis")));
}

AxisAngle axis_angle_from_quaternion(const Quaterniond& q_WB) {
  const Quaterniond q = q_WB.normalized();
  const double sine = q.vec().stableNorm();
  if (sine == 0.0) {
    return {};
  }
  const bool half_turn = std::abs(q.w()) < half_turn_tolerance;
  const double sign = half_turn ? sign_of_first(q.vec()) : (q.w() < 0.0 ? -1.0 : 1.0);
  return {sign * q.vec() / sine, 2.0 * std::atan2(sine, std::abs(q.w()))};
}

Quaterniond quaternion_from_rotation_vector(const Vector3d& rotation_vector) {
  const double angle = rotation_vector.stableNorm();
  if (angle == 0.0) {
    return Quaterniond::Identity();
  }
  return Quaterniond(AngleAxisd(angle, rotation_vector / angle));
}

Vector3d rotation_vector_from_quaternion(const Quaterniond& q_WB) {
  const AxisAngle turn = axis_angle_from_quaternion(q_WB);
  return turn.angle * turn.axis;
}

Quaterniond quaternion_from_rodrigues(const Vector3d& gamma) {
  Quaterniond q(1.0, gamma.x(), gamma.y(), gamma.z());
  q.coeffs().stableNormalize();
  return q;
}

std::optional<Vector3d> rodrigues_from_quaternion(const Quaterniond& q_WB) {
  const Quaterniond q = q_WB.normalized();
  if (!(std::abs(q.w()) >= half_turn_tolerance)) {
    return std::nullopt;
  }
  return Vector3d(q.vec() / q.w());
}

Matrix3d rotation_with_z_along(const Vector3d& direction) {
  // cos(130 deg): a cone that directions of ordinary machines avoid.
  constexpr double turnover = -0.6427876096865393;
  const Vector3d n = checked_direction(direction, "the direction");
  // The smallest turn from z (s = 1) or from -z (s = -1) to n, in closed form: the elements of
  // R = I + skew(a) + skew(a)^2 / (1 + s n_z) with a = s z x n. For s = -1 a half turn about x
  // comes first, which changes the sign of the y column.
  const double s = n.z() > turnover ? 1.0 : -1.0;
  const double factor = 1.0 / (1.0 + s * n.z());
  const double mixed = factor * n.x() * n.y();
  Matrix3d R_WF;
  R_WF.col(0) << 1.0 - factor * n.x() * n.x(), -mixed, -s * n.x();
  R_WF.col(1) << -s * mixed, s - s * factor * n.y() * n.y(), -n.y();
  R_WF.col(2) = n;
  return R_WF;
}

Matrix3d rotation_from_two_axes(Axis first,
                                const Vector3d& first_direction,
                                Axis second,
                                const Vector3d& second_direction) {
  if (first == second) {
    throw core::InputError("a frame was given the same axis twice", "give two different axes");
  }
  const Vector3d n = checked_direction(first_direction, "the first direction");
  const Vector3d hint = checked_direction(second_direction, "the second direction");
  const Vector3d normal = n.cross(hint);
  if (normal.norm() < 1e-6) {
    throw core::InputError(fmt::format("the directions {} and {} of a frame are parallel",
                                       text_of(first_direction), text_of(second_direction)),
                           "give two directions with an angle between them, e.g. 90 deg");
  }
  // The third axis completes a right-handed frame: e_third = (+ or -) e_first x e_second.
  const int i = static_cast<int>(first);
  const int j = static_cast<int>(second);
  const double sign = (i + 1) % 3 == j ? 1.0 : -1.0;
  Matrix3d R_WF;
  R_WF.col(i) = n;
  R_WF.col(3 - i - j) = sign * normal.normalized();
  R_WF.col(j) = normal.normalized().cross(n);
  return R_WF;
}

}  // namespace trammel::math
