#include "trammel/math/orientation.h"

#include <cmath>
#include <limits>
#include <numbers>

#include "random_orientations.h"
#include <gtest/gtest.h>

#include "trammel/core/diagnostic.h"

namespace trammel::math::orientation_test {
namespace {

using Eigen::Matrix3d;
using Eigen::Quaterniond;
using Eigen::Vector3d;
using Eigen::Vector4d;

constexpr double pi = std::numbers::pi;
constexpr double rounding = 1e-14;

Matrix3d cross_matrix(const Vector3d& a) {
  Matrix3d S;
  S << 0, -a.z(), a.y(), a.z(), 0, -a.x(), -a.y(), a.x(), 0;
  return S;
}

double largest_difference(const Matrix3d& A, const Matrix3d& B) {
  return (A - B).cwiseAbs().maxCoeff();
}

bool is_rotation(const Matrix3d& R) {
  return largest_difference(R.transpose() * R, Matrix3d::Identity()) < rounding &&
         std::abs(R.determinant() - 1.0) < rounding;
}

TEST(EulerParameters, GiveTheMatrixOfTheSource) {
  // [Chiou1990, eq. 2.6.6] for R = R_WB^T.
  for (const Quaterniond& q : test::sample_orientations()) {
    const Vector4d e = euler_parameters_from_quaternion(q);
    const Vector3d v = e.tail<3>();
    const Matrix3d R = (2 * e[0] * e[0] - 1) * Matrix3d::Identity() +
                       2 * (v * v.transpose() - e[0] * cross_matrix(v));
    EXPECT_LT(largest_difference(matrix_from_quaternion(q), R.transpose()), rounding);
    EXPECT_LT((quaternion_from_euler_parameters(3e200 * e).coeffs() - q.coeffs()).norm(), rounding);
  }
}

TEST(EulerParameters, RefuseZeroAndNotANumber) {
  EXPECT_THROW(quaternion_from_euler_parameters(Vector4d::Zero()), core::InputError);
  EXPECT_THROW(quaternion_from_euler_parameters(Vector4d(1, NAN, 0, 0)), core::InputError);
}

TEST(Matrix, GivesTheQuaternionBackWithPositiveScalarPart) {
  for (const Quaterniond& q : test::sample_orientations()) {
    const Quaterniond back = quaternion_from_matrix(q.toRotationMatrix());
    EXPECT_NEAR(std::abs(back.dot(q)), 1.0, rounding);
    // |dot| = 1 hides errors below 1e-8; the difference does not.
    const double sign = back.dot(q) < 0.0 ? -1.0 : 1.0;
    EXPECT_LT((sign * back.coeffs() - q.coeffs()).norm(), rounding) << q.coeffs().transpose();
    EXPECT_GE(back.w(), 0.0);
  }
}

TEST(Matrix, OfFewDigitsIsBroughtToTheNearestRotation) {
  std::mt19937 generator(5);
  for (const Quaterniond& q : test::sample_orientations()) {
    const Matrix3d typed = (1e3 * q.toRotationMatrix()).array().round() / 1e3;
    const auto R = nearest_rotation(typed);
    ASSERT_TRUE(R.has_value());
    EXPECT_TRUE(is_rotation(*R));
    // Nearest: A = R P with P symmetric (polar decomposition), and no small turn comes nearer.
    const Matrix3d P = R->transpose() * typed;
    EXPECT_LT(largest_difference(P, P.transpose()), rounding);
    const Vector3d turn = 1e-3 * test::random_vector(generator);
    const Matrix3d other = *R * quaternion_from_rotation_vector(turn).toRotationMatrix();
    EXPECT_LT((typed - *R).norm(), (typed - other).norm());
    EXPECT_LT(largest_difference(quaternion_from_matrix(typed).toRotationMatrix(), *R), rounding);
    // Nine elements, each wrong by at most 0.0005.
    EXPECT_LT((*R - q.toRotationMatrix()).norm(), 2 * 3 * 0.0005);
  }
}

TEST(Matrix, ThatIsNoRotationIsRefused) {
  Matrix3d reflection = Matrix3d::Identity();
  reflection(2, 2) = -1.0;
  Matrix3d not_a_number = Matrix3d::Identity();
  not_a_number(0, 1) = NAN;
  Matrix3d sheared = Matrix3d::Identity();
  sheared(0, 1) = 0.1;
  const Matrix3d scaled = 1000.0 * Matrix3d::Identity();
  const Matrix3d zero = Matrix3d::Zero();
  for (const Matrix3d& A : {reflection, not_a_number, sheared, scaled, zero}) {
    EXPECT_FALSE(nearest_rotation(A).has_value());
    try {
      quaternion_from_matrix(A);
      ADD_FAILURE() << "accepted\n" << A;
    } catch (const core::InputError& error) {
      EXPECT_NE(std::string(error.what()).find("no rotation"), std::string::npos);
      EXPECT_FALSE(error.diagnostics().at(0).remedy.empty());
    }
  }
  EXPECT_TRUE(nearest_rotation(sheared, 0.2).has_value());
}

TEST(AxisAngle, GivesTheMatrixOfRodriguesFormula) {
  std::mt19937 generator(6);
  for (int count = 0; count < 200; ++count) {
    const Vector3d n = test::random_vector(generator).normalized();
    const double phi = 4.0 * test::random_vector(generator).x();
    const Matrix3d nn = n * n.transpose();
    const Matrix3d R =
        nn + std::cos(phi) * (Matrix3d::Identity() - nn) + std::sin(phi) * cross_matrix(n);
    EXPECT_LT(largest_difference(quaternion_from_axis_angle({7.0 * n, phi}).toRotationMatrix(), R),
              rounding);
    EXPECT_LT(largest_difference(quaternion_from_rotation_vector(phi * n).toRotationMatrix(), R),
              2 * rounding);
  }
}

TEST(AxisAngle, ComesBackForEveryOrientation) {
  for (const Quaterniond& q : test::sample_orientations()) {
    const AxisAngle turn = axis_angle_from_quaternion(q);
    EXPECT_NEAR(turn.axis.norm(), 1.0, rounding);
    EXPECT_GE(turn.angle, 0.0);
    EXPECT_LE(turn.angle, pi);
    const Matrix3d R = q.toRotationMatrix();
    // At a half turn the sign of the axis may be turned, which costs |e0| < 1e-12 at most.
    EXPECT_LT(largest_difference(quaternion_from_axis_angle(turn).toRotationMatrix(), R), 4e-12);
    const Vector3d theta = rotation_vector_from_quaternion(q);
    EXPECT_LT(largest_difference(quaternion_from_rotation_vector(theta).toRotationMatrix(), R),
              4e-12);
  }
}

TEST(AxisAngle, KeepsTinyTurnsToFullPrecision) {
  for (const double size : {1e-300, 1e-160, 1e-9, 1e-4}) {
    const Vector3d theta = size * Vector3d(1.0, -2.0, 3.0);
    const Vector3d back = rotation_vector_from_quaternion(quaternion_from_rotation_vector(theta));
    EXPECT_LT((back - theta).stableNorm(), 1e-15 * theta.stableNorm()) << size;
  }
}

TEST(AxisAngle, ChoosesOneAxisWhereSeveralAreRight) {
  const AxisAngle none = axis_angle_from_quaternion(Quaterniond(-1, 0, 0, 0));
  EXPECT_EQ(none.angle, 0.0);
  EXPECT_EQ(none.axis, Vector3d(Vector3d::UnitZ()));
  for (const double noise : {0.0, 1e-16, -1e-16}) {
    const AxisAngle half = axis_angle_from_quaternion(Quaterniond(noise, 0.0, -0.6, 0.8));
    EXPECT_LT((half.axis - Vector3d(0.0, 0.6, -0.8)).norm(), rounding);
    EXPECT_NEAR(half.angle, pi, rounding);
  }
}

TEST(AxisAngle, RefusesAnAxisWithoutDirection) {
  EXPECT_THROW(quaternion_from_axis_angle({Vector3d::Zero(), 1.0}), core::InputError);
  EXPECT_THROW(quaternion_from_axis_angle({Vector3d(INFINITY, 0, 0), 1.0}), core::InputError);
}

TEST(RodriguesParameters, GiveTheMatrixOfTheSource) {
  // [Chiou1990, eqs. 2.5.7 and 2.5.11] for R = R_WB^T.
  std::mt19937 generator(7);
  for (int count = 0; count < 200; ++count) {
    const Vector3d gamma = test::random_vector(generator);
    const double square = gamma.squaredNorm();
    const Matrix3d R = ((1 - square) * Matrix3d::Identity() +
                        2 * (gamma * gamma.transpose() - cross_matrix(gamma))) /
                       (1 + square);
    EXPECT_LT(
        largest_difference(quaternion_from_rodrigues(gamma).toRotationMatrix(), R.transpose()),
        rounding);
    const Vector3d from_matrix =
        Vector3d(R(1, 2) - R(2, 1), R(2, 0) - R(0, 2), R(0, 1) - R(1, 0)) / (1 + R.trace());
    const auto back = rodrigues_from_quaternion(quaternion_from_matrix(R.transpose()));
    ASSERT_TRUE(back.has_value());
    // Both divide by cos(phi/2)^2 = 1 / (1 + |gamma|^2).
    EXPECT_LT((*back - gamma).norm(), rounding * (1 + square));
    EXPECT_LT((from_matrix - gamma).norm(), rounding * (1 + square) * (1 + square));
  }
}

TEST(RodriguesParameters, AreReportedInfiniteAtTheHalfTurnOnly) {
  for (const Quaterniond& q : test::sample_orientations()) {
    const auto gamma = rodrigues_from_quaternion(q);
    EXPECT_EQ(gamma.has_value(), std::abs(q.w()) >= 1e-12);
    if (gamma) {
      EXPECT_LT(largest_difference(quaternion_from_rodrigues(*gamma).toRotationMatrix(),
                                   q.toRotationMatrix()),
                rounding);
    }
  }
  const Matrix3d half_turn =
      -Matrix3d::Identity() + 2.0 * Vector3d(0.6, 0, 0.8) * Vector3d(0.6, 0, 0.8).transpose();
  EXPECT_FALSE(rodrigues_from_quaternion(quaternion_from_matrix(half_turn)).has_value());
  // Parameters whose squares overflow still mean a turn by almost pi.
  const Quaterniond q = quaternion_from_rodrigues(Vector3d(0, 1e200, 0));
  EXPECT_NEAR(q.y(), 1.0, rounding);
}

TEST(FrameFromDirection, HasItsZAxisThereAndIsARotation) {
  std::mt19937 generator(8);
  std::vector<Vector3d> directions = {
      Vector3d::UnitX(),           Vector3d::UnitY(),        Vector3d::UnitZ(),
      -Vector3d::UnitX(),          -Vector3d::UnitY(),       -Vector3d::UnitZ(),
      Vector3d(1e-9, 0, -1),       Vector3d(0, -1e-160, -1), Vector3d(1e-9, 0, 1),
      Vector3d(1e-200, 2e-200, 0), Vector3d(3e200, 0, 1e200)};
  for (int count = 0; count < 500; ++count) {
    directions.push_back(test::random_vector(generator));
  }
  for (const Vector3d& direction : directions) {
    const Matrix3d R = rotation_with_z_along(direction);
    EXPECT_TRUE(is_rotation(R)) << direction.transpose();
    EXPECT_LT((R.col(2) - direction / direction.stableNorm()).norm(), rounding);
  }
  EXPECT_EQ(rotation_with_z_along(Vector3d(0, 0, 5)), Matrix3d(Matrix3d::Identity()));
}

TEST(FrameFromDirection, IsTheSmallestTurnUpTo130Degrees) {
  std::mt19937 generator(9);
  for (int count = 0; count < 500; ++count) {
    const Vector3d n = test::random_vector(generator).normalized();
    if (n.z() > std::cos(130 * pi / 180)) {
      const Matrix3d smallest =
          Quaterniond::FromTwoVectors(Vector3d::UnitZ(), n).toRotationMatrix();
      EXPECT_LT(largest_difference(rotation_with_z_along(n), smallest), rounding);
    } else {
      const Matrix3d smallest =
          Quaterniond::FromTwoVectors(-Vector3d::UnitZ(), n).toRotationMatrix();
      const Matrix3d half_turn = Vector3d(1, -1, -1).asDiagonal();
      EXPECT_LT(largest_difference(rotation_with_z_along(n), smallest * half_turn), rounding);
    }
  }
}

TEST(FrameFromDirection, DoesNotJumpInTheHorizontalPlane) {
  // Axes of plane mechanisms often lie there, with a z component of either sign from rounding.
  for (double angle = 0.0; angle < 6.2; angle += 0.1) {
    const Vector3d above(std::cos(angle), std::sin(angle), 1e-17);
    const Vector3d below(std::cos(angle), std::sin(angle), -1e-17);
    EXPECT_LT(largest_difference(rotation_with_z_along(above), rotation_with_z_along(below)),
              rounding);
  }
}

TEST(FrameFromDirection, RefusesZero) {
  try {
    rotation_with_z_along(Vector3d::Zero());
    ADD_FAILURE();
  } catch (const core::InputError& error) {
    EXPECT_NE(std::string(error.what()).find("[0, 0, 0]"), std::string::npos);
    EXPECT_NE(error.diagnostics().at(0).remedy.find("[0, 0, 1]"), std::string::npos);
  }
}

TEST(FrameFromTwoAxes, KeepsTheFirstAndBringsTheSecondNear) {
  std::mt19937 generator(10);
  for (const Axis first : {Axis::x, Axis::y, Axis::z}) {
    for (const Axis second : {Axis::x, Axis::y, Axis::z}) {
      if (first == second) {
        EXPECT_THROW(rotation_from_two_axes(first, Vector3d::UnitX(), second, Vector3d::UnitY()),
                     core::InputError);
        continue;
      }
      for (int count = 0; count < 50; ++count) {
        const Vector3d a = test::random_vector(generator);
        const Vector3d b = test::random_vector(generator);
        const Matrix3d R = rotation_from_two_axes(first, a, second, b);
        EXPECT_TRUE(is_rotation(R));
        EXPECT_LT((R * unit_vector(first) - a.normalized()).norm(), rounding);
        // In the half plane of b: the best a perpendicular axis can do is the sine of the angle.
        const double sine = a.normalized().cross(b.normalized()).norm();
        EXPECT_NEAR((R * unit_vector(second)).dot(b.normalized()), sine, rounding);
      }
    }
  }
}

TEST(FrameFromTwoAxes, RefusesParallelDirections) {
  const Vector3d a(1, 2, 3);
  EXPECT_THROW(rotation_from_two_axes(Axis::z, a, Axis::x, -2 * a), core::InputError);
  EXPECT_THROW(rotation_from_two_axes(Axis::z, a, Axis::x, Vector3d::Zero()), core::InputError);
  EXPECT_NO_THROW(rotation_from_two_axes(Axis::z, a, Axis::x, Vector3d(1, 2, 3.001)));
}

}  // namespace
}  // namespace trammel::math::orientation_test
