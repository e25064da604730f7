// Multipliers that loads depend on: maps with known solutions, and one without any.
#include "trammel/system/reaction_iteration.h"

#include <cmath>

#include <gtest/gtest.h>

namespace trammel::system {
namespace {

// lambda = a + s c |lambda|: a bilateral contact with friction in one number.
ReactionIteration::Map contact(double a, double c) {
  return [=](const Vector& lambda, double share, Vector& image) {
    image = Vector::Constant(1, a + share * c * std::abs(lambda[0]));
  };
}

TEST(ReactionIteration, SmallFrictionNeedsNoNewton) {
  Vector lambda = Vector::Zero(1);
  ReactionIteration iteration;
  const auto report = iteration.solve(contact(1.0, 0.2), lambda);
  EXPECT_TRUE(report.converged);
  EXPECT_EQ(report.share, 1.0);
  EXPECT_LE(report.evaluations, 22);  // log(1e-13) / log(0.2), and one
  EXPECT_NEAR(lambda[0], 1.25, 1e-12);
}

// Plain iteration swings ever wider, although there is one solution.
TEST(ReactionIteration, LargeFrictionThatUnloadsHasASolution) {
  Vector lambda = Vector::Zero(1);
  ReactionIteration iteration;
  const auto report = iteration.solve(contact(1.0, -3.0), lambda);
  EXPECT_TRUE(report.converged);
  EXPECT_NEAR(lambda[0], 0.25, 1e-12);
}

// lambda = 1 / (1 - 2 s): beyond all bounds at half of the friction.
TEST(ReactionIteration, TellsWhereSolutionsEnd) {
  Vector lambda = Vector::Zero(1);
  ReactionIteration iteration;
  const auto report = iteration.solve(contact(1.0, 2.0), lambda);
  EXPECT_FALSE(report.converged);
  EXPECT_NEAR(report.share, 0.5, 1e-3);  // the smallest step of the continuation is 1e-4
  EXPECT_LE(report.share, 0.5);
}

// Three loads F sqrt(1 + F^2) that push back, in forty unknowns: F + c J^T J phi(F) = J^T a with a
// growing phi has exactly one solution, far outside of what plain iteration finds.
TEST(ReactionIteration, ManyUnknownsAndFewLoads) {
  constexpr int n = 40;
  constexpr int loads = 3;
  Eigen::MatrixXd J(n, loads);
  Vector a(n);
  for (int i = 0; i < n; ++i) {
    a[i] = std::sin(1.0 + i);
    for (int j = 0; j < loads; ++j) J(i, j) = std::cos(0.7 * (i + 1) * (j + 1));
  }
  const auto map = [&](const Vector& lambda, double share, Vector& image) {
    image = a;
    for (int j = 0; j < loads; ++j) {
      const double F = J.col(j).dot(lambda);
      image -= share * 0.8 * F * std::sqrt(1.0 + F * F) * J.col(j);
    }
  };
  Vector lambda = Vector::Zero(n);
  ReactionIteration iteration;
  const auto report = iteration.solve(map, lambda);
  ASSERT_TRUE(report.converged);
  Vector image;
  map(lambda, 1.0, image);
  EXPECT_LE((image - lambda).lpNorm<Eigen::Infinity>(), 1e-10);
}

TEST(ReactionIteration, NothingToDo) {
  Vector lambda;
  ReactionIteration iteration;
  EXPECT_TRUE(iteration.solve([](const Vector&, double, Vector& image) { image.resize(0); }, lambda)
                  .converged);
}

}  // namespace
}  // namespace trammel::system
