// Friction and contact through the integrators: convergence, energy ledger, rest.
#include <cmath>

#include <gtest/gtest.h>

#include "trammel/analysis/simulate.h"

namespace trammel::analysis {
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
    // The ledger closes by definition; what the integrator itself lost is small against friction.
    if (friction == 0.0) continue;
    EXPECT_GT(report.energy.dissipated, 1.0);
    EXPECT_LE(std::abs(report.energy.numerical_loss), 0.01 * report.energy.dissipated) << friction;
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

// A bouncing ball: each impact takes energy, the ledger knows where it went.
TEST(ContactRun, LedgerClosesOverImpacts) {
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
}  // namespace trammel::analysis
