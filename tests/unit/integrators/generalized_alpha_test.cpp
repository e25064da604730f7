// registry: integrators
#include "trammel/integrators/generalized_alpha.h"

#include <array>

#include "hand_written_systems.h"
#include "registered.h"
#include <gtest/gtest.h>
#include <unsupported/Eigen/MatrixFunctions>

#include "trammel/core/diagnostic.h"
#include "trammel/integrators/kinds.h"
#include "trammel/integrators/march.h"

namespace trammel::integrators::testing::generalized_alpha_test {
namespace {

Motion at(const Vector& q, const Vector& v, const Vector& a, const Vector& lambda) {
  return {{0.0, q, v, {}}, a, lambda};
}

Motion run(FunctionSystem& system,
           const Motion& start,
           double h,
           double until,
           GeneralizedAlphaOptions options = {}) {
  GeneralizedAlpha integrator(system, std::move(options));
  integrator.start(start);
  const long steps = std::lround(until / h);
  for (long i = 0; i < steps; ++i) {
    const StepReport report = integrator.step(until / static_cast<double>(steps));
    EXPECT_TRUE(report.ok()) << to_string(report.failure) << " at " << integrator.motion().state.t;
    if (!report.ok()) break;
  }
  return integrator.motion();
}

// The rate at which errors fall over two halvings of h.
double order(const std::function<double(double)>& error, double h) {
  return std::log2(error(h) / error(h / 4.0)) / 2.0;
}

// The exact pendulum by Runge-Kutta in its angle with a step that leaves 1e-12.
std::array<double, 2> exact_pendulum(double until) {
  double angle = M_PI;
  double rate = 0.0;
  const int n = 20000;
  const double h = until / n;
  const auto f = [](double phi) { return -9.81 * std::cos(phi); };
  for (int i = 0; i < n; ++i) {
    const double k1 = f(angle);
    const double k2 = f(angle + 0.5 * h * rate);
    const double k3 = f(angle + 0.5 * h * (rate + 0.5 * h * k1));
    const double k4 = f(angle + h * (rate + 0.5 * h * k2));
    angle += h * rate + h * h / 6.0 * (k1 + k2 + k3);
    rate += h / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4);
  }
  return {angle, rate};
}

Motion pendulum_start() {
  return at(vector({-1, 0}), vector({0, 0}), vector({0, -9.81}), vector({0}));
}

TEST(GeneralizedAlpha, HasOrderTwoOnAnOscillatorForEverySpectralRadius) {
  FunctionSystem system = oscillator();
  const double until = 2.0;
  const double w = std::sqrt(9.0 - 0.01);
  const double q = std::exp(-0.1 * until) * (std::cos(w * until) + 0.1 / w * std::sin(w * until));
  for (const double rho : {0.0, 0.3, 0.6, 0.9, 1.0}) {
    const auto error = [&](double h) {
      const Motion end = run(system, at(vector({1}), vector({0}), vector({-9}), Vector(0)), h,
                             until, {.spectral_radius = rho});
      return std::abs(end.state.q[0] - q);
    };
    // Measured over a factor of four; 0.1 is the usual distance from the limit at these steps.
    EXPECT_NEAR(order(error, 0.01), 2.0, 0.1) << "rho = " << rho;
  }
}

TEST(GeneralizedAlpha, HasOrderTwoInPositionVelocityAndMultiplierAtIndexThree) {
  FunctionSystem system = circle_pendulum();
  const double until = 1.5;
  const auto [angle, rate] = exact_pendulum(until);
  const Vector q = vector({std::cos(angle), std::sin(angle)});
  const Vector v = rate * vector({-std::sin(angle), std::cos(angle)});
  // Along the rod: lambda = -(f + m rate^2 ...) . q with m = 1 and |q| = 1.
  const double lambda = rate * rate - 9.81 * std::sin(angle);
  const std::array<std::function<double(const Motion&)>, 3> errors{
      [&](const Motion& m) { return (m.state.q - q).norm(); },
      [&](const Motion& m) { return (m.state.v - v).norm(); },
      [&](const Motion& m) { return std::abs(m.lambda[0] - lambda); }};
  for (const auto& measure : errors) {
    const auto error = [&](double h) {
      return measure(run(system, pendulum_start(), h, until, {.newton_tolerance = 1e-10}));
    };
    EXPECT_NEAR(order(error, 4e-3), 2.0, 0.1);
  }
}

TEST(GeneralizedAlpha, KeepsPositionConstraintsToNewtonsTolerance) {
  FunctionSystem system = circle_pendulum();
  GeneralizedAlpha integrator(system, {});
  integrator.start(pendulum_start());
  Vector g;
  for (int i = 0; i < 2000; ++i) {
    ASSERT_TRUE(integrator.step(1e-3).ok());
    system.position_constraint(integrator.motion().state, g);
    // Newton's tolerance times h^2 times acceleration (at most 30 m/s^2), squared by convergence.
    ASSERT_LT(std::abs(g[0]), 1e-12);
  }
}

TEST(GeneralizedAlpha, ConditionDoesNotDegradeAsTheStepShrinks) {
  FunctionSystem system = circle_pendulum();
  for (const double h : {1e-4, 1e-5, 1e-6}) {
    GeneralizedAlpha integrator(system, {});
    integrator.start(pendulum_start());
    for (int i = 0; i < 50; ++i) ASSERT_TRUE(integrator.step(h).ok()) << h;
    const double t = 50.0 * h;
    // y = -g t^2 / 2 + g^3 t^6 / 40 - ...; what is left is round-off.
    const double exact = -0.5 * 9.81 * t * t + std::pow(9.81, 3) * std::pow(t, 6) / 40.0;
    EXPECT_NEAR(integrator.motion().state.q[1], exact, 2e-14);
    EXPECT_LT(integrator.statistics().iterations, 4 * 50);
  }
}

TEST(GeneralizedAlpha, FollowsTheSkateWithItsNonholonomicConstraint) {
  FunctionSystem system = skate();
  const double w = 2.0;
  const double until = 1.7;
  const Vector exact =
      vector({4.0 / (2 * w * w) * std::pow(std::sin(w * until), 2),
              4.0 / (2 * w * w) * (w * until - 0.5 * std::sin(2 * w * until)), w * until});
  const Motion start = at(vector({0, 0, 0}), vector({0, 0, w}), vector({4, 0, 0}), vector({0}));
  const auto error = [&](double h) {
    return (run(system, start, h, until).state.q - exact).norm();
  };
  EXPECT_NEAR(order(error, 0.01), 2.0, 0.1);
  const Motion end = run(system, start, 0.01, until);
  Vector slip;
  system.velocity_constraint(end.state, slip);
  EXPECT_LT(std::abs(slip[0]), 1e-9);  // imposed exactly, to Newton's tolerance
}

TEST(GeneralizedAlpha, FollowsARheonomicConstraintAndReportsTheDriveForce) {
  FunctionSystem system = driven_mass();
  const Motion start = at(vector({0, 1}), vector({2, 0}), vector({0, -9}), vector({0}));
  const double until = 1.3;
  const Motion end = run(system, start, 1e-3, until);
  EXPECT_NEAR(end.state.q[0], std::sin(2 * until), 1e-12);
  EXPECT_NEAR(end.state.q[1], std::cos(3 * until), 1e-5);  // second order: w^3 h^2 t / 12
  // m x'' = -lambda.
  EXPECT_NEAR(end.lambda[0], 4 * std::sin(2 * until), 1e-4);
}

TEST(GeneralizedAlpha, IntegratesFirstOrderStatesWithOrderTwo) {
  FunctionSystem system = maxwell_element();
  Eigen::Matrix3d A;  // of (q, v, z)
  A << 0, 1, 0, -4, 0, -1, 0, 3, -5;
  const double until = 2.0;
  const Eigen::Vector3d exact = (A * until).exp() * Eigen::Vector3d(1, 0, 0.5);
  const Motion start{{0.0, vector({1}), vector({0}), vector({0.5})}, vector({-4.5}), Vector(0)};
  const auto error = [&](double h) {
    const State s = run(system, start, h, until).state;
    return (Eigen::Vector3d(s.q[0], s.v[0], s.z[0]) - exact).norm();
  };
  EXPECT_NEAR(order(error, 0.02), 2.0, 0.15);
}

TEST(GeneralizedAlpha, KeepsOrderTwoWhenTheStepChanges) {
  FunctionSystem system = oscillator();
  const double until = 2.0;
  const double w = std::sqrt(9.0 - 0.01);
  const double q = std::exp(-0.1 * until) * (std::cos(w * until) + 0.1 / w * std::sin(w * until));
  const auto error = [&](double h) {
    GeneralizedAlpha integrator(system, {.spectral_radius = 0.3});
    integrator.start(at(vector({1}), vector({0}), vector({-9}), Vector(0)));
    // Alternating steps of h and h/2.
    const long pairs = std::lround(until / (1.5 * h));
    for (long i = 0; i < pairs; ++i) {
      EXPECT_TRUE(integrator.step(until / static_cast<double>(pairs) * 2.0 / 3.0).ok());
      EXPECT_TRUE(integrator.step(until / static_cast<double>(pairs) / 3.0).ok());
    }
    return std::abs(integrator.motion().state.q[0] - q);
  };
  EXPECT_NEAR(order(error, 0.02), 2.0, 0.15);
}

TEST(GeneralizedAlpha, AFailedStepLeavesTheTimeAndPositionsWhereTheyWere) {
  FunctionSystem system = broken_after_half_a_second();
  GeneralizedAlpha integrator(system, {});
  integrator.start(at(vector({1}), vector({0}), vector({-1}), Vector(0)));
  while (integrator.motion().state.t < 0.35) ASSERT_TRUE(integrator.step(0.1).ok());
  const Motion before = integrator.motion();
  const StepReport report = integrator.step(0.2);
  EXPECT_EQ(report.failure, Failure::not_finite);
  EXPECT_EQ(integrator.motion().state.t, before.state.t);
  EXPECT_EQ(integrator.motion().state.q, before.state.q);
  EXPECT_TRUE(integrator.step(0.05).ok());
}

TEST(March, HalvesFailedStepsAndStopsWithTheReason) {
  FunctionSystem system = broken_after_half_a_second();
  GeneralizedAlpha integrator(system, {});
  integrator.start(at(vector({1}), vector({0}), vector({-1}), Vector(0)));
  March march(integrator, 6);
  const MarchReport report = march.advance(0.1, 10);
  EXPECT_FALSE(report.ok);
  EXPECT_EQ(report.failure, Failure::not_finite);
  EXPECT_EQ(report.halvings, 6);
  EXPECT_DOUBLE_EQ(report.smallest_step, 0.1 / 64);
  EXPECT_GT(report.time, 0.48);
  EXPECT_LE(report.time, 0.5);
}

TEST(March, EndsExactlyOnItsGridAfterHalving) {
  // A wall of force that needs small steps near t = 0.33.
  FunctionSystem system({.mass = vector({1.0}), .force = [](const State& s) {
                           return vector(
                               {-1e4 * std::exp(-std::pow((s.t - 0.33) / 0.01, 2)) * s.q[0]});
                         }});
  GeneralizedAlpha integrator(system, {.resolution = 1e-3});
  integrator.start(at(vector({1}), vector({0}), vector({0}), Vector(0)));
  March march(integrator);
  long calls = 0;
  const MarchReport report = march.advance(0.05, 20, [&] {
    ++calls;
    return true;
  });
  EXPECT_TRUE(report.ok);
  EXPECT_GT(report.halvings, 0);
  EXPECT_EQ(calls, integrator.statistics().steps);
  EXPECT_NEAR(report.time, 1.0, 1e-12);  // sums of binary fractions of 0.05
}

TEST(March, CountsAnyNumberOfSteps) {
  // In units of the smallest step, of which a step may have 2^20, these are more than a number
  // holds.
  constexpr long steps = 1L << 44;
  FunctionSystem system = oscillator();
  GeneralizedAlpha integrator(system, {});
  integrator.start(at(vector({1}), vector({0}), vector({-1}), Vector(0)));
  March march(integrator);
  long calls = 0;
  const MarchReport report = march.advance(1e-3, steps, [&] { return ++calls < 100; });
  EXPECT_TRUE(report.ok);
  EXPECT_EQ(calls, 100);
  EXPECT_NEAR(report.time, 0.1, 1e-12);
}

TEST(GeneralizedAlpha, GivesTheSameMotionWithEverySolver) {
  FunctionSystem system = circle_pendulum();
  const Motion reference = run(system, pendulum_start(), 1e-3, 0.5, {.newton_tolerance = 1e-12});
  for (const auto& kind : linear::solver_kinds()) {
    const Motion end =
        run(system, pendulum_start(), 1e-3, 0.5, {.newton_tolerance = 1e-12, .solver = kind.name});
    // Newton's tolerance times the amplification over 500 steps.
    EXPECT_LT((end.state.q - reference.state.q).norm(), 1e-10) << kind.name;
  }
}

TEST(GeneralizedAlpha, RefusesOptionsThatMakeNoSense) {
  FunctionSystem system = oscillator();
  EXPECT_THROW(GeneralizedAlpha(system, {.spectral_radius = 1.2}), core::InputError);
  EXPECT_THROW(GeneralizedAlpha(system, {.spectral_radius = std::nan("")}), core::InputError);
  EXPECT_THROW(GeneralizedAlpha(system, {.newton_tolerance = 0.0}), core::InputError);
  try {
    GeneralizedAlpha integrator(system, {.solver = "blok-ldlt"});
    FAIL() << "an unknown solver was accepted";
  } catch (const core::InputError& error) {
    EXPECT_NE(std::string(error.what()).find("did you mean 'block-ldlt'?"), std::string::npos);
  }
}

TEST(Integrators, EveryMemberOfTheFamilyHasOrderTwoOnThePendulum) {
  const double until = 1.0;
  const double angle = exact_pendulum(until)[0];
  for (const std::string& name : names_of_kinds_with("index")) {
    const IntegratorKind& kind = *find_integrator_kind(name);
    const auto error = [&](double h) {
      FunctionSystem system = circle_pendulum();
      const auto integrator = kind.make(system, {{"newton_tolerance", 1e-10}}, "auto");
      integrator->start(pendulum_start());
      March march(*integrator);
      EXPECT_TRUE(march.advance(h, std::lround(until / h)).ok);
      return std::abs(integrator->motion().state.q[1] - std::sin(angle));
    };
    EXPECT_NEAR(order(error, 4e-3), 2.0, 0.15) << kind.name;
  }
}

}  // namespace
}  // namespace trammel::integrators::testing::generalized_alpha_test
