#include <cmath>

#include "support/allocation_counter.h"
#include "support/force_laws.h"
#include "support/reference_motion.h"
#include "support/refusal.h"
#include "support/system_laws.h"
#include "support/system_view.h"
#include <gtest/gtest.h>

#include "trammel/model/assembly/mechanism_system.h"
#include "trammel/model/connections/elastic_connection.h"

namespace trammel::model::active_connection_test {
namespace {

using support::expect_refused;

using Eigen::Vector3d;

constexpr double L = 0.2;
constexpr double R = 2.0;
constexpr double c = 0.5;
constexpr double k = 1.5;

Item element(const char* type, const char* name, std::vector<std::string> between, Values values) {
  return {
      .name = name, .type = type, .attachments = std::move(between), .values = std::move(values)};
}

Description wheel() {
  Description d;
  d.space = Space::planar;
  Body body;
  body.name = "wheel";
  body.mass = {.mass = 1.0, .inertia = 0.02 * Eigen::Matrix3d::Identity()};
  body.angular_velocity = {0, 0, 3.0};
  d.add_body(body);
  d.add_joint("revolute", "pin", "ground", "wheel");
  return d;
}

Values motor(const char* coordinate, double inductance) {
  return {{"coordinate", std::string(coordinate)},
          {"voltage", std::string("12*cos(5*time)")},
          {"resistance", R},
          {"inductance", inductance},
          {"initial_current", 0.7},
          {"torque_constant", c}};
}

// A motor whose massless shaft turns the wheel through an elastic coupling.
Description elastic_drive(double inductance = L) {
  Description d = wheel();
  d.add_sensor("angle", "turn", {"ground", "drive.shaft"});
  d.add_connection(
      {.name = "drive",
       .nodes = {{.name = "shaft"}},
       .elements = {element("dc_motor", "motor", {}, motor("turn", inductance)),
                    element("bushing", "coupling", {"shaft", "wheel"},
                            {{"stiffness", Vector3d(100, 100, 0)}, {"rotational_stiffness", k}})}});
  return d;
}

// c i = k (shaft - wheel) eliminates the shaft: (L + c^2/k) i' = V - R i - c w of the wheel.
TEST(ActiveConnection, ElasticCouplingAddsToTheInductance) {
  Description direct = wheel();
  direct.add_force("dc_motor", "motor", {}, motor("pin.angle", L + c * c / k));
  const auto one = compile(direct);
  const auto other = compile(elastic_drive());
  const double t = 0.5;
  const system::Motion expected = support::reference_motion(*one, one->described_state(), t, 400);
  const system::Motion found = support::reference_motion(*other, other->described_state(), t, 400);
  EXPECT_NEAR(found.state.q[2], expected.state.q[2], 1e-11);
  EXPECT_NEAR(found.state.v[2], expected.state.v[2], 1e-11);
  EXPECT_NEAR(found.state.z[0], expected.state.z[0], 1e-11);
  const auto seen = support::observe(*other, found);
  const double current = found.state.z[0];
  EXPECT_NEAR(seen.at("drive.motor.load"), c * current, 1e-12);
  EXPECT_NEAR(seen.at("drive.shaft.angle"), found.state.q[2] + c * current / k, 1e-11);
  EXPECT_NEAR(seen.at("turn"), seen.at("drive.shaft.angle"), 1e-14);
  // The shaft's rate, of the differentiated equilibrium.
  system::Vector rates;
  other->first_order_states()->rates(found.state, rates);
  EXPECT_NEAR(seen.at("turn_rate"), found.state.v[2] + c * rates[0] / k, 1e-11);
}

// V i = R i^2 + L i i' + torque * speed [Sol1983 spec, acceptance test 12], with the coupling's
// energy.
TEST(ActiveConnection, EnergyBalanceHolds) {
  const auto system = compile(elastic_drive());
  const system::State state = system->described_state();
  const system::Motion motion = support::at_rest(*system, state);
  const double current = 0.7;
  const system::Power power = system->power(motion);
  EXPECT_NEAR(power.loads, 12.0 * current, 1e-12);
  EXPECT_NEAR(power.dissipated, R * current * current, 1e-12);
  const auto seen = support::observe(*system, motion);
  system::Vector rates;
  system->first_order_states()->rates(state, rates);
  EXPECT_NEAR(12.0 * current,
              R * current * current + L * current * rates[0] +
                  seen.at("drive.motor.load") * seen.at("turn_rate"),
              1e-12);
  support::expect_energy_balance(*system, state);
}

TEST(ActiveConnection, RatesOfStatesHaveTheirTangent) {
  const auto system = compile(elastic_drive());
  Eigen::MatrixXd tangent;
  system->first_order_states()->rate_tangent(system->described_state(), tangent);
  EXPECT_NEAR(tangent(0, 0), -R / (L + c * c / k), 1e-8);  // central differences
}

// A spring in series with a visco-elastic one, in line: e2 = (k1 x + k2 y)/(k1 + k_inf + k2).
TEST(ActiveConnection, SpringsWithMemoryInSeries) {
  Description d;
  d.space = Space::planar;
  Body body;
  body.name = "mass";
  body.mass = {.mass = 1.0, .inertia = Eigen::Matrix3d::Identity()};
  const double x = 1.3;
  body.position = {x, 0, 0};
  d.add_body(body);
  const double y = 0.4;
  d.add_connection({.name = "tendon",
                    .nodes = {{.name = "knot", .position = {0.5, 0.1, 0}}},
                    .elements = {element("spring", "near", {"ground", "knot"},
                                         {{"stiffness", 40.0}, {"length", 0.0}}),
                                 element("viscoelastic_spring", "far", {"knot", "mass"},
                                         {{"stiffness", 10.0},
                                          {"branch_stiffness", std::vector<double>{30.0}},
                                          {"branch_times", std::vector<double>{0.2}},
                                          {"initial_strain", y}})}});
  const auto system = compile(d);
  const system::State state = system->described_state();
  const double e2 = (40.0 * x + 30.0 * y) / 80.0;
  system::Vector f;
  system->forces(state, f);
  EXPECT_NEAR(f[0], -40.0 * (x - e2), 1e-11);
  EXPECT_NEAR(f[1], 0.0, 1e-12);
  system::Vector rates;
  system->first_order_states()->rates(state, rates);
  EXPECT_NEAR(rates[0], (e2 - y) / 0.2, 1e-11);
  Eigen::MatrixXd tangent;
  system->first_order_states()->rate_tangent(state, tangent);
  EXPECT_NEAR(tangent(0, 0), (30.0 / 80.0 - 1.0) / 0.2, 1e-8);
  support::expect_energy_balance(*system, state);
}

// A hub on two bodies and the ground, with a muscle whose activation is a state of its own and
// whose pull is a formula of the user.
Description muscle(Space space, unsigned seed) {
  support::Random random(seed);
  support::RandomPair pair =
      support::random_pair(space, support::Side::body, support::Side::body, 1.5, random);
  Description d = pair.description;
  d.ground_frames.push_back(
      {.name = "third", .position = {3, -2, space == Space::planar ? 0. : 1.}});
  d.add_state({.name = "activation", .rate = "3*(sin(2*time) - activation)", .initial = 0.8});
  d.add_sensor("distance", "reach", {pair.mark_a, "arm.hub"});
  const Vector3d K(20, 30, space == Space::planar ? 0 : 15);
  const Value turn = space == Space::planar ? Value(5.0) : Value(Vector3d(5, 4, 3));
  d.add_connection(
      {.name = "arm",
       .nodes = {{.name = "hub", .position = random.vector(space, 0.5), .force = {1, -2, 0}}},
       .elements = {
           element("bushing", "skin", {"hub", pair.mark_b},
                   {{"stiffness", K}, {"rotational_stiffness", turn}}),
           element("spring", "tendon", {"ground.third", "hub"},
                   {{"stiffness", 25.0}, {"length", 1.0}}),
           element("viscoelastic_spring", "tissue", {pair.mark_a, "hub"},
                   {{"stiffness", 4.0},
                    {"branch_stiffness", std::vector<double>{6.0}},
                    {"branch_times", std::vector<double>{0.2}},
                    {"initial_strain", 0.3}}),
           element(
               "actuator", "fibre", {},
               {{"coordinate", std::string("reach")},
                {"formula",
                 std::string(
                     "-2 N*activation*exp(-((reach - 1 m)/(1 m))^2) - 1 N/m*tissue.length")}})}});
  return d;
}

TEST(ActiveConnection, TangentAndEnergyAreThoseOfTheWhole) {
  for (const Space space : {Space::planar, Space::spatial}) {
    for (unsigned seed = 1; seed <= 3; ++seed) {
      SCOPED_TRACE(testing::Message() << to_string(space) << " " << seed);
      const auto system = compile(muscle(space, seed));
      const system::State state = system->described_state();
      support::expect_force_tangent_is_derivative(*system, state);
      support::expect_energy_balance(*system, state);
      Eigen::MatrixXd tangent;
      system->first_order_states()->rate_tangent(state, tangent);
      for (int j = 0; j < state.z.size(); ++j) {
        system::State moved = state;
        system::Vector above;
        system::Vector below;
        const double h = 1e-5;
        moved.z[j] += h;
        system->first_order_states()->rates(moved, above);
        moved.z[j] -= 2.0 * h;
        system->first_order_states()->rates(moved, below);
        EXPECT_LE(((above - below) / (2.0 * h) - tangent.col(j)).norm(), 1e-6);
      }
    }
  }
}

// Where the nodes stand depends on the bodies alone, not on what was asked before; and what fails
// leaves no trace.
TEST(ActiveConnection, NodesDoNotDependOnThePast) {
  const auto system = compile(muscle(Space::spatial, 2));
  const system::State state = system->described_state();
  system::Vector before;
  system::Vector after;
  system->forces(state, before);
  system::State far = state;
  support::Random random(4);
  for (int i = 0; i < 10; ++i) {
    system->retract(state.q, system::Vector(2.0 * random.values(state.v.size())), far.q);
    system->forces(far, after);
  }
  system->forces(state, after);
  EXPECT_LE((after - before).norm(), 1e-11 * before.norm());
  far.q[0] = std::nan("");
  system->forces(far, after);
  EXPECT_FALSE(after.allFinite());
  system->forces(state, after);
  EXPECT_LE((after - before).norm(), 1e-11 * before.norm());
}

TEST(ActiveConnection, EvaluationsAllocateNothing) {
  if (!support::AllocationCounter::available()) GTEST_SKIP();
  const auto system = compile(muscle(Space::spatial, 1));
  system::State state = system->described_state();
  const system::Motion motion = support::at_rest(*system, state);
  system::KktMatrix matrix(system->pattern());
  system::Vector f;
  system::Vector rates;
  Eigen::MatrixXd tangent;
  const auto evaluate = [&] {
    system->forces(state, f);
    system->tangent(motion, {1.0, 1.0, 1.0}, nullptr, matrix);
    system->first_order_states()->rates(state, rates);
    system->first_order_states()->rate_tangent(state, tangent);
    system->energy(state);
    system->power(motion);
  };
  evaluate();
  const support::AllocationCounter counter;
  for (int i = 0; i < 5; ++i) {
    state.q[0] += 0.01;
    evaluate();
  }
  EXPECT_EQ(counter.count(), 0);
}

TEST(ActiveConnection, MistakesAreNamed) {
  Description loose = elastic_drive();
  loose.connections[0].elements[1].values["rotational_stiffness"] = 0.0;
  expect_refused(loose, "internal node 'shaft' is free to turn");

  Description outside = elastic_drive();
  outside.add_force("actuator", "push", {},
                    {{"coordinate", std::string("turn")}, {"formula", std::string("1 N m")}});
  expect_refused(outside, "the internal node 'drive.shaft' is used");

  Description between = elastic_drive();
  between.connections[0].elements[0].attachments = {"ground", "shaft"};
  expect_refused(between, "'dc_motor' acts along a coordinate, not between frames");

  Description broken = elastic_drive();
  broken.connections[0].elements[0].values["voltage"] = std::string("12*sqrt(-1)");
  expect_refused(broken, "drive.motor.current");

  Description friction = elastic_drive();
  friction.connections[0].elements[0].type = "gravity_field";
  expect_refused(friction, "'gravity_field' cannot be an element of an energetic connection");
}

}  // namespace
}  // namespace trammel::model::active_connection_test
