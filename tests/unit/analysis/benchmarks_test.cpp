// Published benchmark mechanisms against exact values and independent computations.
#include <array>
#include <set>
#include <string>

#include "convergence.h"
#include "support/mechanisms.h"
#include "support/reference_motion.h"
#include <gtest/gtest.h>

namespace trammel::analysis {
namespace {

// theta'' = f(theta) by Runge-Kutta-Nystroem of order 4 with a step that leaves 1e-11.
template <class F>
std::array<double, 2> exact_angle(double theta, double rate, double until, F f) {
  const int n = 40000;
  const double h = until / n;
  for (int i = 0; i < n; ++i) {
    const double k1 = f(theta);
    const double k2 = f(theta + 0.5 * h * rate + 0.125 * h * h * k1);
    const double k3 = f(theta + h * rate + 0.5 * h * h * k2);
    theta += h * rate + h * h / 6.0 * (k1 + 2.0 * k2);
    rate += h / 6.0 * (k1 + 4.0 * k2 + k3);
  }
  return {theta, rate};
}

TEST(Pendulum, ReachesTheExactPositionWithOrderTwo) {
  const double until = 2.0;
  const auto [angle, rate] =
      exact_angle(M_PI, 0.0, until, [](double phi) { return -9.81 * std::cos(phi); });
  const Eigen::Vector2d exact(std::cos(angle), std::sin(angle));
  std::vector<double> errors;
  for (const double h : {2e-3, 1e-3, 5e-4}) {
    const RunEnd end = run_to(support::pendulum(), h, until);
    errors.push_back((end.motion.state.q - exact).norm());
    EXPECT_LT(end.position_error, 1e-12);
  }
  EXPECT_NEAR(measured_order(errors[0], errors[1]), 2.0, 0.05);
  EXPECT_NEAR(measured_order(errors[1], errors[2]), 2.0, 0.05);
  EXPECT_LT(errors[2], 1e-5);  // measured 7e-6 at a spectral radius of 0.6
}

class FourBars : public ::testing::TestWithParam<int> {};

// The rockers pass the line y = 0, where all bars lie in one line and the rank of G drops: the
// exact motion goes straight through, and so must the computed one.
TEST_P(FourBars, FollowTheExactAngleThroughSingularPositions) {
  const int n = GetParam();
  const double until = 2.0;
  const auto [theta, rate] = exact_angle(M_PI / 2, -1.0, until, [n](double angle) {
    return support::four_bars_angular_acceleration(n, angle);
  });
  ASSERT_LT(theta, 0.0);  // below the line: a singular position has been passed
  std::vector<double> errors;
  for (const double h : {2e-3, 1e-3, 2.5e-4, 1e-4}) {
    const RunEnd end = run_to(support::four_bars(n), h, until);
    errors.push_back(std::abs(end.motion.state.q[2] - theta));
    EXPECT_LT(end.position_error, 1e-10);
    // Energy is of the order of 20 J per loop; the loss is of second order in h.
    EXPECT_LT(std::abs(end.energy_change), 2e-3 * n);
    // All rockers stay parallel and all couplers level.
    for (int i = 0; i <= n; ++i) EXPECT_NEAR(end.motion.state.q[3 * i + 2], theta, 1e-4);
    for (int i = 0; i < n; ++i) EXPECT_NEAR(end.motion.state.q[3 * (n + 1 + i) + 2], 0.0, 1e-6);
  }
  EXPECT_NEAR(measured_order(errors[0], errors[1]), 2.0, 0.1);
  EXPECT_LT(errors[1], 5e-5);
}

INSTANTIATE_TEST_SUITE_P(Loops, FourBars, ::testing::Values(1, 2, 10));

TEST(AsymmetricTop, KeepsItsInvariantsAndHasOrderTwo) {
  const model::Description top = support::asymmetric_top();
  const auto system = model::compile(top);
  const Eigen::Matrix3d J = top.bodies[0].mass.inertia;
  const auto momentum = [&](const system::State& s) {
    const Eigen::Quaterniond R(s.q[3], s.q[4], s.q[5], s.q[6]);
    return Eigen::Vector3d(R * (J * s.v.tail<3>()));
  };
  const system::State start = system->described_state();
  const double until = 3.0;  // the body flips over once
  const system::Motion exact = support::reference_motion(*system, start, until, 6000);
  std::vector<MotionError> errors;
  std::vector<double> momentum_errors;
  for (const double h : {2e-3, 1e-3}) {
    const RunEnd end = run_to(top, h, until, {.spectral_radius = 0.9});
    errors.push_back(difference(*system, end.motion, exact));
    momentum_errors.push_back((momentum(end.motion.state) - momentum(start)).norm());
    EXPECT_LT(std::abs(end.energy_change), 1e-3);  // of 25 J
  }
  EXPECT_NEAR(measured_order(errors[0].pose, errors[1].pose), 2.0, 0.1);
  EXPECT_NEAR(measured_order(errors[0].velocity, errors[1].velocity), 2.0, 0.1);
  EXPECT_NEAR(measured_order(momentum_errors[0], momentum_errors[1]), 2.0, 0.2);
}

TEST(HeavyTop, HasOrderTwoInPoseRatesAndMultipliers) {
  const model::Description top = support::heavy_top();
  const auto system = model::compile(top);
  const Assembly assembly = assemble(*system);
  const double until = 0.5;
  // Fourth order with 0.0015 rad per step of the spin: exact to 1e-8.
  const system::Motion exact =
      support::reference_motion(*system, assembly.motion.state, until, 50000);
  std::vector<MotionError> errors;
  for (const double h : {2e-4, 1e-4}) {
    const RunEnd end = run_to(top, h, until, {.newton_tolerance = 1e-10});
    errors.push_back(difference(*system, end.motion, exact));
    EXPECT_LT(end.position_error, 1e-11);
  }
  EXPECT_NEAR(measured_order(errors[0].pose, errors[1].pose), 2.0, 0.1);
  EXPECT_NEAR(measured_order(errors[0].velocity, errors[1].velocity), 2.0, 0.1);
  EXPECT_NEAR(measured_order(errors[0].multiplier, errors[1].multiplier), 2.0, 0.1);
}

TEST(HeavyTop, KeepsTheVerticalAngularMomentumToSecondOrder) {
  const model::Description top = support::heavy_top();
  const auto system = model::compile(top);
  const Eigen::Matrix3d J = top.bodies[0].mass.inertia;
  const auto vertical = [&](const system::State& s) {
    const Eigen::Quaterniond R(s.q[3], s.q[4], s.q[5], s.q[6]);
    const Eigen::Vector3d about_tip =
        s.q.head<3>().cross(15.0 * s.v.head<3>()) + R * (J * s.v.tail<3>());
    return about_tip.z();
  };
  const double start = vertical(assemble(*system).motion.state);
  std::vector<double> drift;
  for (const double h : {2e-4, 1e-4}) {
    drift.push_back(std::abs(vertical(run_to(top, h, 0.5).motion.state) - start));
  }
  EXPECT_LT(drift[1], 1e-2);  // of 69 kg m^2/s
  EXPECT_LT(drift[1], 0.4 * drift[0]);
}

TEST(Bricard, IsRedundantByOneRowAndSaysWhich) {
  const auto system = model::compile(support::bricard());
  const Assembly assembly = assemble(*system);
  EXPECT_EQ(assembly.mobility.velocities, 30);
  EXPECT_EQ(assembly.mobility.rows, 30);
  EXPECT_EQ(assembly.mobility.freedoms(), 1);
  ASSERT_EQ(assembly.mobility.redundant.size(), 1U);
  EXPECT_EQ(assembly.mobility.redundant[0].joint, "hinge5");
  // The six axes form one self-stress: every hinge carries part of it.
  std::set<std::string> joints;
  for (const model::RowName& row : assembly.mobility.not_unique) joints.insert(row.joint);
  EXPECT_EQ(joints.size(), 6U);
  // The decision is not a close one.
  EXPECT_GT(assembly.mobility.smallest_kept, 1e3 * assembly.mobility.largest_dropped);
}

TEST(Bricard, MovesAsTheIndependentComputationSays) {
  const auto system = model::compile(support::bricard());
  const Assembly assembly = assemble(*system);
  const double until = 1.0;
  const system::Motion exact =
      support::reference_motion(*system, assembly.motion.state, until, 2000);
  std::vector<MotionError> errors;
  for (const double h : {2e-3, 1e-3}) {
    const RunEnd end = run_to(support::bricard(), h, until);
    errors.push_back(difference(*system, end.motion, exact));
    EXPECT_LT(end.position_error, 1e-10);
  }
  EXPECT_NEAR(measured_order(errors[0].pose, errors[1].pose), 2.0, 0.2);
  EXPECT_LT(errors[1].pose, 1e-3);
}

TEST(SpatialSliderCrank, MovesAsTheIndependentComputationSays) {
  const auto system = model::compile(support::spatial_slider_crank());
  const Assembly assembly = assemble(*system);
  EXPECT_EQ(assembly.mobility.freedoms(), 1);
  EXPECT_TRUE(assembly.mobility.redundant.empty());
  const double until = 1.0;
  const system::Motion exact =
      support::reference_motion(*system, assembly.motion.state, until, 4000);
  std::vector<MotionError> errors;
  for (const double h : {2.5e-4, 1.25e-4}) {
    const RunEnd end =
        run_to(support::spatial_slider_crank(), h, until, {.newton_tolerance = 1e-10});
    errors.push_back(difference(*system, end.motion, exact));
    EXPECT_LT(end.position_error, 1e-11);
  }
  EXPECT_NEAR(measured_order(errors[0].pose, errors[1].pose), 2.0, 0.1);
  EXPECT_NEAR(measured_order(errors[0].velocity, errors[1].velocity), 2.0, 0.1);
  EXPECT_NEAR(measured_order(errors[0].multiplier, errors[1].multiplier), 2.0, 0.15);
}

TEST(Chain, OfHundredBodiesGoesThroughTheWholeFirstSecondWithOrderTwo) {
  // At 0.2 s, against a run at a step 16 times smaller than the finest compared.
  const auto system = model::compile(support::chain(100, model::Space::planar));
  const auto run = [](double h) {
    return run_to(support::chain(100, model::Space::planar), h, 0.2).motion;
  };
  const system::Motion reference = run(1e-3 / 64);
  const MotionError coarse = difference(*system, run(1e-3 / 2), reference);
  const MotionError fine = difference(*system, run(1e-3 / 4), reference);
  EXPECT_NEAR(measured_order(coarse.pose, fine.pose), 2.0, 0.25);

  const RunEnd end = run_to(support::chain(100, model::Space::spatial), 1e-3, 1.0);
  EXPECT_LT(end.position_error, 1e-10);
  EXPECT_LT(std::abs(end.energy_change), 0.05);  // of 5 J of kinetic energy; lost in the whip
  EXPECT_LT(end.statistics.largest_displacement, 1.0);
}

}  // namespace
}  // namespace trammel::analysis
