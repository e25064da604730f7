#include "trammel/integrators/euler_parameters.h"

#include <Eigen/Geometry>
#include <gtest/gtest.h>

namespace trammel::integrators::testing::euler_parameters_test {
namespace {

using Eigen::Matrix4d;
using Eigen::Vector3d;
using Eigen::Vector4d;

const Vector3d w(0.7, -1.3, 2.1);
const Vector4d e = Vector4d(0.3, -0.5, 0.7, 0.1).normalized();

Matrix4d matrix(const Vector3d& p) {
  Matrix4d A;
  A << 0, -p[0], -p[1], -p[2], p[0], 0, p[2], -p[1], p[1], -p[2], 0, p[0], p[2], p[1], -p[0], 0;
  return 0.5 * A;
}

// R' = R skew(w) with R from body to world axes.
TEST(EulerParameters, RatesAreThoseOfTheRotation) {
  const double h = 1e-6;
  const auto rotation = [](const Vector4d& p) {
    return Eigen::Quaterniond(p[0], p[1], p[2], p[3]).toRotationMatrix();
  };
  const Vector4d rate = euler_rate(w, e);
  EXPECT_LT((rate - matrix(w) * e).norm(), 1e-15);
  const Eigen::Matrix3d difference = (rotation(e + h * rate) - rotation(e - h * rate)) / (2.0 * h);
  const Eigen::Matrix3d spin = rotation(e).transpose() * difference;
  EXPECT_LT((Vector3d(spin(2, 1), spin(0, 2), spin(1, 0)) - w).norm(), 1e-9);
  EXPECT_LT((angular_velocity(e, rate) - w).norm(), 1e-14);
}

TEST(EulerParameters, InverseIsTheClosedForm) {
  const Vector4d b(1, 2, -3, 0.5);
  const Vector4d x = solve_midpoint(0.3, w, b);
  EXPECT_LT((x - 0.3 * matrix(w) * x - b).norm(), 1e-14);
}

TEST(EulerParameters, BorderedEquationsAreSolved) {
  const double d = 0.3;
  const Vector4d b = e + 0.02 * Vector4d(1, -1, 0.5, 2);
  Vector4d closed;
  ASSERT_TRUE(unit_midpoint(d, w, b, closed));
  EXPECT_NEAR(closed.norm(), 1.0, 1e-15);
  // What is left over is along e.
  const Vector4d rest = b - closed + d * matrix(w) * closed;
  EXPECT_LT((rest - closed.dot(rest) * closed).norm(), 1e-14);
  Vector4d iterated;
  ASSERT_TRUE(unit_midpoint_by_newton(d, w, b, iterated));
  EXPECT_LT((iterated - closed).norm(), 1e-13);
  const Vector4d x = tangent_midpoint(d, w, b, closed);
  EXPECT_NEAR(x.dot(closed), 0.0, 1e-15);
  const Vector4d other = b - x + d * matrix(w) * x;
  EXPECT_LT((other - closed.dot(other) * closed).norm(), 1e-14);
}

// h |w| < 4.
TEST(EulerParameters, HaveNoUnitSolutionWhereTheStepTurnsTooFar) {
  Vector4d x;
  EXPECT_TRUE(unit_midpoint(1.99, Vector3d(0, 0, 1.0), e, x));
  EXPECT_FALSE(unit_midpoint(2.01, Vector3d(0, 0, 1.0), e, x));
}

}  // namespace
}  // namespace trammel::integrators::testing::euler_parameters_test
