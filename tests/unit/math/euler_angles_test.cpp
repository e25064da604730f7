#include "trammel/math/euler_angles.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "random_orientations.h"
#include <gtest/gtest.h>

#include "trammel/core/diagnostic.h"

namespace trammel::math::euler_angles_test {
namespace {

using Eigen::Matrix3d;
using Eigen::Quaterniond;
using Eigen::Vector3d;

constexpr double pi = std::numbers::pi;

// A dozen products of numbers not larger than 1.
constexpr double rounding = 1e-14;

double largest_difference(const Matrix3d& A, const Matrix3d& B) {
  return (A - B).cwiseAbs().maxCoeff();
}

// The elementary turns written out, independent of the library.
Matrix3d written_out(Axis axis, double t) {
  const double c = std::cos(t);
  const double s = std::sin(t);
  Matrix3d R;
  if (axis == Axis::x) {
    R << 1, 0, 0, 0, c, -s, 0, s, c;
  } else if (axis == Axis::y) {
    R << c, 0, s, 0, 1, 0, -s, 0, c;
  } else {
    R << c, -s, 0, s, c, 0, 0, 0, 1;
  }
  return R;
}

Matrix3d product_of_turns(EulerSequence sequence, const Vector3d& t) {
  return written_out(sequence.axis(0), t[0]) * written_out(sequence.axis(1), t[1]) *
         written_out(sequence.axis(2), t[2]);
}

TEST(EulerSequence, HasTwelveDifferentNamesThatParseBack) {
  for (const EulerSequence& sequence : EulerSequence::all()) {
    EXPECT_EQ(EulerSequence::parse(sequence.name()), sequence);
    EXPECT_EQ(std::count(EulerSequence::all().begin(), EulerSequence::all().end(), sequence), 1);
  }
  EXPECT_EQ(EulerSequence::euler_zxz().name(), "zxz");
  EXPECT_EQ(EulerSequence::bryant_xyz().name(), "xyz");
  EXPECT_TRUE(EulerSequence::parse("yxy").is_proper());
  EXPECT_FALSE(EulerSequence::parse("yxz").is_proper());
}

TEST(EulerSequence, RefusesOtherNamesAndListsTheGoodOnes) {
  for (const char* name : {"", "xy", "xxy", "xyy", "xyzx", "XYZ", "abc", "313"}) {
    try {
      EulerSequence::parse(name);
      ADD_FAILURE() << "accepted '" << name << "'";
    } catch (const core::InputError& error) {
      EXPECT_NE(std::string(error.what()).find(name), std::string::npos);
      EXPECT_NE(error.diagnostics().at(0).remedy.find("zyx"), std::string::npos);
    }
  }
}

TEST(EulerAngles, MatrixIsTheProductOfElementaryTurns) {
  std::mt19937 generator(1);
  for (const EulerSequence& sequence : EulerSequence::all()) {
    for (int count = 0; count < 50; ++count) {
      const Vector3d t = 3.0 * test::random_vector(generator);
      EXPECT_LT(largest_difference(matrix_from_angles(sequence, t), product_of_turns(sequence, t)),
                rounding);
    }
  }
}

TEST(EulerAngles, BryantMatrixIsThatOfTheSource) {
  // [Sol1983, eq. 2.2.18], transposed as its own definition demands.
  const double c1 = std::cos(0.3), s1 = std::sin(0.3);
  const double c2 = std::cos(-0.7), s2 = std::sin(-0.7);
  const double c3 = std::cos(2.1), s3 = std::sin(2.1);
  Matrix3d R;
  R << c2 * c3, -c2 * s3, s2,                                    //
      c1 * s3 + s1 * s2 * c3, c1 * c3 - s1 * s2 * s3, -s1 * c2,  //
      s1 * s3 - c1 * s2 * c3, s1 * c3 + c1 * s2 * s3, c1 * c2;
  const Vector3d angles(0.3, -0.7, 2.1);
  EXPECT_LT(largest_difference(matrix_from_angles(EulerSequence::bryant_xyz(), angles), R),
            rounding);
  EXPECT_LT((angles_from_matrix(EulerSequence::bryant_xyz(), R) - angles).norm(), rounding);
}

TEST(EulerAngles, EulerMatrixIsThatOfTheSource) {
  // [Chiou1990, eq. 2.4.2] with alpha and gamma in their right places, for R = R_WB^T.
  const double ca = std::cos(-1.2), sa = std::sin(-1.2);
  const double cb = std::cos(0.4), sb = std::sin(0.4);
  const double cg = std::cos(2.5), sg = std::sin(2.5);
  Matrix3d R;
  R << cg * ca - sg * cb * sa, cg * sa + sg * cb * ca, sg * sb,   //
      -sg * ca - cg * cb * sa, -sg * sa + cg * cb * ca, cg * sb,  //
      sb * sa, -sb * ca, cb;
  const Vector3d angles(-1.2, 0.4, 2.5);
  const Matrix3d R_WB = matrix_from_angles(EulerSequence::euler_zxz(), angles);
  EXPECT_LT(largest_difference(R_WB, R.transpose()), rounding);
  EXPECT_LT((angles_from_matrix(EulerSequence::euler_zxz(), R_WB) - angles).norm(), rounding);
}

TEST(EulerAngles, ReproduceEveryOrientation) {
  for (const EulerSequence& sequence : EulerSequence::all()) {
    const double lowest = sequence.is_proper() ? 0.0 : -0.5 * pi;
    for (const Quaterniond& q : test::sample_orientations()) {
      const Vector3d t = angles_from_quaternion(sequence, q);
      // Setting t3 = 0 in a singular position may cost 1e-12 in each half-angle component.
      EXPECT_LT(largest_difference(product_of_turns(sequence, t), q.toRotationMatrix()), 4e-12)
          << sequence.name() << " " << q.coeffs().transpose();
      EXPECT_GE(t[1], lowest - rounding);
      EXPECT_LE(t[1], lowest + pi + rounding);
      EXPECT_GT(std::min(t[0], t[2]), -pi);
      EXPECT_LE(std::max(t[0], t[2]), pi);
    }
  }
}

TEST(EulerAngles, ComeBackWhereTheyAreUnique) {
  std::mt19937 generator(2);
  std::uniform_real_distribution<double> turn(-pi, pi);
  std::uniform_real_distribution<double> middle(0.05, pi - 0.05);
  for (const EulerSequence& sequence : EulerSequence::all()) {
    for (int count = 0; count < 50; ++count) {
      const double shift = sequence.is_proper() ? 0.0 : 0.5 * pi;
      const double t1 = turn(generator);
      const Vector3d t(t1, middle(generator) - shift, turn(generator));
      const Vector3d back = angles_from_matrix(sequence, product_of_turns(sequence, t));
      // Rounding is magnified by 1/0.05 at most.
      EXPECT_LT((back - t).cwiseAbs().maxCoeff(), 1e-13) << sequence.name() << " " << t.transpose();
    }
  }
}

TEST(EulerAngles, HaveThirdAngleZeroInSingularPositions) {
  for (const EulerSequence& sequence : EulerSequence::all()) {
    const double first_singular = sequence.is_proper() ? 0.0 : -0.5 * pi;
    for (const double t2 : {first_singular, first_singular + pi}) {
      for (const double t1 : {0.0, 0.7, -2.5, pi}) {
        const Vector3d t(t1, t2, 1.1);
        const Matrix3d R = product_of_turns(sequence, t);
        const Vector3d found = angles_from_matrix(sequence, R);
        EXPECT_EQ(found[2], 0.0) << sequence.name();
        EXPECT_NEAR(found[1], t2, rounding);
        EXPECT_LT(largest_difference(product_of_turns(sequence, found), R), rounding);
      }
    }
  }
}

TEST(EulerAngleRates, AgreeWithTheDerivativeOfTheMatrix) {
  std::mt19937 generator(3);
  constexpr double h = 1e-5;
  for (const EulerSequence& sequence : EulerSequence::all()) {
    const Vector3d t = test::random_vector(generator);
    const Vector3d rates = test::random_vector(generator);
    const Matrix3d derivative =
        (product_of_turns(sequence, t + h * rates) - product_of_turns(sequence, t - h * rates)) /
        (2 * h);
    const Matrix3d skew = product_of_turns(sequence, t).transpose() * derivative;
    const Vector3d w = angular_velocity_from_rates(sequence, t, rates);
    // Central differences: h^2 |rates|^3 / 6 of truncation, 1e-16 / h of rounding.
    EXPECT_LT((w - Vector3d(skew(2, 1), skew(0, 2), skew(1, 0))).norm(), 1e-8) << sequence.name();
  }
}

TEST(EulerAngleRates, AreThoseOfTheSourceForBryantAngles) {
  // [Sol1983, sec. 2.2]: the inverse of eq. 2.2.19, angular velocity O in world components.
  const double c1 = std::cos(0.3), s1 = std::sin(0.3), c2 = std::cos(-0.7), s2 = std::sin(-0.7);
  const Vector3d angles(0.3, -0.7, 2.1);
  const Vector3d O(0.2, -1.3, 0.9);
  const Vector3d expected(O[0] + s1 * s2 / c2 * O[1] - c1 * s2 / c2 * O[2], c1 * O[1] + s1 * O[2],
                          (-s1 * O[1] + c1 * O[2]) / c2);
  const auto sequence = EulerSequence::bryant_xyz();
  const Vector3d w_WB_B = matrix_from_angles(sequence, angles).transpose() * O;
  const auto rates = rates_from_angular_velocity(sequence, angles, w_WB_B);
  ASSERT_TRUE(rates.has_value());
  EXPECT_LT((*rates - expected).norm(), rounding);
}

TEST(EulerAngleRates, ComeBackAndReportTheSingularity) {
  std::mt19937 generator(4);
  for (const EulerSequence& sequence : EulerSequence::all()) {
    const double singular = sequence.is_proper() ? pi : 0.5 * pi;
    for (const double distance : {1.0, 0.1, 1e-3, 1e-6}) {
      const Vector3d t(0.4, singular - distance, -1.7);
      const Vector3d w = test::random_vector(generator);
      EXPECT_NEAR(distance_from_singularity(sequence, t), std::sin(distance), 1e-15);
      EXPECT_NEAR(std::abs(angle_rate_matrix(sequence, t).determinant()), std::sin(distance),
                  rounding);
      const auto rates = rates_from_angular_velocity(sequence, t, w);
      ASSERT_TRUE(rates.has_value());
      // The rates grow like 1/distance, and so does the rounding in their sum.
      EXPECT_LT((angular_velocity_from_rates(sequence, t, *rates) - w).norm(), rounding / distance);
    }
    const Vector3d locked(0.4, singular, -1.7);
    EXPECT_FALSE(rates_from_angular_velocity(sequence, locked, Vector3d::Ones()).has_value());
  }
}

// Fourth-order central differences with steps of 1e-3: truncation 1e-13, round-off 1e-13.
template <class F>
auto slope(F f) {
  constexpr double h = 1e-3;
  return ((8.0 * (f(h) - f(-h)) - (f(2.0 * h) - f(-2.0 * h))) / (12.0 * h)).eval();
}

TEST(RotationVectors, AreTheDerivativesOfTheRotation) {
  std::mt19937 generator(7);
  for (const EulerSequence& sequence : EulerSequence::all()) {
    const Vector3d t = 2.0 * test::random_vector(generator);
    const Matrix3d w = rotation_vectors(sequence, t);
    const Matrix3d R = matrix_from_angles(sequence, t);
    // The same axes in the body are the columns of the rate matrix.
    EXPECT_LT(largest_difference(R.transpose() * w, angle_rate_matrix(sequence, t)), rounding);
    for (int i = 0; i < 3; ++i) {
      const Matrix3d dR =
          slope([&](double s) { return matrix_from_angles(sequence, t + s * Vector3d::Unit(i)); });
      const Matrix3d skew = dR * R.transpose();
      EXPECT_LT((Vector3d(skew(2, 1), skew(0, 2), skew(1, 0)) - w.col(i)).norm(), 1e-11)
          << sequence.name() << i;
    }
  }
}

TEST(RotationVectors, HaveTheirDerivatives) {
  std::mt19937 generator(8);
  for (const EulerSequence& sequence : EulerSequence::all()) {
    const Vector3d t = 2.0 * test::random_vector(generator);
    const Matrix3d w = rotation_vectors(sequence, t);
    const std::array<Matrix3d, 3> W = rotation_vector_derivatives(sequence, t);
    for (int i = 0; i < 3; ++i) {
      const Matrix3d difference =
          slope([&](double s) { return rotation_vectors(sequence, t + s * Vector3d::Unit(i)); });
      EXPECT_LT(largest_difference(difference, W[static_cast<std::size_t>(i)]), 1e-11)
          << sequence.name() << i;
      for (int j = 0; j < 3; ++j) {
        // W_ij - W_ji = w_i x w_j [Sol1983, eq. 2.2.13].
        const Vector3d both =
            W[static_cast<std::size_t>(i)].col(j) - W[static_cast<std::size_t>(j)].col(i);
        EXPECT_LT((both - Vector3d(w.col(i)).cross(Vector3d(w.col(j)))).norm(), rounding);
      }
    }
  }
}

TEST(RotationVectors, OfBryantAnglesAreThoseOfTheSource) {
  // [Sol1983, eq. 2.2.19] and the derivatives by hand.
  const Vector3d t(0.3, -0.7, 2.1);
  const double c1 = std::cos(t[0]), s1 = std::sin(t[0]);
  const double c2 = std::cos(t[1]), s2 = std::sin(t[1]);
  Matrix3d w;
  w << 1, 0, s2, 0, c1, -s1 * c2, 0, s1, c1 * c2;
  Matrix3d by_first;
  by_first << 0, 0, 0, 0, -s1, -c1 * c2, 0, c1, -s1 * c2;
  Matrix3d by_second = Matrix3d::Zero();
  by_second.col(2) << c2, s1 * s2, -c1 * s2;
  const EulerSequence bryant = EulerSequence::bryant_xyz();
  const std::array<Matrix3d, 3> W = rotation_vector_derivatives(bryant, t);
  EXPECT_LT(largest_difference(rotation_vectors(bryant, t), w), rounding);
  EXPECT_LT(largest_difference(W[0], by_first), rounding);
  EXPECT_LT(largest_difference(W[1], by_second), rounding);
  EXPECT_LT(largest_difference(W[2], Matrix3d::Zero()), rounding);
}

TEST(RotationVectors, GiveTheAngularAcceleration) {
  std::mt19937 generator(9);
  for (const EulerSequence& sequence : EulerSequence::all()) {
    const Vector3d t = 2.0 * test::random_vector(generator);
    const Vector3d rates = test::random_vector(generator);
    const Vector3d second = test::random_vector(generator);
    const Vector3d difference = slope([&](double s) {
      const Vector3d at = t + s * rates + 0.5 * s * s * second;
      return (rotation_vectors(sequence, at) * (rates + s * second)).eval();
    });
    EXPECT_LT((difference - angular_acceleration_from_rates(sequence, t, rates, second)).norm(),
              1e-10)
        << sequence.name();
  }
}

}  // namespace
}  // namespace trammel::math::euler_angles_test
