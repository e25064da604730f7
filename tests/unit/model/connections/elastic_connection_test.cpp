#include "trammel/model/connections/elastic_connection.h"

#include <cmath>

#include "support/force_laws.h"
#include "support/system_laws.h"
#include "support/system_view.h"
#include <gtest/gtest.h>

namespace trammel::model::elastic_connection_test {
namespace {

using Eigen::Vector3d;
using support::Random;
using support::Side;

Item element(
    const char* type, const char* name, const std::string& a, const std::string& b, Values values) {
  return {.name = name, .type = type, .attachments = {a, b}, .values = std::move(values)};
}

// Two springs in series through a node, k1 and k2, free lengths l1 and l2.
Connection series(const std::string& a, const std::string& b, const Vector3d& middle) {
  return {.name = "chain",
          .nodes = {{.name = "middle", .position = middle}},
          .elements = {
              element("spring", "lower", a, "middle", {{"stiffness", 30.0}, {"length", 0.4}}),
              element("spring", "upper", "middle", b, {{"stiffness", 70.0}, {"length", 0.7}})}};
}

system::Vector forces_of(const Description& d) {
  const auto system = compile(d);
  system::Vector f;
  system->forces(system->described_state(), f);
  return f;
}

// k1 k2/(k1 + k2) and l1 + l2, in tension and compression [Sol1983 spec, acceptance test 11].
TEST(ElasticConnection, TwoSpringsInSeriesAreOne) {
  for (const Space space : {Space::planar, Space::spatial}) {
    for (unsigned seed = 1; seed <= 8; ++seed) {
      Random random(seed);
      support::RandomPair pair = support::random_pair(space, Side::body, Side::body, 1.5, random);
      if (pair.distance < 0.2) continue;
      Description one = pair.description;
      const auto middle = [&](const std::string& mark) {
        const Body& body = pair.description.bodies[mark == "a.mark" ? 0 : 1];
        return Vector3d(body.position + body.orientation * body.frames[0].position);
      };
      pair.description.add_connection(
          series(pair.mark_a, pair.mark_b, 0.5 * (middle(pair.mark_a) + middle(pair.mark_b))));
      one.add_force("spring", "item", {pair.mark_a, pair.mark_b},
                    {{"stiffness", 21.0}, {"length", 1.1}});
      const system::Vector expected = forces_of(one);
      EXPECT_LE((forces_of(pair.description) - expected).norm(), 1e-9 * (1.0 + expected.norm()));
      const auto whole = compile(pair.description);
      const auto single = compile(one);
      const double energy = single->energy(single->described_state()).potential;
      EXPECT_NEAR(whole->energy(whole->described_state()).potential, energy, 1e-9 * (1.0 + energy));
    }
  }
}

// Three springs from two bodies and the ground to a node that bears a load, in any pose.
Description tripod(Space space, unsigned seed, bool with_bushing) {
  Random random(seed);
  support::RandomPair pair = support::random_pair(space, Side::body, Side::body, 1.5, random);
  Description d = pair.description;
  d.ground_frames.push_back(
      {.name = "third", .position = {3, -2, space == Space::planar ? 0. : 1.}});
  d.ground_frames.push_back(
      {.name = "fourth", .position = {-3, -2, space == Space::planar ? 0. : -3.}});
  const char* kind = with_bushing ? "bushing" : "spring";
  const auto values = [&](double k) -> Values {
    if (!with_bushing) return {{"stiffness", k}, {"length", 0.5}};
    const Vector3d K(k, 2.0 * k, space == Space::planar ? 0.0 : k);
    const Value turn = space == Space::planar ? Value(5.0) : Value(Vector3d(5, 4, 3));
    return {{"stiffness", K}, {"rotational_stiffness", turn}};
  };
  d.add_connection(
      {.name = "tripod",
       .nodes = {{.name = "hub", .position = random.vector(space, 0.5), .force = {1.0, -2.0, 0.0}}},
       .elements = {element(kind, "first", pair.mark_a, "hub", values(20.0)),
                    element(kind, "second", "hub", pair.mark_b, values(30.0)),
                    element("spring", "third", "ground.third", "hub",
                            {{"stiffness", 25.0}, {"length", 1.0}}),
                    element("spring", "fourth", "ground.fourth", "hub",
                            {{"stiffness", 15.0}, {"length", 1.0}})}});
  return d;
}

TEST(ElasticConnection, TangentAndEnergyAreThoseOfTheWhole) {
  for (const Space space : {Space::planar, Space::spatial}) {
    for (unsigned seed = 1; seed <= 5; ++seed) {
      for (const bool with_bushing : {false, true}) {
        SCOPED_TRACE(testing::Message() << to_string(space) << " " << seed << " " << with_bushing);
        const auto system = compile(tripod(space, seed, with_bushing));
        support::expect_force_tangent_is_derivative(*system, system->described_state());
        support::expect_energy_rate_is_power(*system, system->described_state());
      }
    }
  }
}

// The node stands where the three springs and its load balance.
TEST(ElasticConnection, NodeIsInEquilibrium) {
  const Description d = tripod(Space::planar, 3, false);
  const auto system = compile(d);
  const auto seen = support::observe(*system, support::at_rest(*system, system->described_state()));
  const Vector3d hub(seen.at("tripod.hub.position.x"), seen.at("tripod.hub.position.y"), 0);
  Vector3d sum(1.0, -2.0, 0.0);
  const auto mark = [&](std::size_t body) {
    const Body& b = d.bodies[body];
    return Vector3d(b.position + b.orientation * b.frames[0].position);
  };
  const auto pull = [&](const Vector3d& from, double k, double length) {
    const Vector3d line = from - hub;
    sum += k * (line.norm() - length) * line.normalized();
  };
  pull(mark(0), 20.0, 0.5);
  pull(mark(1), 30.0, 0.5);
  pull({3, -2, 0}, 25.0, 1.0);
  pull({-3, -2, 0}, 15.0, 1.0);
  EXPECT_LE(sum.norm(), 1e-11);
  EXPECT_NEAR(seen.at("tripod.third.length"), (Vector3d(3, -2, 0) - hub).norm(), 1e-13);
}

// A cantilever of two beams with a node between them is the cantilever of one beam.
TEST(ElasticConnection, TwoBeamsBendAsOne) {
  const double EI = 50.0;
  const double l = 0.8;
  const double F = 1e-4;
  Description d;
  Body body;
  body.name = "tip";
  body.mass = {.mass = 1.0, .inertia = Eigen::Matrix3d::Identity()};
  body.position = {l, F * l * l * l / (3.0 * EI), 0};
  body.orientation = Eigen::AngleAxisd(F * l * l / (2.0 * EI), Vector3d::UnitZ());
  d.add_body(body);
  const Values half{{"length", 0.5 * l},
                    {"axial_stiffness", 1e5},
                    {"bending_stiffness_y", EI},
                    {"bending_stiffness_z", EI},
                    {"torsional_stiffness", 30.0}};
  d.add_connection({.name = "beam",
                    .nodes = {{.name = "middle", .position = {0.5 * l, 0, 0}}},
                    .elements = {element("beam", "inner", "ground", "middle", half),
                                 element("beam", "outer", "middle", "tip", half)}});
  const system::Vector f = forces_of(d);
  EXPECT_NEAR(f[1], -F, 1e-8 * F);
  EXPECT_NEAR(f[5], 0.0, 1e-8 * F * l);
  // In the middle, 5/16 of the deflection at the tip.
  const auto system = compile(d);
  const auto seen = support::observe(*system, support::at_rest(*system, system->described_state()));
  EXPECT_NEAR(seen.at("beam.middle.position.y"), 5.0 / 16.0 * body.position.y(),
              1e-8 * body.position.y());
}

// Four triangles around an internal node, in a square whose corners the ground moves.
Description patch(const Eigen::Matrix2d& gradient, const Eigen::Vector2d& middle) {
  Description d;
  d.space = Space::planar;
  Body body;
  body.name = "bystander";
  body.mass = {.mass = 1.0, .inertia = Eigen::Matrix3d::Identity()};
  body.position = {5, 5, 0};
  d.add_body(body);
  const Eigen::Vector2d corners[] = {{0, 0}, {1, 0}, {1, 1}, {0, 1}};
  for (int i = 0; i < 4; ++i) {
    const Eigen::Vector2d p = corners[i] + gradient * corners[i];
    d.ground_frames.push_back({.name = "c" + std::to_string(i), .position = {p.x(), p.y(), 0}});
  }
  Connection sheet{.name = "sheet",
                   .nodes = {{.name = "middle", .position = {middle.x(), middle.y(), 0}}}};
  for (int i = 0; i < 4; ++i) {
    const Eigen::Vector2d& a = corners[i];
    const Eigen::Vector2d& b = corners[(i + 1) % 4];
    const std::string name = "t" + std::to_string(i);
    sheet.elements.push_back({.name = name,
                              .type = "triangle",
                              .attachments = {"ground.c" + std::to_string(i),
                                              "ground.c" + std::to_string((i + 1) % 4), "middle"},
                              .values = {{"side_12", (b - a).norm()},
                                         {"side_13", (middle - a).norm()},
                                         {"side_23", (middle - b).norm()},
                                         {"thickness", 0.01},
                                         {"youngs_modulus", 2e5},
                                         {"poissons_ratio", 0.3}}});
  }
  d.add_connection(sheet);
  return d;
}

// Patch test: under any constant strain of the edge the middle goes with it [spec, acceptance test
// 11]. Strains count to first order, dilatations exactly.
TEST(ElasticConnection, TrianglesPassThePatchTest) {
  const Eigen::Vector2d middle(0.4, 0.55);
  const auto moved = [&](const Eigen::Matrix2d& gradient) {
    const auto system = compile(patch(gradient, middle));
    const auto seen =
        support::observe(*system, support::at_rest(*system, system->described_state()));
    return Eigen::Vector2d(seen.at("sheet.middle.position.x"), seen.at("sheet.middle.position.y"));
  };
  const Eigen::Matrix2d dilatation = 0.03 * Eigen::Matrix2d::Identity();
  EXPECT_LE((moved(dilatation) - 1.03 * middle).norm(), 1e-12);
  Eigen::Matrix2d gradient;
  gradient << 1.0, 0.4, 0.4, -0.7;
  gradient *= 1e-5;
  EXPECT_LE((moved(gradient) - middle - gradient * middle).norm(), 1e-9);  // strain squared: 1e-10
}

// The same to first order alone, without squares of strains: corners that move with a constant
// gradient of velocity take the middle along.
TEST(ElasticConnection, TrianglesPassThePatchTestInVelocities) {
  const Eigen::Vector2d middle(0.4, 0.55);
  Description d = patch(Eigen::Matrix2d::Zero(), middle);
  Eigen::Matrix2d gradient;
  gradient << 1.0, 0.4, 0.9, -0.7;
  for (int i = 0; i < 4; ++i) {
    Body corner;
    corner.name = std::string("p").append(std::to_string(i));
    corner.kind = BodyKind::point;
    corner.mass.mass = 1.0;
    corner.position = d.ground_frames[static_cast<std::size_t>(i)].position;
    corner.velocity.head<2>() = gradient * corner.position.head<2>();
    d.add_body(corner);
  }
  for (Item& triangle : d.connections[0].elements) {
    for (std::string& end : triangle.attachments) {
      if (end.rfind("ground.c", 0) == 0) end = "p" + end.substr(8);
    }
  }
  d.add_sensor("displacement", "x", {"ground", "sheet.middle"}, {{"axis", Vector3d(1, 0, 0)}});
  d.add_sensor("displacement", "y", {"ground", "sheet.middle"}, {{"axis", Vector3d(0, 1, 0)}});
  const auto system = compile(d);
  const auto seen = support::observe(*system, support::at_rest(*system, system->described_state()));
  const Eigen::Vector2d expected = gradient * middle;
  const Eigen::Vector2d found(seen.at("x_rate"), seen.at("y_rate"));
  EXPECT_LE((found - expected).norm(), 1e-9 * expected.norm());
}

void expect_refused(const Description& d, const std::string& part) {
  try {
    compile(d);
    FAIL() << "accepted";
  } catch (const core::InputError& error) {
    EXPECT_NE(std::string(error.what()).find(part), std::string::npos) << error.what();
  }
}

// A hub on a bushing (1000, 800 N/m; 20 N m/rad) at the origin of a body: torques turn it, a force
// in its own axes turns with it, and loads by formulas follow time.
TEST(ElasticConnection, LoadsOnNodesTurnFollowAndChangeWithTime) {
  Description d;
  d.space = Space::planar;
  Body base;
  base.name = "base";
  base.mass = {.mass = 1.0, .inertia = Eigen::Matrix3d::Identity()};
  d.add_body(base);
  const auto load = [](const char* type, const char* name, Values values) {
    return Item{.name = name, .type = type, .attachments = {"hub"}, .values = std::move(values)};
  };
  d.add_connection(
      {.name = "mount",
       .nodes = {{.name = "hub"}},
       .elements = {
           element("bushing", "rubber", "base", "hub",
                   {{"stiffness", Vector3d(1000, 800, 0)}, {"rotational_stiffness", 20.0}}),
           load("torque", "twist", {{"torque", 6.0}}),
           load("force", "thrust", {{"force", Vector3d(50, 0, 0)}, {"axes", std::string("body")}}),
           element("general_force", "wind", "ground", "hub",
                   {{"force_y", std::string("(12 N)*sin(3*time/(1 s))")}})}});
  const auto system = compile(d);
  system::State state = system->described_state();
  for (const double t : {0.0, 0.4}) {
    state.t = t;
    const auto seen = support::observe(*system, support::at_rest(*system, state));
    const double angle = 6.0 / 20.0;
    EXPECT_NEAR(seen.at("mount.hub.angle"), angle, 1e-13);
    EXPECT_NEAR(seen.at("mount.hub.position.x"), 50.0 * std::cos(angle) / 1000.0, 1e-14);
    EXPECT_NEAR(seen.at("mount.hub.position.y"),
                (50.0 * std::sin(angle) + 12.0 * std::sin(3.0 * t)) / 800.0, 1e-14);
  }
  // What the hub bears, the body feels.
  system::Vector f;
  state.t = 0.0;
  system->forces(state, f);
  EXPECT_NEAR(f[0], 50.0 * std::cos(0.3), 1e-11);
  EXPECT_NEAR(f[1], 50.0 * std::sin(0.3), 1e-11);
  state.v = Vector3d(0.3, -0.2, 0.5);
  support::expect_force_tangent_is_derivative(*system, state);
  support::expect_energy_rate_is_power(*system, state);
}

TEST(ElasticConnection, FreeNodesAreRefusedByName) {
  Description d = tripod(Space::planar, 1, false);
  Description loose = d;
  loose.connections[0].elements.resize(1);
  loose.connections[0].nodes[0].force.setZero();
  expect_refused(loose, "'hub' is free");
  Description unused = d;
  unused.connections[0].nodes.push_back({.name = "nowhere"});
  expect_refused(unused, "no element holds the internal node 'nowhere'");
  Description two = d;
  two.connections[0].elements.push_back(
      {.name = "push", .type = "force", .attachments = {"hub", "ground"}});
  two.connections[0].elements.back().values["force"] = Vector3d(1, 0, 0);
  expect_refused(two, "'force' acts on one node");
  Description wrong = d;
  wrong.connections[0].elements[0].type = "gravity_field";
  expect_refused(wrong, "cannot be an element of an energetic");
  Description missing = d;
  missing.connections[0].elements[0].attachments[1] = "hubb";
  expect_refused(missing, "no body 'hubb'");
}

}  // namespace
}  // namespace trammel::model::elastic_connection_test
