// Friction and contact through the integrators: convergence, energy balance, rest.
#include <cmath>

#include <gtest/gtest.h>

#include "trammel/analysis/assembly.h"
#include "trammel/analysis/load_balance.h"
#include "trammel/analysis/simulate.h"
#include "trammel/constraint_handling/mass_orthogonal_projection.h"
#include "trammel/core/diagnostic.h"

namespace trammel::analysis::friction_test {
namespace {

using model::Body;
using model::Description;

Body bar(const char* name, const Eigen::Vector3d& from, const Eigen::Vector3d& to) {
  Body body;
  body.name = name;
  const double length = (to - from).norm();
  body.mass = {.mass = 2.0, .inertia = 2.0 * length * length / 12.0 * Eigen::Matrix3d::Identity()};
  body.position = 0.5 * (from + to);
  return body;
}

// Slider-crank under gravity with friction in all joints.
Description slider_crank(double friction) {
  Description d;
  d.space = model::Space::planar;
  d.gravity = {0, -9.81, 0};
  const Eigen::Vector3d origin = Eigen::Vector3d::Zero();
  const Eigen::Vector3d tip(0.3 * std::cos(1.0), 0.3 * std::sin(1.0), 0);
  const Eigen::Vector3d end(tip.x() + std::sqrt(0.64 - tip.y() * tip.y()), 0, 0);
  d.add_body(bar("crank", origin, tip));
  d.add_body(bar("rod", tip, end));
  d.add_body(bar("slider", end - Eigen::Vector3d(0.1, 0, 0), end + Eigen::Vector3d(0.1, 0, 0)));
  d.bodies[0].angular_velocity = {0, 0, 8.0};
  d.bodies[0].fixed_velocity[5] = true;
  d.add_joint("revolute", "main", "ground", "crank").at = origin;
  d.add_joint("revolute", "pin", "crank", "rod").at = tip;
  d.add_joint("revolute", "wrist", "rod", "slider").at = end;
  d.add_joint("prismatic", "rail", "ground", "slider", {{"axis", Eigen::Vector3d(1, 0, 0)}}).at =
      end;
  for (const char* name : {"main", "pin", "wrist"}) {
    d.add_force("joint_friction", std::string(name) + "_friction", {},
                {{"coordinate", std::string(name) + ".angle"},
                 {"friction", friction},
                 {"radius", 0.02},
                 {"slip_speed", 2e-3}});
  }
  d.add_force("joint_friction", "rail_friction", {},
              {{"coordinate", std::string("rail.displacement")},
               {"friction", friction},
               {"slip_speed", 2e-3}});
  d.simulation.until = 1.0;
  d.simulation.step = 1e-3;
  return d;
}

SimulationReport run(const Description& description) {
  const auto system = model::compile(description);
  return simulate(*system, description.simulation);
}

TEST(JointFrictionRun, NewtonConvergesWithoutTheDerivativeByMultipliers) {
  double smooth = 0.0;
  for (const double friction : {0.0, 0.1, 0.3, 0.5}) {
    const SimulationReport report = run(slider_crank(friction));
    ASSERT_EQ(report.outcome, results::Outcome::completed) << friction << ": " << report.message;
    const double iterations =
        report.statistics.at("newton_iterations") / report.statistics.at("steps");
    RecordProperty("iterations_" + std::to_string(friction), std::to_string(iterations));
    if (friction == 0.0) smooth = iterations;
    // Linear convergence: some more iterations than without friction, not many times as many.
    EXPECT_LE(iterations, 4.0 * smooth) << friction;
    // The energy balance closes by definition; what the integrator itself lost is small against
    // friction.
    if (friction == 0.0) continue;
    EXPECT_GT(report.energy.dissipated, 1.0);
    EXPECT_LE(std::abs(report.energy.numerical_loss), 0.01 * report.energy.dissipated) << friction;
  }
}

// Painleve's rod: one end slides in a guide along x, the other stands behind it, at the angle
// whose tangent is -2. With N the load of the guide, l half of the length, and v > 0
//
//     A N - mu B |N| = g,   A = 1/m + l^2 cos^2/I,   B = l^2 |sin cos|/I,
//
// which has no solution for mu > A/B = 4/3 with the inertia m l^2/3 about the centre.
Description sliding_rod(double friction) {
  Description d;
  d.space = model::Space::planar;
  d.gravity = {0, -9.81, 0};
  const double angle = std::atan2(2.0, -1.0);
  Body rod;
  rod.name = "rod";
  rod.mass = {.mass = 2.0, .inertia = 2.0 / 3.0 * Eigen::Matrix3d::Identity()};
  rod.position = {std::cos(angle), std::sin(angle), 0};
  rod.velocity = {1.0, 0, 0};
  d.add_body(rod);
  d.add_joint("pin_in_slot", "guide", "ground", "rod", {{"axis", Eigen::Vector3d(1, 0, 0)}}).at =
      Eigen::Vector3d::Zero();
  d.add_force("joint_friction", "rubbing", {},
              {{"coordinate", std::string("guide.displacement")}, {"friction", friction}});
  d.simulation.until = 0.01;
  return d;
}

TEST(Paradox, SlidingRodHasItsLoadBelowTheLimit) {
  for (const double friction : {0.5, 1.2, 1.3}) {
    const auto system = model::compile(sliding_rod(friction));
    const Assembly start = assemble(*system);
    // 1/A = 5/4, B/A = 3/4. Smoothing takes a share of 5e-7 of the friction; near the limit, the
    // load is 1 / (1 - 3/4 mu) = 40 times as sensitive.
    const double exact = 1.25 * 9.81 / (1.0 - 0.75 * friction);
    EXPECT_NEAR(std::abs(start.motion.lambda[0]), exact, 4e-5 * exact) << friction;
  }
}

// The multipliers that fit known accelerations are those the accelerations were found with. Plain
// iteration brings 2.5 % of them per pass.
TEST(Paradox, MultipliersOfKnownAccelerations) {
  const auto system = model::compile(sliding_rod(1.3));
  const Assembly start = assemble(*system);
  const double load = start.motion.lambda[0];
  constraint_handling::MassOrthogonalProjection projection(*system,
                                                           linear::make_solver("block-ldlt"));
  system::Vector lambda;
  ASSERT_TRUE(projection.factor(start.motion.state));
  ASSERT_TRUE(projection.multipliers(start.motion.state, start.motion.a, lambda));
  EXPECT_NEAR(lambda[0], load, 1e-9 * std::abs(load));

  LoadBalance balance(*system, {});
  system::Motion motion = start.motion;
  balance.solve(motion);
  EXPECT_NEAR(motion.lambda[0], load, 1e-9 * std::abs(load));
  EXPECT_LE(balance.missing(), 1e-9);
}

TEST(Paradox, SlidingRodIsRefusedBeyondIt) {
  const auto system = model::compile(sliding_rod(1.5));
  try {
    assemble(*system);
    FAIL() << "there is no solution";
  } catch (const core::RunError& error) {
    const std::string message = error.what();
    EXPECT_NE(message.find("'rubbing'"), std::string::npos) << message;
    EXPECT_NE(message.find("88.9 %"), std::string::npos) << message;  // (4/3) / 1.5
  }
}

// The block of the unit tests through the integrator: it stops where Coulomb says and stays there.
TEST(JointFrictionRun, BlockStopsAfterTheKnownDistance) {
  Description d;
  d.space = model::Space::planar;
  d.gravity = {0, -9.81, 0};
  Body body = bar("block", {-0.1, 0, 0}, {0.1, 0, 0});
  body.velocity = {3.0, 0, 0};
  d.add_body(body);
  d.add_joint("prismatic", "rail", "ground", "block", {{"axis", Eigen::Vector3d(1, 0, 0)}});
  d.add_force("joint_friction", "dry", {},
              {{"coordinate", std::string("rail.displacement")}, {"friction", 0.3}});
  d.simulation.until = 1.5;
  d.simulation.step = 5e-4;
  const SimulationReport report = run(d);
  ASSERT_EQ(report.outcome, results::Outcome::completed) << report.message;
  // The step that meets the end of sliding: h v / 2 with v = mu g h there, 1e-6, and damping.
  EXPECT_NEAR(report.final_motion.state.q[0], 9.0 / (2.0 * 0.3 * 9.81), 1e-4);
  EXPECT_NEAR(report.final_motion.state.v[0], 0.0, 1e-5);
  EXPECT_NEAR(report.energy.dissipated, 9.0, 0.02);
}

// A bouncing ball: each impact takes energy, the energy balance knows where it went.
TEST(ContactRun, EnergyBalanceClosesOverImpacts) {
  Description d;
  d.gravity = {0, 0, -9.81};
  Body ball;
  ball.name = "ball";
  ball.mass = {.mass = 0.5, .inertia = 0.002 * Eigen::Matrix3d::Identity()};
  ball.position = {0, 0, 0.3};
  ball.velocity = {0.5, 0, 0};
  d.add_body(ball);
  d.add_force("plane_contact", "floor", {"ground", "ball"},
              {{"radius", 0.1},
               {"stiffness", 1e5},
               {"restitution", 0.7},
               {"impact_speed", 2.0},
               {"friction", 0.3}});
  d.simulation.until = 0.6;
  d.simulation.step = 5e-5;
  d.simulation.integrator_values["spectral_radius"] = 1.0;
  const SimulationReport report = run(d);
  ASSERT_EQ(report.outcome, results::Outcome::completed) << report.message;
  EXPECT_GT(report.energy.dissipated, 0.4);
  EXPECT_LE(std::abs(report.energy.numerical_loss), 1e-3 * report.energy.dissipated);
}

TEST(LuGreRun, BlockComesToRestAndSticks) {
  Description d;
  d.space = model::Space::planar;
  Body body = bar("block", {-0.1, 0, 0}, {0.1, 0, 0});
  body.velocity = {0.5, 0, 0};
  d.add_body(body);
  d.add_joint("prismatic", "rail", "ground", "block", {{"axis", Eigen::Vector3d(1, 0, 0)}});
  d.add_force("lugre_friction", "dry", {},
              {{"coordinate", std::string("rail.displacement")},
               {"normal_load", std::string("20 N")},
               {"friction", 0.2},
               {"bristle_stiffness", 1e4},
               {"bristle_damping", 200.0}});
  d.simulation.until = 0.4;
  d.simulation.step = 1e-4;
  const SimulationReport report = run(d);
  ASSERT_EQ(report.outcome, results::Outcome::completed) << report.message;
  // v0^2 m / (2 mu N), and the bristles' deflection of 4e-4 m at most.
  EXPECT_NEAR(report.final_motion.state.q[0], 0.25 * 2.0 / (2.0 * 4.0), 5e-4);
  EXPECT_NEAR(report.final_motion.state.v[0], 0.0, 1e-3);
}

}  // namespace
}  // namespace trammel::analysis::friction_test
