// Radau IIA of order 5: its table, its order on constrained motion, and stiff models.
#include "trammel/integrators/radau.h"

#include "registered.h"
#include "runge_kutta.h"
#include <gtest/gtest.h>

#include "trammel/integrators/march.h"
#include "trammel/integrators/radau_table.h"

namespace trammel::integrators::testing::radau_test {
namespace {

constexpr double rounding = 1e-14;

TEST(RadauTable, MeetsTheOrderConditions) {
  const RadauTable& t = radau_table();
  const Eigen::Vector3d b = t.a.row(2).transpose();
  for (int k = 1; k <= 5; ++k) {
    const Eigen::Vector3d powers = t.c.array().pow(k - 1).matrix();
    // Quadrature of order 5, and the stages are exact for polynomials up to degree 3.
    EXPECT_NEAR(b.dot(powers), 1.0 / k, rounding) << k;
    if (k > 3) continue;
    const Eigen::Vector3d stages = t.a * powers;
    const Eigen::Vector3d exact = t.c.array().pow(k).matrix() / k;
    EXPECT_LT((stages - exact).norm(), rounding) << k;
  }
}

TEST(RadauTable, KnowsItsEigenvectors) {
  const RadauTable& t = radau_table();
  EXPECT_LT((t.a * t.real_vector - t.real * t.real_vector).norm(), rounding);
  const Eigen::Matrix3cd a = t.a.cast<std::complex<double>>();
  EXPECT_LT((a * t.pair_vector - t.pair * t.pair_vector).norm(), rounding);
  EXPECT_NEAR(t.real_row.dot(t.real_vector), 1.0, rounding);
  const std::complex<double> one = (t.pair_row.transpose() * t.pair_vector)(0, 0);
  EXPECT_LT(std::abs(one - 1.0), rounding);
  // RADAU5's numbers, as inverses.
  EXPECT_NEAR(1.0 / t.real, 3.6378342527444957, 1e-13);
  EXPECT_NEAR((1.0 / t.pair).real(), 2.6810828736277521, 1e-13);
}

TEST(RadauTable, InterpolatesPolynomials) {
  const RadauTable& t = radau_table();
  for (const double s : {0.0, 0.3, 0.9, 1.0, 1.7}) {
    const RadauWeights w(s);
    for (int k = 1; k <= 3; ++k) {
      const Eigen::Vector3d values = t.c.array().pow(k).matrix();
      EXPECT_NEAR(w.value.dot(values), std::pow(s, k), 1e-13);
      EXPECT_NEAR(w.slope.dot(values), k * std::pow(s, k - 1), 1e-12);
      if (k < 3) {
        EXPECT_NEAR(w.multiplier.dot(values), std::pow(s, k), 1e-13);
      }
    }
    EXPECT_NEAR(w.multiplier.sum(), 1.0, 1e-13);
  }
}

struct Outcome {
  double error = 0.0;
  double steps = 0.0;
};

Outcome pendulum(double tolerance) {
  FunctionSystem system = circle_pendulum();
  const State start{0.0, vector({-1, 0}), vector({0, 0}), {}};
  static const Motion exact = runge_kutta(system, start, 1.0, 8000);
  AdaptiveOptions options;
  options.relative_tolerance = tolerance;
  options.absolute_tolerance = tolerance;
  Radau radau(system, options);
  radau.start(consistent_motion(system, start));
  March march(radau);
  EXPECT_TRUE(march.advance(1.0, 1).ok);
  return {(radau.motion().state.q - exact.state.q).norm(),
          static_cast<double>(radau.statistics().steps)};
}

// Of order 5 in the number of steps. The last step is cut at the end by its polynomial of degree 3,
// which costs up to an order there, and what Newton's iteration leaves another part.
TEST(Radau, HasAHighOrderOnConstrainedMotion) {
  const Outcome coarse = pendulum(1e-4);
  const Outcome fine = pendulum(1e-7);
  const double order = std::log(coarse.error / fine.error) / std::log(fine.steps / coarse.steps);
  EXPECT_GT(order, 3.5) << coarse.error << " " << coarse.steps << " " << fine.error << " "
                        << fine.steps;
  EXPECT_LT(fine.error, 1e-7);
}

// A mass on a rod that is a stiff spring, damped: it swings in seconds and would vibrate in tenths
// of a millisecond.
TEST(Radau, PassesOverStiffVibrations) {
  const auto steps = [](double stiffness) {
    FunctionSystem system({.mass = vector({1.0, 1.0}), .force = [stiffness](const State& s) {
                             const double length = s.q.norm();
                             const Vector along = s.q / length;
                             const double rate = along.dot(s.v);
                             const double damping = 2.0 * std::sqrt(stiffness);
                             return Vector(vector({0.0, -9.81}) -
                                           (stiffness * (length - 1.0) + damping * rate) * along);
                           }});
    AdaptiveOptions options;
    Radau radau(system, options);
    radau.start(consistent_motion(system, {0.0, vector({1, 0}), vector({0, 0}), {}}));
    March march(radau);
    EXPECT_TRUE(march.advance(2.0, 1).ok);
    FunctionSystem rigid = circle_pendulum();
    const Motion exact = runge_kutta(rigid, {0.0, vector({1, 0}), vector({0, 0}), {}}, 2.0, 8000);
    // The spring gives by m g / k and what turning adds to that.
    EXPECT_LT((radau.motion().state.q - exact.state.q).norm(), 1e-5 + 2e2 / stiffness);
    return radau.statistics().steps;
  };
  // A hundred times the stiffness, ten times the frequency: explicit steps would be ten times as
  // many, and at 1e8 N/m more than 10,000. Stiff directions that turn cost Newton's iteration
  // something: measured 270 and 430.
  const long soft = steps(1e6);
  const long stiff = steps(1e8);
  EXPECT_LT(stiff, 800);
  EXPECT_LT(stiff, 3 * soft);
}

}  // namespace
}  // namespace trammel::integrators::testing::radau_test
