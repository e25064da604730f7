#include "trammel/math/rotation.h"

#include <cmath>
#include <numbers>
#include <random>

#include "random_orientations.h"
#include <Eigen/LU>
#include <gtest/gtest.h>

namespace trammel::math::rotation_test {
namespace {

using Eigen::Matrix3d;
using Eigen::Quaterniond;
using Eigen::Vector3d;

constexpr double pi = std::numbers::pi;

// Rotation vectors from nothing to nearly a whole turn, with both sides of the angle at which
// series take over.
std::vector<Vector3d> rotation_vectors() {
  std::mt19937 generator(7);
  std::vector<Vector3d> list{Vector3d::Zero()};
  for (const double angle : {1e-300, 1e-12, 1e-8, 1e-5, 1e-3, 0.01, 0.0199999, 0.02, 0.0200001, 0.1,
                             1.0, 2.0, 3.0, pi, 4.0, 6.0}) {
    for (int i = 0; i < 5; ++i) list.push_back(angle * test::random_vector(generator).normalized());
  }
  return list;
}

// The power series of the matrix exponential, of an eighth of the turn, multiplied eight times.
Matrix3d matrix_exponential(const Vector3d& x) {
  const Matrix3d s = skew(0.125 * x);
  Matrix3d term = Matrix3d::Identity();
  Matrix3d eighth = Matrix3d::Identity();
  for (int n = 1; n < 20; ++n) {
    term = term * s / n;
    eighth += term;
  }
  const Matrix3d quarter = eighth * eighth;
  const Matrix3d half = quarter * quarter;
  return half * half;
}

TEST(Rotation, SkewIsTheCrossProduct) {
  const Vector3d a(1, -2, 3);
  const Vector3d b(0.5, 4, -1);
  EXPECT_EQ(skew(a) * b, a.cross(b));
}

TEST(Rotation, ExponentialIsThatOfTheMatrix) {
  for (const Vector3d& x : rotation_vectors()) {
    const Matrix3d expected = matrix_exponential(x);
    EXPECT_LE((exponential(x).toRotationMatrix() - expected).norm(), 2e-14) << x.norm();
    EXPECT_NEAR(exponential(x).norm(), 1.0, 4e-16);
  }
}

TEST(Rotation, LogarithmUndoesTheExponential) {
  for (const Vector3d& x : rotation_vectors()) {
    if (x.norm() >= pi) continue;
    const Quaterniond q = exponential(x);
    EXPECT_LE((logarithm(q) - x).norm(), 4e-16 * std::max(1.0, x.norm()) + 1e-15) << x.norm();
    // Either sign of the quaternion is the same rotation.
    EXPECT_EQ(logarithm(Quaterniond(Eigen::Vector4d(-q.coeffs()))), logarithm(q));
  }
}

TEST(Rotation, LogarithmTakesTheShortWay) {
  const Vector3d axis = Vector3d(1, 2, 2) / 3.0;
  EXPECT_LE((logarithm(exponential(4.0 * axis)) - (4.0 - 2.0 * pi) * axis).norm(), 1e-15);
  for (const Quaterniond& q : test::sample_orientations()) {
    const Vector3d x = logarithm(q);
    EXPECT_LE(x.norm(), pi + 1e-15);
    EXPECT_LE((exponential(x).toRotationMatrix() - q.toRotationMatrix()).norm(), 4e-15);
  }
}

// d exp(x) = exp(x) skew(T dx), by central differences of fourth order.
TEST(Rotation, TangentIsTheDerivativeOfTheExponential) {
  for (const Vector3d& x : rotation_vectors()) {
    const Matrix3d T = tangent_operator(x);
    const Quaterniond back = exponential(x).conjugate();
    for (int i = 0; i < 3; ++i) {
      const double h = 1e-3;
      const auto turned = [&](double s) {
        return logarithm(back * exponential(x + s * Vector3d::Unit(i)));
      };
      const Vector3d slope =
          (8.0 * (turned(h) - turned(-h)) - (turned(2 * h) - turned(-2 * h))) / (12.0 * h);
      EXPECT_LE((T.col(i) - slope).norm(), 1e-11) << x.norm();
    }
  }
}

TEST(Rotation, TangentInverseIsTheInverse) {
  for (const Vector3d& x : rotation_vectors()) {
    const Matrix3d product = inverse_tangent_operator(x) * tangent_operator(x);
    // Closed forms lose eps / angle to cancellation, 1e-14 at the least angle they serve; T is
    // nearly singular close to a whole turn.
    EXPECT_LE((product - Matrix3d::Identity()).norm(), x.norm() > 5.0 ? 1e-13 : 1e-14) << x.norm();
  }
}

// The series and the closed form agree where one takes over from the other.
TEST(Rotation, SeriesAndClosedFormsMeet) {
  const Vector3d axis = Vector3d(2, -1, 2) / 3.0;
  const double below = std::nextafter(0.02, 0.0);
  const auto difference = [&](auto f) { return (f(below * axis) - f(0.02 * axis)).norm(); };
  // Closed forms lose eps / angle^2 to cancellation there.
  constexpr double limit = 1e-14;
  EXPECT_LE(difference([](const Vector3d& x) { return tangent_operator(x); }), limit);
  EXPECT_LE(difference([](const Vector3d& x) { return inverse_tangent_operator(x); }), limit);
  EXPECT_LE((exponential(below * axis).coeffs() - exponential(0.02 * axis).coeffs()).norm(), 1e-17);
}

TEST(Rotation, TangentMapsItsOwnAxisToItself) {
  for (const Vector3d& x : rotation_vectors()) {
    EXPECT_LE((tangent_operator(x) * x - x).norm(), 1e-15 * std::max(1.0, x.norm()));
  }
}

TEST(Rotation, ShortestRotationTurnsOneDirectionIntoAnother) {
  const Vector3d from(1, -2, 0.5);
  for (const Vector3d& to : {Vector3d(0, 0, 3), Vector3d(-4, 1, 1), from, Vector3d(-3.0 * from)}) {
    const Eigen::Quaterniond rotation = shortest_rotation(from, to);
    EXPECT_LE((rotation * from.normalized() - to.normalized()).norm(), 1e-15);
    const double angle = std::atan2(from.cross(to).norm(), from.dot(to));
    EXPECT_NEAR(logarithm(rotation).norm(), angle, 1e-14);
  }
}

}  // namespace
}  // namespace trammel::math::rotation_test
