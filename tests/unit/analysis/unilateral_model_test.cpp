// Unilateral constraints through the integrators: when they let go, when they hold again, and where
// the energy goes.
#include "trammel/analysis/unilateral_model.h"

#include <cmath>

#include "root.h"
#include <gtest/gtest.h>

#include "trammel/analysis/simulate.h"
#include "trammel/formulation/coordinates.h"
#include "trammel/system/forward_dynamics.h"

namespace trammel::analysis::unilateral_model_test {
namespace {

using model::Body;
using model::Description;
using model::Values;

constexpr double gravity = 9.81;

Body rigid(const std::string& name, const Eigen::Vector3d& position) {
  Body body;
  body.name = name;
  body.mass = {.mass = 2.0, .inertia = 0.1 * Eigen::Matrix3d::Identity()};
  body.position = position;
  return body;
}

SimulationReport run(const Description& description, const SimulationOptions& options = {}) {
  const auto system = formulation::compile_model(description).system;
  return simulate(*system, description.simulation, options);
}

// ---- a block on a table that moves up and down by a sin(w t)

constexpr double amplitude = 0.02;
constexpr double frequency = 30.0;

Description block_on_table() {
  Description d;
  d.space = model::Space::planar;
  d.gravity = {0, -gravity, 0};
  d.add_body(rigid("block", Eigen::Vector3d::Zero()));
  d.add_joint("prismatic", "rail", "ground", "block", {{"axis", Eigen::Vector3d(0, 1, 0)}});
  d.add_coupling("equation", "table",
                 {{"equation", std::string("rail.displacement - 0.02 m * sin(30 rad/s * time)")},
                  {"unilateral", true}});
  d.simulation.until = 0.2;
  d.simulation.step = 5e-4;
  return d;
}

struct Flight {
  double leaves = std::asin(gravity / (amplitude * frequency * frequency)) / frequency;
  double lands = 0.0;
  double lost = 0.0;  // J

