// Differences of polynomials are known exactly: they interpolate and extrapolate them without
// error.
#include "trammel/integrators/modified_differences.h"

#include <cmath>

#include <gtest/gtest.h>

namespace trammel::integrators {
namespace {

using system::Vector;

// Two polynomials of degree 4, and their derivatives.
Vector polynomial(double t) {
  Vector value(2);
  value << 1.0 + t * (2.0 - t * (3.0 - t * (0.5 + t))), t * t * t - 0.3 * t;
  return value;
}

Vector derivative(double t) {
  Vector value(2);
  value << 2.0 - 6.0 * t + 1.5 * t * t + 4.0 * t * t * t, 3.0 * t * t - 0.3;
  return value;
}

// Uneven steps, as a method with error control takes them.
const std::vector<double> steps{0.1, 0.2, 0.2, 0.13, 0.26, 0.05, 0.05};

ModifiedDifferences differences_of_polynomial(int room) {
  ModifiedDifferences differences;
  double t = 0.3;
  differences.begin(t, polynomial(t), room);
  for (const double h : steps) {
    t += h;
    differences.add(h, polynomial(t), room);
  }
  return differences;
}

TEST(ModifiedDifferences, InterpolateAndExtrapolatePolynomials) {
  const ModifiedDifferences differences = differences_of_polynomial(7);
  EXPECT_EQ(differences.available(), 7);
  const double t = differences.time();
  Vector value;
  for (const double s : {-0.4, -0.05, -0.01, 0.0, 0.02, 0.3}) {
    differences.value(s, 5, value);
    EXPECT_LT((value - polynomial(t + s)).norm(), 1e-12) << s;
    differences.rate(s, 5, value);
    EXPECT_LT((value - derivative(t + s)).norm(), 1e-11) << s;
  }
}

TEST(ModifiedDifferences, VanishAboveTheDegree) {
  const ModifiedDifferences differences = differences_of_polynomial(7);
  EXPECT_GT(std::abs(differences[4][0]), 1e-4);
  EXPECT_LT(differences[5].norm(), 1e-13);
  EXPECT_LT(differences[6].norm(), 1e-13);
  // The second polynomial is of degree 3.
  EXPECT_LT(std::abs(differences[4][1]), 1e-13);
}

TEST(ModifiedDifferences, AreBackwardDifferencesWhereStepsAreEqual) {
  ModifiedDifferences differences;
  differences.begin(0.0, polynomial(0.0), 4);
  for (int i = 1; i <= 3; ++i) differences.add(0.1, polynomial(0.1 * i), 4);
  const Vector second = polynomial(0.3) - 2.0 * polynomial(0.2) + polynomial(0.1);
  EXPECT_LT((differences[2] - second).norm(), 1e-14);
  std::array<double, ModifiedDifferences::most> beta{};
  differences.betas(0.1, 4, beta);
  for (int i = 0; i < 4; ++i) EXPECT_NEAR(beta[static_cast<std::size_t>(i)], 1.0, 1e-12);
}

TEST(ModifiedDifferences, KnowHowManyOfThemThereAre) {
  ModifiedDifferences differences;
  differences.begin(0.0, polynomial(0.0), 6);
  EXPECT_EQ(differences.available(), 1);
  differences.add(0.1, polynomial(0.1), 1);
  EXPECT_EQ(differences.available(), 2);
  differences.add(0.1, polynomial(0.2), 1);
  EXPECT_EQ(differences.available(), 3);
  // A step of order 1 keeps two differences right besides the value.
  differences.add(0.1, polynomial(0.3), 1);
  EXPECT_EQ(differences.available(), 3);
}

TEST(ModifiedDifferences, CanBeMadeFromValues) {
  const ModifiedDifferences expected = differences_of_polynomial(7);
  ModifiedDifferences rebuilt = differences_of_polynomial(7);
  std::vector<Vector> values;
  for (int i = 0; i < 7; ++i) {
    values.push_back(polynomial(expected.time() - expected.psi(i)).head(1) * 2.0);
  }
  rebuilt.replace_head(values);
  for (int i = 0; i < 7; ++i) {
    EXPECT_NEAR(rebuilt[i][0], 2.0 * expected[i][0], 1e-12);
    EXPECT_EQ(rebuilt[i][1], expected[i][1]);
  }
}

}  // namespace
}  // namespace trammel::integrators
