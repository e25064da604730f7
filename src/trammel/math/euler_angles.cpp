#include "trammel/math/euler_angles.h"

#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include "trammel/core/diagnostic.h"
#include "trammel/math/orientation.h"

namespace trammel::math {
namespace {

using Eigen::AngleAxisd;
using Eigen::Matrix3d;
using Eigen::Quaterniond;
using Eigen::Vector3d;

// Below this, half-angle components of a quaternion are rounding noise and t3 is set to zero. It
// also bounds the error made by doing so.
constexpr double lock_tolerance = 1e-12;
constexpr double rate_tolerance = 1e-9;

// The angle in (-pi, pi] that is the same turn.
double wrapped(double angle) {
  constexpr double pi = std::numbers::pi;
  const double remainder = std::remainder(angle, 2.0 * pi);
  return remainder <= -pi ? pi : remainder;
}

// +1 when i, j, k is an even permutation of x, y, z, else -1; i and j differ, k is the third axis.
double permutation_sign(Axis i, Axis j) {
  return (static_cast<int>(i) + 1) % 3 == static_cast<int>(j) ? 1.0 : -1.0;
}

Axis third_axis(Axis i, Axis j) {
  return static_cast<Axis>(3 - static_cast<int>(i) - static_cast<int>(j));
}

double component(const Quaterniond& q, Axis axis) {
  return q.coeffs()[static_cast<int>(axis)];
}

// Angles of the proper sequence i, j, i. With half sums s = (t1 + t3)/2, d = (t1 - t3)/2 and
// e = permutation_sign(i, j), k the third axis, the quaternion product gives
//   w   = cos(t2/2) cos(s),    q_i   = cos(t2/2) sin(s),
//   q_j = sin(t2/2) cos(d),    e q_k = sin(t2/2) sin(d),
// so each half sum is undetermined only where its own factor vanishes, and harmless there.
Vector3d proper_angles(Axis i, Axis j, const Quaterniond& q) {
  const double a = q.w();
  const double b = component(q, i);
  const double c = component(q, j);
  const double d = permutation_sign(i, j) * component(q, third_axis(i, j));
  const double cos_half = std::hypot(a, b);
  const double sin_half = std::hypot(c, d);
  const double t2 = 2.0 * std::atan2(sin_half, cos_half);
  if (sin_half < lock_tolerance) {
    return {wrapped(2.0 * std::atan2(b, a)), t2, 0.0};
  }
  if (cos_half < lock_tolerance) {
    return {wrapped(2.0 * std::atan2(d, c)), t2, 0.0};
  }
  const double half_sum = std::atan2(b, a);
  const double half_difference = std::atan2(d, c);
  return {wrapped(half_sum + half_difference), t2, wrapped(half_sum - half_difference)};
}

}  // namespace

Vector3d unit_vector(Axis axis) {
  return Vector3d::Unit(static_cast<int>(axis));
}

Matrix3d elementary_rotation(Axis axis, double angle) {
  return AngleAxisd(angle, unit_vector(axis)).toRotationMatrix();
}

EulerSequence EulerSequence::parse(std::string_view name) {
  for (const EulerSequence& sequence : all()) {
    if (sequence.name() == name) {
      return sequence;
    }
  }
  std::string names;
  for (const EulerSequence& sequence : all()) {
    names += names.empty() ? sequence.name() : ", " + sequence.name();
  }
  throw core::InputError(
      fmt::format("'{}' is not a sequence of Euler angles", name),
      fmt::format("give three body axes in lower case, neighbours different: {}", names));
}

const std::array<EulerSequence, 12>& EulerSequence::all() {
  using enum Axis;
  static constexpr std::array<EulerSequence, 12> sequences = {
      EulerSequence{x, y, z}, EulerSequence{x, z, y}, EulerSequence{y, x, z},
      EulerSequence{y, z, x}, EulerSequence{z, x, y}, EulerSequence{z, y, x},
      EulerSequence{x, y, x}, EulerSequence{x, z, x}, EulerSequence{y, x, y},
      EulerSequence{y, z, y}, EulerSequence{z, x, z}, EulerSequence{z, y, z}};
  return sequences;
}

std::string EulerSequence::name() const {
  std::string letters;
  for (const Axis axis : axes_) {
    letters += static_cast<char>('x' + static_cast<int>(axis));
  }
  return letters;
}

Quaterniond quaternion_from_angles(EulerSequence sequence, const Vector3d& angles) {
  Quaterniond q_WB = Quaterniond::Identity();
  for (int turn = 0; turn < 3; ++turn) {
    q_WB = q_WB * Quaterniond(AngleAxisd(angles[turn], unit_vector(sequence.axis(turn))));
  }
  return q_WB;
}

Matrix3d matrix_from_angles(EulerSequence sequence, const Vector3d& angles) {
  return quaternion_from_angles(sequence, angles).toRotationMatrix();
}

Vector3d angles_from_quaternion(EulerSequence sequence, const Quaterniond& q_WB) {
  const Axis i = sequence.axis(0);
  const Axis j = sequence.axis(1);
  const Quaterniond q = q_WB.normalized();
  if (sequence.is_proper()) {
    return proper_angles(i, j, q);
  }
  // A quarter turn about j brings axis i to -e k, hence R_k(t3) = R_j(pi/2) R_i(-e t3) R_j(-pi/2)
  // and R R_j(pi/2) = R_i(t1) R_j(t2 + pi/2) R_i(-e t3): the proper sequence i, j, i.
  const Quaterniond quarter_turn(AngleAxisd(0.5 * std::numbers::pi, unit_vector(j)));
  const Vector3d proper = proper_angles(i, j, q * quarter_turn);
  const double t3 = -permutation_sign(i, j) * proper[2];
  return {proper[0], proper[1] - 0.5 * std::numbers::pi, wrapped(t3)};
}

Vector3d angles_from_matrix(EulerSequence sequence, const Matrix3d& R_WB) {
  return angles_from_quaternion(sequence, quaternion_from_matrix(R_WB));
}

Matrix3d angle_rate_matrix(EulerSequence sequence, const Vector3d& angles) {
  // Column j is the axis of turn j, brought into the body frame by the turns after it.
  const Matrix3d R3 = elementary_rotation(sequence.axis(2), angles[2]);
  const Matrix3d R2 = elementary_rotation(sequence.axis(1), angles[1]);
  Matrix3d E;
  E.col(0) = R3.transpose() * (R2.transpose() * unit_vector(sequence.axis(0)));
  E.col(1) = R3.transpose() * unit_vector(sequence.axis(1));
  E.col(2) = unit_vector(sequence.axis(2));
  return E;
}

Matrix3d rotation_vectors(EulerSequence sequence, const Vector3d& angles) {
  // The axis of each turn, brought to the world by the turns before it.
  Matrix3d before = Matrix3d::Identity();
  Matrix3d w;
  for (int turn = 0; turn < 3; ++turn) {
    w.col(turn) = before * unit_vector(sequence.axis(turn));
    before = before * elementary_rotation(sequence.axis(turn), angles[turn]);
  }
  return w;
}

std::array<Matrix3d, 3> rotation_vector_derivatives(EulerSequence sequence,
                                                    const Vector3d& angles) {
  const Matrix3d w = rotation_vectors(sequence, angles);
  std::array<Matrix3d, 3> derivatives;
  for (int i = 0; i < 3; ++i) {
    Matrix3d& W = derivatives[static_cast<std::size_t>(i)];
    W.setZero();
    for (int j = i + 1; j < 3; ++j) {
      W.col(j) = Vector3d(w.col(i)).cross(Vector3d(w.col(j)));
    }
  }
  return derivatives;
}

Vector3d angular_acceleration_from_rates(EulerSequence sequence,
                                         const Vector3d& angles,
                                         const Vector3d& rates,
                                         const Vector3d& second_rates) {
  Vector3d sum = rotation_vectors(sequence, angles) * second_rates;
  const std::array<Matrix3d, 3> derivatives = rotation_vector_derivatives(sequence, angles);
  for (int i = 0; i < 3; ++i) sum += derivatives[static_cast<std::size_t>(i)] * rates * rates[i];
  return sum;
}

double distance_from_singularity(EulerSequence sequence, const Vector3d& angles) {
  return std::abs(sequence.is_proper() ? std::sin(angles[1]) : std::cos(angles[1]));
}

Vector3d angular_velocity_from_rates(EulerSequence sequence,
                                     const Vector3d& angles,
                                     const Vector3d& rates) {
  return angle_rate_matrix(sequence, angles) * rates;
}

std::optional<Vector3d> rates_from_angular_velocity(EulerSequence sequence,
                                                    const Vector3d& angles,
                                                    const Vector3d& w_WB_B) {
  if (!(distance_from_singularity(sequence, angles) >= rate_tolerance)) {
    return std::nullopt;
  }
  // Axis 2 is perpendicular to the other two: its rate is a projection, and the other two follow
  // from the plane spanned by axes 1 and 3, whose normal is axis 2.
  const Matrix3d E = angle_rate_matrix(sequence, angles);
  const Vector3d e1 = E.col(0);
  const Vector3d e2 = E.col(1);
  const Vector3d e3 = E.col(2);
  const double det = e2.dot(e3.cross(e1));
  return Vector3d(e2.cross(e3).dot(w_WB_B) / det, e2.dot(w_WB_B), e1.cross(e2).dot(w_WB_B) / det);
}

}  // namespace trammel::math
