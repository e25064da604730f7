#include "trammel/model/connections/kinematic_connection.h"

#include "support/allocation_counter.h"
#include "support/joint_laws.h"
#include "support/random_models.h"
#include "support/reference_motion.h"
#include "support/system_laws.h"
#include "support/system_view.h"
#include <gtest/gtest.h>

#include "trammel/model/mechanism.h"

namespace trammel::model::kinematic_connection_test {
namespace {

using Eigen::Vector3d;
using support::Random;
using support::Side;

Item element(const char* type,
             const char* name,
             const std::string& a,
             const std::string& b,
             const Vector3d& at,
             Values values = {}) {
  return {.name = name, .type = type, .attachments = {a, b}, .at = at, .values = std::move(values)};
}

// A spinning body that hangs on the ground's origin by a rod of 1.3 m.
Description hanging() {
  Description d;
  d.gravity = {0, 0, -9.81};
  Body body;
  body.name = "bob";
  body.mass = {.mass = 2.0, .inertia = Vector3d(0.1, 0.2, 0.25).asDiagonal()};
  body.position = {1.2, 0.3, -0.4};
  body.velocity = {-0.3, 1.2, 0.0};
  body.angular_velocity = {0.5, 0.2, -0.3};
  body.frames.push_back({.name = "eye", .position = {0.1, -0.2, 0.05}});
  d.add_body(body);
  return d;
}

Vector3d eye(const Description& d) {
  return d.bodies[0].position + d.bodies[0].orientation * d.bodies[0].frames[0].position;
}

// Ball, rigid bar, ball [Sol1983, fig. 7.2].
Description ball_bar_ball() {
  Description d = hanging();
  const Vector3d end = eye(d);
  d.add_connection({.name = "rod",
                    .nodes = {{.name = "bar", .position = 0.5 * end}},
                    .elements = {element("spherical", "upper", "ground", "bar", Vector3d::Zero()),
                                 element("spherical", "lower", "bar", "bob", end)}});
  return d;
}

// Rank 5, one row, one idle freedom (the spin of the bar): a distance [spec, acceptance test 10].
TEST(KinematicConnection, BallBarBallIsADistance) {
  const Description rod = ball_bar_ball();
  const auto mechanism = build_mechanism<Spatial>(rod);
  ASSERT_EQ(mechanism->reductions.size(), 1U);
  const KinematicReduction& reduction = mechanism->reductions[0];
  EXPECT_EQ(reduction.connection, "rod");
  EXPECT_EQ(reduction.freedoms, 5);
  EXPECT_EQ(reduction.idle, 1);
  EXPECT_EQ(reduction.rows, 1);
  EXPECT_TRUE(reduction.redundant.empty());

  Description distance = hanging();
  distance.add_joint("distance", "rod", "ground", "bob.eye");
  const auto reduced = compile(rod);
  const auto single = compile(distance);
  const system::State state = support::assembled(*single);
  const Eigen::MatrixXd P = support::constraint_jacobian(*reduced, state);
  const Eigen::MatrixXd G = support::constraint_jacobian(*single, state);
  ASSERT_EQ(P.rows(), 1);
  const double factor = P.row(0).dot(G.row(0)) / G.squaredNorm();
  EXPECT_GT(std::abs(factor), 0.1);
  EXPECT_LE((P - factor * G).norm(), 1e-10);
  // The same motion, half a swing long.
  const system::Motion one = support::reference_motion(*single, state, 0.8, 400);
  const system::Motion other = support::reference_motion(*reduced, state, 0.8, 400);
  EXPECT_LE((one.state.q - other.state.q).norm(), 1e-8);
  EXPECT_NEAR(std::abs(one.lambda[0]), std::abs(other.lambda[0] * factor),
              1e-6 * std::abs(one.lambda[0]));
}

void expect_laws(const Description& d) {
  const auto system = compile(d);
  const system::State state = support::assembled(*system);
  Random random(7);
  system::Motion motion = support::at_rest(*system, state);
  motion.lambda = random.values(motion.lambda.size());
  support::expect_tangent_is_derivative(*system, motion, {.position = 1.0}, nullptr);
  support::expect_tangent_is_derivative(*system, motion, {0.7, 1.3, 0.4}, nullptr);
  support::expect_jacobian_is_derivative(*system, state);
  support::expect_bias_is_second_derivative(*system, state, random);
  support::expect_stiffness_is_derivative(*system, state, random);
}

TEST(KinematicConnection, DerivativesAreExact) {
  expect_laws(ball_bar_ball());
}

// Universal joints at both ends of a sliding shaft: 4 + 4 + 5 rows over two nodes (12 freedoms).
TEST(KinematicConnection, CardanShaftLeavesItsFreedoms) {
  Description d = hanging();
  const Vector3d end = eye(d);
  const Vector3d middle = 0.5 * end;
  d.add_connection(
      {.name = "shaft",
       .nodes = {{.name = "inner", .position = middle}, {.name = "outer", .position = middle}},
       .elements = {element("universal", "first", "ground", "inner", Vector3d::Zero(),
                            {{"axis", Vector3d(0, 1, 0)}, {"axis_b", Vector3d(0, 0, 1)}}),
                    element("prismatic", "slide", "inner", "outer", middle, {{"axis", end}}),
                    element("universal", "second", "outer", "bob", end,
                            {{"axis", Vector3d(0, 1, 0)}, {"axis_b", Vector3d(0, 0, 1)}})}});
  const auto mechanism = build_mechanism<Spatial>(d);
  // 6 + 12 - 13 rows = 5 coordinates: universal (2), slide (1), universal (2).
  EXPECT_EQ(mechanism->reductions[0].freedoms, 5);
  EXPECT_EQ(mechanism->reductions[0].idle, 0);
  expect_laws(d);
}

// In the plane, two pins on a massless link are a distance; a pin on a slide is a pin in a slot.
TEST(KinematicConnection, PlanarLinkIsADistance) {
  Description d;
  d.space = Space::planar;
  Body body;
  body.name = "bob";
  body.mass = {.mass = 2.0, .inertia = 0.1 * Eigen::Matrix3d::Identity()};
  body.position = {1.0, -0.5, 0};
  body.velocity = {0.5, 1.0, 0};
  d.add_body(body);
  Description distance = d;
  distance.gravity = d.gravity = {0, -9.81, 0};
  d.add_connection({.name = "link",
                    .nodes = {{.name = "bar", .position = {0.5, 0, 0}}},
                    .elements = {element("revolute", "first", "ground", "bar", Vector3d::Zero()),
                                 element("revolute", "second", "bar", "bob", {1.0, -0.5, 0})}});
  distance.add_joint("distance", "link", "ground", "bob");
  const auto one = compile(distance);
  const auto other = compile(d);
  const system::State state = support::assembled(*one);
  EXPECT_LE((support::reference_motion(*one, state, 0.7, 300).state.q -
             support::reference_motion(*other, state, 0.7, 300).state.q)
                .norm(),
            1e-8);
  expect_laws(d);
}

// Two rows: a pin and a ball on a massless bar are the composite joint of the catalogue.
TEST(KinematicConnection, PinAndBallAreTheirCompositeJoint) {
  Description d = hanging();
  Description composite = d;
  const Vector3d end = eye(d);
  d.add_connection({.name = "arm",
                    .nodes = {{.name = "bar", .position = 0.5 * end}},
                    .elements = {element("revolute", "pin", "ground", "bar", Vector3d::Zero(),
                                         {{"axis", Vector3d(0.1, 1.0, 0)}}),
                                 element("spherical", "ball", "bar", "bob", end)}});
  composite.ground_frames.push_back({.name = "pivot"});
  // The eye turns about the axis in a plane that need not go through the pin.
  const Vector3d axis = Vector3d(0.1, 1.0, 0).normalized();
  composite.ground_frames[0].position = axis.dot(end) * axis;
  composite.add_joint("revolute_spherical", "arm", "ground.pivot", "bob.eye", {{"axis", axis}});
  const auto reduced = compile(d);
  const auto single = compile(composite);
  EXPECT_EQ(reduced->sizes().holonomic, 2);
  const system::State state = support::assembled(*single);
  const system::Motion one = support::reference_motion(*single, state, 0.6, 300);
  const system::Motion other = support::reference_motion(*reduced, state, 0.6, 300);
  EXPECT_LE((one.state.q - other.state.q).norm(), 1e-8);
  expect_laws(d);
}

// Two pins with skew axes: four rows, whose basis turns within itself along the motion.
Description skew_pins() {
  Description d = hanging();
  const Vector3d end = eye(d);
  d.add_connection({.name = "arm",
                    .nodes = {{.name = "bar", .position = 0.5 * end}},
                    .elements = {element("revolute", "first", "ground", "bar", Vector3d::Zero(),
                                         {{"axis", Vector3d(0.1, 1.0, 0)}}),
                                 element("revolute", "second", "bar", "bob", end,
                                         {{"axis", Vector3d(0.7, 0.2, 0.5)}})}});
  return d;
}

TEST(KinematicConnection, TangentFollowsTheTurningBasis) {
  const auto mechanism = build_mechanism<Spatial>(skew_pins());
  EXPECT_EQ(mechanism->reductions[0].rows, 4);
  EXPECT_EQ(mechanism->reductions[0].joint, "");
  EXPECT_TRUE(mechanism->reductions[0].is_hinge);
  expect_laws(skew_pins());
}

// The same on two moving bodies: everything is seen from the first.
TEST(KinematicConnection, BothBodiesMayMove) {
  Description d = skew_pins();
  Body base;
  base.name = "base";
  base.mass = {.mass = 3.0, .inertia = Vector3d(0.3, 0.2, 0.4).asDiagonal()};
  base.position = {0.2, -0.1, 0.3};
  base.orientation = Eigen::Quaterniond(0.8, 0.3, -0.4, 0.2).normalized();
  base.velocity = {0.4, -0.2, 0.7};
  base.angular_velocity = {-0.6, 0.9, 0.3};
  d.add_body(base);
  d.connections[0].elements[0].attachments[0] = "base";
  expect_laws(d);
  // Without gravity nothing turns the pair as a whole.
  d.gravity.setZero();
  const auto system = compile(d);
  const system::State start = support::assembled(*system);
  const auto momentum = [&](const system::State& state) {
    return Vector3d(3.0 * state.v.segment<3>(6) + 2.0 * state.v.segment<3>(0));
  };
  const system::Motion end = support::reference_motion(*system, start, 0.5, 40);
  EXPECT_LE((momentum(end.state) - momentum(start)).norm(), 1e-9);
  support::expect_energy_balance(*system, start);
}

TEST(KinematicConnection, EvaluationsAllocateNothing) {
  if (!support::AllocationCounter::available()) GTEST_SKIP();
  const auto system = compile(skew_pins());
  system::State state = support::assembled(*system);
  system::Motion motion = support::at_rest(*system, state);
  motion.lambda.setOnes();
  system::KktMatrix matrix(system->pattern());
  system::Vector r;
  system::Vector g;
  const auto evaluate = [&] {
    system->residual(motion, r, g);
    system->tangent(motion, {1.0, 1.0, 1.0}, nullptr, matrix);
    system->acceleration_bias(motion.state, g);
  };
  evaluate();
  const support::AllocationCounter counter;
  for (int i = 0; i < 20; ++i) {  // through several cells of poses
    motion.state.q[0] -= 0.05;
    evaluate();
  }
  EXPECT_EQ(counter.count(), 0);
}

// ---- hinges of the catalogue

TEST(KinematicConnection, BecomesTheHingeThatDoesTheSame) {
  struct Case {
    const char* first;
    const char* second;
    const char* expected;
    Vector3d axis;
  };
  const Vector3d y(0.1, 1.0, 0.0);
  for (const Case& c :
       {Case{"fixed", "fixed", "fixed", y}, Case{"revolute", "fixed", "revolute", y},
        Case{"fixed", "prismatic", "prismatic", y}, Case{"spherical", "fixed", "spherical", y},
        Case{"fixed", "cylindrical", "cylindrical", y}}) {
    SCOPED_TRACE(c.expected);
    Description d = hanging();
    const Vector3d end = eye(d);
    const auto values = [&](std::string_view type) {
      const bool has_axis = type != "fixed" && type != "spherical";
      return has_axis ? Values{{"axis", c.axis}} : Values{};
    };
    const Vector3d place(0.2, 0.1, -0.3);
    d.add_connection(
        {.name = "arm",
         .nodes = {{.name = "bar", .position = 0.5 * end}},
         .elements = {element(c.first, "first", "ground", "bar", place, values(c.first)),
                      element(c.second, "second", "bar", "bob", end, values(c.second))}});
    const auto mechanism = build_mechanism<Spatial>(d);
    EXPECT_EQ(mechanism->reductions[0].joint, c.expected);
    EXPECT_EQ(mechanism->joints[0].type, c.expected);
    // The same motion as with the joint itself.
    Description direct = hanging();
    const bool on_first = std::string_view(c.first) == c.expected;
    direct.add_joint(c.expected, "arm", "ground", "bob", values(c.expected)).at =
        on_first ? place : end;
    const auto one = compile(direct);
    const auto other = compile(d);
    const system::State state = support::assembled(*one);
    EXPECT_LE((support::reference_motion(*one, state, 0.3, 40).state.q -
               support::reference_motion(*other, state, 0.3, 40).state.q)
                  .norm(),
              1e-10);
  }
}

TEST(KinematicConnection, PlanarHingesAreFound) {
  for (const char* kind : {"revolute", "prismatic", "fixed"}) {
    SCOPED_TRACE(kind);
    Description d;
    d.space = Space::planar;
    Body body;
    body.name = "bob";
    body.mass = {.mass = 2.0, .inertia = 0.1 * Eigen::Matrix3d::Identity()};
    body.position = {1.0, -0.5, 0};
    d.add_body(body);
    const Values axis = std::string_view(kind) == "prismatic"
                            ? Values{{"axis", Vector3d(0.3, 1.0, 0.0)}}
                            : Values{};
    d.add_connection({.name = "link",
                      .nodes = {{.name = "bar", .position = {0.5, 0, 0}}},
                      .elements = {element(kind, "first", "ground", "bar", {0.1, 0.2, 0}, axis),
                                   element("fixed", "second", "bar", "bob", {1.0, -0.5, 0})}});
    EXPECT_EQ(build_mechanism<Planar>(d)->reductions[0].joint, kind);
  }
}

// ---- nonholonomic rows

// A skate on a massless runner that is fixed to the body, away from its mass centre.
TEST(KinematicConnection, SkateOnAnInternalNodeIsASkateOnTheBody) {
  Description d;
  d.space = Space::planar;
  d.gravity = {0, -2.0, 0};
  Body body;
  body.name = "sledge";
  body.mass = {.mass = 2.0, .inertia = 0.3 * Eigen::Matrix3d::Identity()};
  body.velocity = {1.0, 0, 0};
  body.angular_velocity = {0, 0, 0.8};
  body.frames.push_back({.name = "runner", .position = {-0.4, 0.1, 0}});
  d.add_body(body);
  Description direct = d;
  direct.add_joint("skate", "edge", "ground", "sledge.runner");
  d.add_connection(
      {.name = "edge",
       .nodes = {{.name = "blade", .position = {-0.4, 0.1, 0}}},
       .elements = {{.name = "weld", .type = "fixed", .attachments = {"sledge.runner", "blade"}},
                    {.name = "skate", .type = "skate", .attachments = {"ground", "blade"}}}});
  const auto one = compile(direct);
  const auto other = compile(d);
  EXPECT_EQ(other->sizes().holonomic, 0);
  EXPECT_EQ(other->sizes().nonholonomic, 1);
  const system::State state = support::assembled(*one);
  EXPECT_LE((support::reference_motion(*one, state, 0.6, 60).state.q -
             support::reference_motion(*other, state, 0.6, 60).state.q)
                .norm(),
            1e-10);
  expect_laws(d);

  // A blade that swivels on its own has a motion that no joint places.
  d.connections[0].elements[0].type = "revolute";
  EXPECT_THROW(compile(d), core::InputError);
}

// A second weld says nothing new: its rows are dropped and named.
TEST(KinematicConnection, RedundantRowsAreNamed) {
  Description d = hanging();
  const Vector3d end = eye(d);
  d.add_connection({.name = "hook",
                    .nodes = {{.name = "ring", .position = Vector3d::Zero()}},
                    .elements = {element("revolute", "pin", "ground", "ring", Vector3d::Zero(),
                                         {{"axis", Vector3d(0, 0, 1)}}),
                                 element("revolute", "again", "ground", "ring", Vector3d(0, 0, 1),
                                         {{"axis", Vector3d(0, 0, 1)}}),
                                 element("spherical", "ball", "ring", "bob", end)}});
  const auto mechanism = build_mechanism<Spatial>(d);
  const KinematicReduction& reduction = mechanism->reductions[0];
  EXPECT_EQ(reduction.redundant.size(), 5U);
  // The eye stays on a circle about z: two rows; it is free to turn about it (3) and to go round
  // (1).
  EXPECT_EQ(reduction.freedoms, 4);
  EXPECT_EQ(reduction.rows, 2);
}

void expect_refused(const Description& d, const std::string& part) {
  try {
    compile(d);
    FAIL() << "accepted";
  } catch (const core::InputError& error) {
    EXPECT_NE(std::string(error.what()).find(part), std::string::npos) << error.what();
  }
}

TEST(KinematicConnection, MistakesAreNamed) {
  Description free = ball_bar_ball();
  free.connections[0].elements[1].type = "point_on_plane";
  expect_refused(free, "leaves all motion free");
  Description mixed = ball_bar_ball();
  mixed.connections[0].elements[1].type = "spring";
  expect_refused(mixed, "cannot be an element of a kinematic connection");
  Description alone = ball_bar_ball();
  alone.connections[0].elements.pop_back();
  expect_refused(alone, "touch 1 bodies");
}

}  // namespace
}  // namespace trammel::model::kinematic_connection_test