  Flight() {
    const double y = amplitude * std::sin(frequency * leaves);
    const double v = amplitude * frequency * std::cos(frequency * leaves);
    const auto height = [&](double t) {
      const double s = t - leaves;
      return y + v * s - 0.5 * gravity * s * s - amplitude * std::sin(frequency * t);
    };
    lands = root(height, leaves + 0.02, leaves + 0.15);
    const double meeting =
        v - gravity * (lands - leaves) - amplitude * frequency * std::cos(frequency * lands);
    lost = 0.5 * 2.0 * meeting * meeting;
  }
};

TEST(Unilateral, BlockLeavesATableAndLandsOnIt) {
  const Flight flight;
  const SimulationReport report = run(block_on_table());
  ASSERT_EQ(report.outcome, results::Outcome::completed) << report.message;
  ASSERT_GE(report.events.size(), 2U);
  EXPECT_EQ(report.events[0].name, "table");
  EXPECT_EQ(report.events[0].what, "opens");
  EXPECT_EQ(report.events[1].what, "closes");
  // Second order: (w h)^2/12 of the period of the table is 1e-5 s; measured 4e-7 s.
  EXPECT_NEAR(report.events[0].time, flight.leaves, 2e-6);
  EXPECT_NEAR(report.events[1].time, flight.lands, 2e-6);
  EXPECT_NEAR(report.events[1].energy_lost, flight.lost, 1e-4 * flight.lost);
  EXPECT_NEAR(report.energy.numerical_loss, 0.0, 1e-3 * report.energy.dissipated);
}

TEST(Unilateral, EventsConvergeWithTheSquareOfTheStep) {
  const Flight flight;
  std::vector<double> errors;
  for (const double step : {2e-3, 1e-3}) {
    Description d = block_on_table();
    d.simulation.step = step;
    d.simulation.until = 0.18;
    errors.push_back(std::abs(run(d).events.at(1).time - flight.lands));
  }
  EXPECT_LT(errors[1], 0.4 * errors[0] + 1e-9);
}

TEST(Unilateral, EveryIntegratorAndBothCoordinates) {
  const Flight flight;
  for (const char* integrator :
       {"generalized-alpha", "gssss", "newmark", "hht", "rk4", "dormand-prince", "adams", "bdf"}) {
    for (const char* coordinates : {"absolute", "relative"}) {
      SCOPED_TRACE(std::string(integrator) + " " + coordinates);
      Description d = block_on_table();
      d.simulation.integrator = integrator;
      d.simulation.coordinates = coordinates;
      // An open constraint has a gap that grows with the third power of time: errors must not close
      // it.
      if (d.simulation.integrator == "bdf") {
        d.simulation.integrator_values = {{"relative_tolerance", 1e-9},
                                          {"absolute_tolerance", 1e-9}};
      }
      const SimulationReport report = run(d);
      ASSERT_EQ(report.outcome, results::Outcome::completed) << report.message;
      ASSERT_GE(report.events.size(), 2U);
      // The order of all of them is two, with larger constants.
      EXPECT_NEAR(report.events[0].time, flight.leaves, 2e-5);
      EXPECT_NEAR(report.events[1].time, flight.lands, 2e-5);
    }
  }
}

// ---- a pendulum on a rope, thrown so that v0^2 = 3.5 g l

Description bob_on_rope() {
  Description d;
  d.space = model::Space::planar;
  d.gravity = {0, -gravity, 0};
  Body bob = rigid("bob", {0, -1, 0});
  bob.kind = model::BodyKind::point;
  bob.mass.inertia.setZero();
  bob.velocity = {std::sqrt(3.5 * gravity), 0, 0};
  d.add_body(bob);
  d.add_joint("distance", "rope", "ground", "bob", {{"unilateral", true}});
  d.simulation.until = 1.6;
  d.simulation.step = 1e-3;
  return d;
}

TEST(Unilateral, RopeGoesSlackAtTheKnownAngle) {
  std::vector<system::Motion> seen;
  SimulationOptions options;
  options.visit = [&](const system::Motion& motion) { seen.push_back(motion); };
  const SimulationReport report = run(bob_on_rope(), options);
  ASSERT_EQ(report.outcome, results::Outcome::completed) << report.message;
  ASSERT_GE(report.events.size(), 2U);
  const auto at = [&](double time) {
    for (const system::Motion& motion : seen) {
      if (motion.state.t == time) return motion.state;
    }
    return system::State{};
  };
  // Tension m (v^2/l + g cos phi) = 0 at cos phi = (2 - 3.5)/3, phi from below.
  const system::State slack = at(report.events[0].time);
  // Second order: measured 2e-5.
  EXPECT_NEAR(slack.q[0], std::sin(2.0 * M_PI / 3.0), 5e-5);
  EXPECT_NEAR(slack.q[1], 0.5, 5e-5);
  // From there a parabola until the distance is 1 m again.
  const Eigen::Vector2d p(std::sin(2.0 * M_PI / 3.0), 0.5);
  const Eigen::Vector2d v = std::sqrt(0.5 * gravity) * Eigen::Vector2d(-0.5, std::sqrt(0.75));
  const auto place = [&](double s) {
    return Eigen::Vector2d(p + s * v - Eigen::Vector2d(0, 0.5 * gravity * s * s));
  };
  const double flight = root([&](double s) { return place(s).norm() - 1.0; }, 0.05, 1.0);
  EXPECT_NEAR(report.events[1].time - report.events[0].time, flight, 1e-5);
  const Eigen::Vector2d meeting = v - Eigen::Vector2d(0, gravity * flight);
  const double radial = meeting.dot(place(flight));
  EXPECT_NEAR(report.events[1].energy_lost, 0.5 * 2.0 * radial * radial, 3e-3);
  EXPECT_NEAR(report.energy.kinetic + report.energy.potential + report.energy.dissipated,
              report.energy.initial_total, 1e-3);
}

// The tolerances above are those of the method, which is of second order.
TEST(Unilateral, RopeConvergesWithTheSquareOfTheStep) {
  // The parabola meets the circle with a radial velocity of sqrt(27 g l / 8).
  const double exact = 0.5 * 2.0 * 27.0 / 8.0 * gravity;
  std::vector<double> errors;
  for (const double step : {1e-3, 5e-4}) {
    Description d = bob_on_rope();
    d.simulation.step = step;
    const SimulationReport report = run(d);
    ASSERT_GE(report.events.size(), 2U);
    errors.push_back(std::abs(report.events[1].energy_lost - exact));
  }
  EXPECT_LT(errors[1], 0.35 * errors[0]) << errors[0];
}

// ---- a roller on an eccentric circle, pressed by its weight alone

TEST(Unilateral, CamFollowerFloats) {
  constexpr double speed = 40.0;
  Description d;
  d.space = model::Space::planar;
  d.gravity = {0, -gravity, 0};
  d.add_body(rigid("cam", Eigen::Vector3d::Zero()));
  d.add_body(rigid("follower", {0, 0.06, 0}));
  d.add_joint("revolute", "shaft", "ground", "cam");
  d.add_joint("prismatic", "guide", "ground", "follower", {{"axis", Eigen::Vector3d(0, 1, 0)}});
  d.add_joint("cam_roller", "contact", "cam", "follower",
              {{"circles_x", std::vector<double>{0.01}},
               {"circles_y", std::vector<double>{0.0}},
               {"circle_radii", std::vector<double>{0.05}},
               {"roller_radius", 0.01},
               {"unilateral", true}});
  d.add_drive("position", "motor",
              {{"coordinate", std::string("shaft.angle")},
               {"motion", std::string("-60 deg + 40 rad/s * time")}});
  d.simulation.until = 0.5;
  d.simulation.step = 2e-4;
  const auto height = [](double t) {
    const double phi = -M_PI / 3.0 + speed * t;
    const double side = 0.01 * std::cos(phi);
    return 0.01 * std::sin(phi) + std::sqrt(0.06 * 0.06 - side * side);
  };
  const auto acceleration = [&](double t) {
    constexpr double h = 1e-4;
    return (-height(t + 2 * h) + 16 * height(t + h) - 30 * height(t) + 16 * height(t - h) -
            height(t - 2 * h)) /
           (12 * h * h);
  };
  const double leaves = root([&](double t) { return acceleration(t) + gravity; }, 0.0, 0.05);
  const SimulationReport report = run(d);
  ASSERT_EQ(report.outcome, results::Outcome::completed) << report.message;
  ASSERT_GE(report.events.size(), 4U);  // it floats once in every turn
  EXPECT_NEAR(report.events[0].time, leaves, 2e-6);
  EXPECT_GT(report.events[1].energy_lost, 0.0);
}

// ---- a ball that falls onto a plane and stays there

// Three links on pins with a rope from the last to the ground: a loop that opens.
Description chain_on_a_rope(bool slack) {
  Description d;
  d.gravity = {0, 0, -gravity};
  std::string last = "ground";
  for (int i = 0; i < 3; ++i) {
    const std::string name = "link" + std::to_string(i);
    Body link = rigid(name, {0.5 + i, 0.0, 0.0});
    link.angular_velocity = {0.0, 0.2 * i, 0.0};
    d.add_body(link);
    model::Item& pin = d.add_joint("revolute", "pin" + std::to_string(i), last, name,
                                   {{"axis", Eigen::Vector3d(0, 1, 0)}});
    pin.at = Eigen::Vector3d(i, 0.0, 0.0);
    last = name;
  }
  d.ground_frames.push_back({.name = "hook", .position = {1.0, 0.0, 2.0}});
  d.add_joint("distance", "rope", "ground.hook", "link2",
              {{"length", slack ? 3.0 : std::hypot(1.5, 2.0)},
               {"unilateral", true},
               {"starts_open", slack}});
  d.simulation.coordinates = "relative";
  return d;
}

// A rope does not cost the recursion: it is told which rows are open.
TEST(Unilateral, RecursionGoesOnWithARope) {
  for (const bool slack : {false, true}) {
    const auto compiled = formulation::compile_model(chain_on_a_rope(slack));
    UnilateralModel system(*compiled.system);
    system::Motion motion{compiled.system->described_state(), {}, {}};
    constraint_handling::ConsistentStart start(system);
    ASSERT_TRUE(start.positions(motion.state, {}).converged);
    ASSERT_TRUE(start.velocities(motion.state, {}).converged);
    start.accelerations(motion.state, motion.a, motion.lambda);
    EXPECT_EQ(motion.lambda[0] == 0.0, slack);

    system::ForwardDynamics* recursion = system::forward_dynamics(system);
    ASSERT_NE(recursion, nullptr);
    system::Vector a;
    system::Vector lambda;
    ASSERT_TRUE(recursion->accelerations(motion.state, a, lambda));
    EXPECT_LT((a - motion.a).norm(), 1e-11 * motion.a.norm()) << slack;
    EXPECT_LT((lambda - motion.lambda).norm(), 1e-11 * (1.0 + lambda.norm())) << slack;
  }
}

TEST(Unilateral, WhatStartsOpenClosesAtItsTime) {
  Description d;
  d.space = model::Space::spatial;
  d.gravity = {0, 0, -gravity};
  Body ball = rigid("ball", {0, 0, 0.5});
  ball.velocity = {1.0, 0, 0};
  d.add_body(ball);
  d.add_joint("point_on_plane", "floor", "ground", "ball",
              {{"unilateral", true}, {"starts_open", true}});
  d.simulation.until = 0.6;
  d.simulation.step = 1e-3;
  const SimulationReport report = run(d);
  ASSERT_EQ(report.events.size(), 1U);
  // Free fall is exact for a method of second order.
  EXPECT_NEAR(report.events[0].time, std::sqrt(1.0 / gravity), 1e-9);
  EXPECT_NEAR(report.events[0].energy_lost, 2.0 * gravity * 0.5, 1e-6);
  EXPECT_NEAR(report.final_motion.lambda[0], -2.0 * gravity, 1e-8);
  EXPECT_NEAR(report.final_motion.state.v[0], 1.0, 1e-12);
}

// A drive pulls on when the rope is taut: no velocity satisfies both.
TEST(Unilateral, ContradictionsEndTheRunAndAreNamed) {
  Description d;
  d.space = model::Space::planar;
  d.add_body(rigid("sledge", {0.5, 0, 0}));
  d.add_joint("prismatic", "rail", "ground", "sledge", {{"axis", Eigen::Vector3d(1, 0, 0)}});
  d.add_joint("distance", "rope", "ground", "sledge",
              {{"length", 0.6}, {"unilateral", true}, {"starts_open", true}});
  d.add_drive("position", "winch",
              {{"coordinate", std::string("rail.displacement")},
               {"motion", std::string("0.5 m + 1 m/s * time")}});
  d.simulation.until = 0.2;
  d.simulation.step = 1e-3;
  for (const char* method : {"generalized-alpha", "dormand-prince", "bdf"}) {
    SCOPED_TRACE(method);
    d.simulation.integrator = method;
    const SimulationReport report = run(d);
    EXPECT_EQ(report.outcome, results::Outcome::failed);
    EXPECT_NE(report.message.find("'rope'"), std::string::npos) << report.message;
    EXPECT_NEAR(report.final_motion.state.t, 0.1, 2e-3);
    EXPECT_FALSE(report.remedy.empty());
  }
}

// Loads that are not finite are an event that nothing goes on from, and no silence.
TEST(Unilateral, LoadsThatAreNotFiniteAreSeen) {
  const Description d = block_on_table();
  const auto system = formulation::compile_model(d).system;
  UnilateralModel model(*system);
  system::Motion motion;
  motion.state = system->described_state();
  motion.a.setZero(system->sizes().v);
  motion.lambda.setConstant(system->sizes().multipliers(), std::nan(""));
  motion.state.v.setConstant(std::nan(""));
  EXPECT_LT(model.watch(motion, false), 0.0);
  model.act(motion);
  EXPECT_TRUE(model.stuck());
  EXPECT_NE(model.trouble().find("not finite"), std::string::npos) << model.trouble();
}

TEST(Unilateral, OverlapAtTheStartIsRefused) {
  Description d;
  d.space = model::Space::spatial;
  d.add_body(rigid("ball", {0, 0, -0.1}));
  d.add_joint("point_on_plane", "floor", "ground", "ball",
              {{"unilateral", true}, {"starts_open", true}});
  EXPECT_THROW(run(d), core::RunError);
  d.joints[0].values["unilateral"] = false;
  EXPECT_THROW(run(d), core::InputError);
}

}  // namespace
}  // namespace trammel::analysis::unilateral_model_test
