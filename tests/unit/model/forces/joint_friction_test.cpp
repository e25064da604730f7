#include "trammel/model/forces/joint_friction.h"

#include <cmath>

#include "support/force_laws.h"
#include "support/random_models.h"
#include "support/reference_motion.h"
#include "support/system_laws.h"
#include <gtest/gtest.h>

#include "trammel/constraint_handling/consistent_start.h"
#include "trammel/model/friction_modes.h"

namespace trammel::model::joint_friction_test {
namespace {

using system::Vector;

Description block(double friction) {
  Description d;
  d.space = Space::planar;
  d.gravity = {0, -9.81, 0};
  Body body;
  body.name = "block";
  body.mass = {.mass = 2.0, .inertia = 0.1 * Eigen::Matrix3d::Identity()};
  body.velocity = {3.0, 0, 0};
  d.add_body(body);
  d.add_joint("prismatic", "rail", "ground", "block", {{"axis", Eigen::Vector3d(1, 0, 0)}});
  d.add_force("joint_friction", "dry", {},
              {{"coordinate", std::string("rail.displacement")},
               {"friction", friction},
               {"slip_speed", 1e-3}});
  return d;
}

// The rail carries the weight: v0^2 / (2 mu g), as with a given load.
TEST(JointFriction, BlockStopsAfterTheKnownDistance) {
  const auto system = compile(block(0.3));
  const system::Motion end =
      support::reference_motion(*system, system->described_state(), 1.2, 6000);
  EXPECT_NEAR(end.state.q[0], 9.0 / (2.0 * 0.3 * 9.81), 2e-6);
  EXPECT_NEAR(support::observe(*system, end).at("dry.normal_load"), 2.0 * 9.81, 1e-10);
}

// A flywheel on a pin of radius r: I w' = -mu r m g, whatever its angle; in space and in the plane.
TEST(JointFriction, FlywheelRunsDown) {
  for (const Space space : {Space::planar, Space::spatial}) {
    Description d;
    d.space = space;
    d.gravity = {0, -9.81, 0};
    Body body;
    body.name = "wheel";
    body.mass = {.mass = 5.0, .inertia = 0.2 * Eigen::Matrix3d::Identity()};
    body.angular_velocity = {0, 0, 10.0};
    d.add_body(body);
    Values axis;
    if (space == Space::spatial) axis["axis"] = Eigen::Vector3d(0, 0, 1);
    d.add_joint("revolute", "pin", "ground", "wheel", axis);
    d.add_force("joint_friction", "bearing", {},
                {{"coordinate", std::string("pin.angle")},
                 {"friction", 0.2},
                 {"radius", 0.05},
                 {"slip_speed", 1e-5}});
    const auto system = compile(d);
    const system::Motion end =
        support::reference_motion(*system, system->described_state(), 1.0, 200);
    const double deceleration = 0.2 * 0.05 * 5.0 * 9.81 / 0.2;
    // The smoothing takes (s0/s)^2/2 < 1e-8 of the load.
    EXPECT_NEAR(end.state.v[space == Space::planar ? 2 : 5], 10.0 - deceleration, 1e-6);
  }
}

// A bar that leans on two rails: the reactions feel the friction they cause. Solved by hand in the
// form M a + G^T lambda = f + h(lambda) by another way: the residual of the result is zero.
TEST(JointFriction, AccelerationsSatisfyTheWholeEquation) {
  for (const double friction : {0.1, 0.3, 0.5}) {
    Description d;
    d.space = Space::planar;
    d.gravity = {0, -9.81, 0};
    const double angle = 1.0;
    const Eigen::Vector3d foot(std::cos(angle), 0, 0);
    const Eigen::Vector3d top(0, std::sin(angle), 0);
    for (const char* name : {"foot", "top"}) {
      Body slider;
      slider.name = name;
      slider.mass = {.mass = 0.5, .inertia = 0.01 * Eigen::Matrix3d::Identity()};
      slider.position = name[0] == 'f' ? foot : top;
      slider.velocity = name[0] == 'f' ? Eigen::Vector3d(std::sin(angle), 0, 0)
                                       : Eigen::Vector3d(0, -std::cos(angle), 0);
      d.add_body(slider);
    }
    Body bar;
    bar.name = "bar";
    bar.mass = {.mass = 2.0, .inertia = 0.2 * Eigen::Matrix3d::Identity()};
    bar.position = 0.5 * (foot + top);
    bar.velocity = 0.5 * Eigen::Vector3d(std::sin(angle), -std::cos(angle), 0);
    bar.angular_velocity = {0, 0, 1.0};
    d.add_body(bar);
    d.add_joint("prismatic", "floor", "ground", "foot", {{"axis", Eigen::Vector3d(1, 0, 0)}});
    d.add_joint("prismatic", "wall", "ground", "top", {{"axis", Eigen::Vector3d(0, 1, 0)}});
    d.add_joint("revolute", "lower", "foot", "bar").at = foot;
    d.add_joint("revolute", "upper", "top", "bar").at = top;
    for (const char* name : {"floor", "wall"}) {
      d.add_force("joint_friction", std::string(name) + "_friction", {},
                  {{"coordinate", std::string(name) + ".displacement"}, {"friction", friction}});
    }
    const auto system = compile(d);
    const system::State state = support::assembled(*system);
    constraint_handling::ConsistentStart solver(*system);
    system::Motion motion = support::at_rest(*system, state);
    const auto report = solver.accelerations(state, motion.a, motion.lambda);
    EXPECT_TRUE(report.converged) << friction;
    EXPECT_GT(report.iterations, 2);
    RecordProperty("iterations", report.iterations);
    system::Vector r;
    system::Vector g;
    system->residual(motion, r, g);
    EXPECT_LE(r.lpNorm<Eigen::Infinity>(), 1e-11);
    EXPECT_GT(system->power(motion).dissipated, 0.0);
    support::expect_energy_balance(*system, state);
  }
}

TEST(JointFriction, TangentIsTheDerivativeAtFixedMultipliers) {
  const auto& kinds = force_kinds();
  for (const ForceKind& kind : kinds) {
    if (!kind.constraint_dependent) continue;
    for (unsigned seed = 1; seed <= 6; ++seed) {
      support::Random random(seed);
      Description d = support::random_force(kind, support::Side::body, support::Side::body, random);
      if (seed % 2 == 0) d.forces[0].values["lever"] = 0.3;
      const auto system = compile(d);
      system::Motion motion = support::at_rest(*system, system->described_state());
      motion.lambda = random.values(motion.lambda.size(), 5.0);
      support::expect_tangent_is_derivative(*system, motion, {0.7, 1.3, 0.4}, nullptr);
    }
  }
}

// The same while it sticks and while it slides with a frozen sign.
TEST(JointFriction, TangentIsTheDerivativeBetweenEvents) {
  for (const ForceKind& kind : force_kinds()) {
    if (!kind.constraint_dependent) continue;
    for (const Slip slip : {Slip::forward, Slip::backward, Slip::sticking, Slip::held}) {
      support::Random random(7);
      Description d = support::random_force(kind, support::Side::body, support::Side::body, random);
      d.forces[0].values["stick"] = std::string("event");
      const auto system = compile(d);
      ASSERT_EQ(system->stick_rows().size(), 1U);
      const StickRow row = system->stick_rows().front();
      system::State state = system->described_state();
      friction_modes(*system).set_slip(row, slip, state);
      system::Motion motion = support::at_rest(*system, state);
      motion.lambda = random.values(motion.lambda.size(), 5.0);
      support::expect_tangent_is_derivative(*system, motion, {0.7, 1.3, 0.4}, nullptr);
      Vector g;
      system->position_constraint(state, g);
      EXPECT_NEAR(g[row.row], 0.0, 1e-15);
      // Open rows ask for nothing; closed ones for a rate of zero.
      system->velocity_constraint(state, g);
      EXPECT_EQ(g[row.row] != 0.0, slip == Slip::sticking);
      const double load = support::observe(*system, motion).at("item.load");
      // Sliding loads oppose the named direction; a row that sticks carries its multiplier.
      if (slip == Slip::sticking) {
        EXPECT_EQ(load, -motion.lambda[row.row]);
      } else {
        EXPECT_EQ(std::copysign(load == 0.0 ? 0.0 : 1.0, load), -direction(slip));
      }
    }
  }
}

TEST(JointFriction, JumpsNeedEvents) {
  Description d = block(0.3);
  d.forces[0].values["stribeck_speed"] = 0.0;
  EXPECT_THROW(compile(d), core::InputError);
  d.forces[0].values["stick"] = std::string("event");
  EXPECT_NO_THROW(compile(d));
  d.forces[0].values["stick"] = std::string("always");
  EXPECT_THROW(compile(d), core::InputError);
}

TEST(JointFriction, UnknownCoordinatesAreRefused) {
  Description d = block(0.3);
  d.forces[0].values["coordinate"] = std::string("rial.displacement");
  try {
    compile(d);
    FAIL();
  } catch (const core::InputError& error) {
    const std::string text = core::to_string(error.diagnostics().front());
    EXPECT_NE(text.find("forces.dry.coordinate"), std::string::npos) << text;
    EXPECT_NE(text.find("rail.displacement"), std::string::npos) << text;
  }
  d = block(-0.3);
  EXPECT_THROW(compile(d), core::InputError);
}

}  // namespace
}  // namespace trammel::model::joint_friction_test
