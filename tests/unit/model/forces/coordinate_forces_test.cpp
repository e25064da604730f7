#include "trammel/model/forces/coordinate_forces.h"

#include <cmath>
#include <numbers>

#include "support/force_laws.h"
#include "support/reference_motion.h"
#include <gtest/gtest.h>

namespace trammel::model::coordinate_forces_test {
namespace {

constexpr double pi = std::numbers::pi;

// A block of 2 kg on a rail along x.
Description block(double velocity) {
  Description d;
  d.space = Space::planar;
  Body body;
  body.name = "block";
  body.mass = {.mass = 2.0, .inertia = 0.1 * Eigen::Matrix3d::Identity()};
  body.velocity = {velocity, 0, 0};
  d.add_body(body);
  d.add_joint("prismatic", "rail", "ground", "block", {{"axis", Eigen::Vector3d(1, 0, 0)}});
  return d;
}

// A wheel with I = 0.1 about z in space.
Description wheel(double omega) {
  Description d;
  Body body;
  body.name = "wheel";
  body.mass = {.mass = 2.0, .inertia = 0.1 * Eigen::Matrix3d::Identity()};
  body.angular_velocity = {0, 0, omega};
  d.add_body(body);
  d.add_joint("revolute", "pin", "ground", "wheel", {{"axis", Eigen::Vector3d(0, 0, 1)}});
  return d;
}

double load_at(const Description& description, const std::string& name) {
  const auto system = compile(description);
  return support::observe(*system, support::at_rest(*system, system->described_state())).at(name);
}

TEST(CoordinateSpring, IsAPolynomialOfTheCoordinate) {
  Description d = block(0.3);
  d.bodies[0].position = {0.5, 0, 0};
  d.add_force("coordinate_spring", "spring", {},
              {{"coordinate", std::string("rail.displacement")},
               {"stiffness", std::vector<double>{10.0, 0.0, 4.0}},
               {"damping", 2.0},
               {"reference", 0.2},
               {"preload", 1.0}});
  const double e = 0.3;
  EXPECT_NEAR(load_at(d, "spring.load"), 1.0 - 10.0 * e - 4.0 * e * e * e - 0.6, 1e-13);
  const auto system = compile(d);
  EXPECT_NEAR(system->energy(system->described_state()).potential, 5.0 * e * e + e * e * e * e - e,
              1e-13);
}

TEST(CoordinateSpring, CountsWholeTurns) {
  Description d = wheel(0.0);
  d.add_force("coordinate_spring", "spring", {},
              {{"coordinate", std::string("pin.angle")}, {"stiffness", std::vector<double>{3.0}}});
  const auto system = compile(d);
  system::State state = system->described_state();
  // Seven turns in steps below half a turn.
  const double step = 1.0;
  for (int i = 0; i < 44; ++i) {
    system::Vector x = system::Vector::Zero(6);
    x[5] = step;
    system->retract(state.q, x, state.q);
    system->accept(state);
  }
  EXPECT_NEAR(support::observe(*system, support::at_rest(*system, state)).at("spring.load"),
              -3.0 * 44.0, 1e-10);
}

TEST(CoordinateStop, SendsTheBlockBack) {
  Description d = block(1.5);
  d.add_force("coordinate_stop", "stops", {},
              {{"coordinate", std::string("rail.displacement")},
               {"lower", -0.1},
               {"upper", 0.1},
               {"stiffness", 2e4}});
  EXPECT_EQ(load_at(d, "stops.load"), 0.0);
  const auto system = compile(d);
  // To the upper stop, half a period of the contact, back through the middle.
  const double half = pi * std::sqrt(2.0 / 2e4);
  const double arrival = 0.1 / 1.5;
  const system::Motion middle =
      support::reference_motion(*system, system->described_state(), arrival + 0.5 * half, 4000);
  EXPECT_NEAR(middle.state.q[0], 0.1 + 1.5 * std::sqrt(2.0 / 2e4), 1e-7);
  const system::Motion back =
      support::reference_motion(*system, system->described_state(), 2.0 * arrival + half, 8000);
  // The kink at the stop costs order two: (2e-5 s)^2 of an acceleration of 150 m/s^2.
  EXPECT_NEAR(back.state.q[0], 0.0, 1e-6);
  EXPECT_NEAR(back.state.v[0], -1.5, 1e-6);
}

TEST(CoordinateStop, DampedStopNeverPulls) {
  Description d = block(-1.0);
  d.bodies[0].position = {0.2, 0, 0};
  d.add_force("coordinate_stop", "stops", {},
              {{"coordinate", std::string("rail.displacement")},
               {"upper", 0.1},
               {"stiffness", 10.0},
               {"damping", 50.0}});
  EXPECT_EQ(load_at(d, "stops.load"), 0.0);
  d.bodies[0].velocity.x() = 1.0;
  EXPECT_NEAR(load_at(d, "stops.load"), -1.0 - 50.0, 1e-12);
}

// Coulomb: v0^2 / (2 mu g) and then rest.
TEST(CoordinateFriction, BlockStopsAfterTheKnownDistance) {
  Description d = block(3.0);
  d.add_force("coordinate_friction", "dry", {},
              {{"coordinate", std::string("rail.displacement")},
               {"normal_load", std::string("19.62 N")},
               {"friction", 0.3},
               {"slip_speed", 1e-3}});
  const auto system = compile(d);
  const system::Motion end =
      support::reference_motion(*system, system->described_state(), 1.2, 6000);
  // Smoothing: below 1e-3 m/s the force falls off, which adds s0^2/(mu g) and v s0^2/... of the
  // rest: some 1e-6 m.
  EXPECT_NEAR(end.state.q[0], 9.0 / (2.0 * 0.3 * 9.81), 2e-6);
  EXPECT_NEAR(end.state.v[0], 0.0, 1e-9);
}

TEST(CoordinateFriction, FollowsStribeckAndViscosity) {
  Description d = wheel(2.0);
  d.add_force("coordinate_friction", "bearing", {},
              {{"coordinate", std::string("pin.angle")},
               {"normal_load", std::string("40 N")},
               {"friction", 0.1},
               {"static_friction", 0.25},
               {"radius", 0.02},
               {"stribeck_speed", 0.05},
               {"viscous", 0.3},
               {"slip_speed", 1e-4}});
  const double s = 0.02 * 2.0;
  const double mu = 0.1 + 0.15 * std::exp(-(s / 0.05) * (s / 0.05));
  EXPECT_NEAR(load_at(d, "bearing.load"), -mu * 40.0 * 0.02 * s / std::hypot(s, 1e-4) - 0.3 * 2.0,
              1e-14);
}

// LuGre against an integration of its equations written here: a mass dragged by a spring whose end
// moves steadily sticks and slips [CanudasDeWit1995].
TEST(LuGreFriction, StickSlipFollowsItsOdeReference) {
  const double m = 2.0;
  const double k = 20.0;
  const double speed = 0.1;
  const double s0 = 1e4;
  const double s1 = 100.0;
  const double s2 = 0.4;
  const double stribeck = 0.01;
  Description d = block(0.0);
  d.add_force("lugre_friction", "dry", {},
              {{"coordinate", std::string("rail.displacement")},
               {"normal_load", std::string("10 N")},
               {"friction", 0.1},
               {"static_friction", 0.15},
               {"stribeck_speed", stribeck},
               {"viscous", s2},
               {"bristle_stiffness", s0},
               {"bristle_damping", s1}});
  d.add_force("actuator", "pull", {},
              {{"coordinate", std::string("rail.displacement")},
               {"formula", std::string("(20 N/m)*((0.1 m/s)*time - rail.displacement)")}});
  const auto system = compile(d);
  const auto rates = [&](const Eigen::Vector3d& y, double t) {
    const double v = y[1];
    const double fade = std::exp(-(v / stribeck) * (v / stribeck));
    const double g = 10.0 * (0.1 + 0.05 * fade);
    const double z_dot = v - s0 * std::abs(v) / g * y[2];
    const double friction = s0 * y[2] + s1 * fade * z_dot + s2 * v;
    return Eigen::Vector3d(v, (k * (speed * t - y[0]) - friction) / m, z_dot);
  };
  constexpr int steps = 8000;
  const double until = 2.0;
  const double h = until / steps;
  Eigen::Vector3d y = Eigen::Vector3d::Zero();
  for (int i = 0; i < steps; ++i) {
    const double t = i * h;
    const Eigen::Vector3d k1 = rates(y, t);
    const Eigen::Vector3d k2 = rates(y + 0.5 * h * k1, t + 0.5 * h);
    const Eigen::Vector3d k3 = rates(y + 0.5 * h * k2, t + 0.5 * h);
    const Eigen::Vector3d k4 = rates(y + h * k3, t + h);
    y += h / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4);
  }
  const system::Motion end =
      support::reference_motion(*system, system->described_state(), until, steps);
  // It has slipped by now, and both integrate the same equations by the same method.
  EXPECT_GT(y[0], 0.05);
  EXPECT_NEAR(end.state.q[0], y[0], 1e-9);
  EXPECT_NEAR(end.state.v[0], y[1], 1e-8);
  EXPECT_NEAR(end.state.z[0], y[2], 1e-11);
}

// Held below the static load, the bristles carry it and the block only creeps elastically.
TEST(LuGreFriction, SticksUnderASmallLoad) {
  Description d = block(0.0);
  d.add_force("lugre_friction", "dry", {},
              {{"coordinate", std::string("rail.displacement")},
               {"normal_load", std::string("10 N")},
               {"friction", 0.1},
               {"bristle_stiffness", 1e4},
               {"bristle_damping", 300.0}});
  d.add_force(
      "actuator", "push", {},
      {{"coordinate", std::string("rail.displacement")}, {"formula", std::string("0.5 N")}});
  const auto system = compile(d);
  const system::Motion end =
      support::reference_motion(*system, system->described_state(), 1.0, 4000);
  EXPECT_NEAR(end.state.z[0], 0.5 / 1e4, 1e-8);
  // z' = v (1 - z/z_max) with z = z_max/2 at the end: some 1.4 times z, and no drift.
  EXPECT_LT(end.state.q[0], 2.0 * 0.5 / 1e4);
  EXPECT_NEAR(end.state.v[0], 0.0, 1e-7);
}

void expect_refused(const char* kind, const Values& values, const std::string& part) {
  Description d = block(0.0);
  Values all = values;
  all.emplace("coordinate", std::string("rail.displacement"));
  d.add_force(kind, "item", {}, all);
  try {
    compile(d);
    FAIL() << "not refused: " << part;
  } catch (const core::InputError& error) {
    const std::string text = core::to_string(error.diagnostics().front());
    EXPECT_NE(text.find("forces.item"), std::string::npos) << text;
    EXPECT_NE(text.find(part), std::string::npos) << text;
  }
}

TEST(CoordinateForces, WrongValuesAreRefused) {
  const Value load = std::string("10 N");
  expect_refused("coordinate_stop", {{"stiffness", 1.0}}, "neither a lower nor an upper");
  expect_refused("coordinate_stop", {{"stiffness", 1.0}, {"lower", 2.0}, {"upper", 1.0}},
                 "lower stop 2 is not below");
  expect_refused("coordinate_friction", {{"normal_load", load}, {"friction", -0.2}},
                 "friction is -0.2");
  expect_refused("coordinate_friction",
                 {{"normal_load", load}, {"friction", 0.2}, {"static_friction", 0.1}},
                 "static_friction 0.1 is below");
  expect_refused("coordinate_friction", {{"normal_load", std::string("10 kg")}, {"friction", 0.2}},
                 "normal_load");
  expect_refused("lugre_friction",
                 {{"normal_load", load}, {"friction", 0.0}, {"bristle_stiffness", 1.0}},
                 "bristles would hold no load");
  expect_refused("coordinate_spring", {{"coordinate", std::string("rail.displacemnt")}},
                 "rail.displacement");
}

}  // namespace
}  // namespace trammel::model::coordinate_forces_test
