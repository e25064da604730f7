// What formulas of forces read besides plain coordinates: tables over a coordinate, loads of
// contacts.
#include "trammel/model/quantities.h"

#include <cmath>

#include "support/system_laws.h"
#include "support/system_view.h"
#include <gtest/gtest.h>

#include "trammel/constraint_handling/consistent_start.h"

namespace trammel::model {
namespace {

Body rigid(const std::string& name) {
  Body body;
  body.name = name;
  body.mass = {.mass = 2.0, .inertia = 0.5 * Eigen::Matrix3d::Identity()};
  return body;
}

// A pressure that is measured over the angle of one body pushes another.
TEST(Quantities, TableOverACoordinateInAForce) {
  Description d;
  d.space = Space::planar;
  Body shaft = rigid("shaft");
  shaft.angle = -2.62;
  shaft.orientation = Eigen::AngleAxisd(-2.62, Eigen::Vector3d::UnitZ());
  d.add_body(shaft);
  d.add_body(rigid("plunger"));
  d.add_joint("revolute", "bearing", "ground", "shaft");
  d.add_joint("prismatic", "guide", "ground", "plunger", {{"axis", Eigen::Vector3d(0, 1, 0)}});
  const std::vector<double> angles{148, 150, 152, 154, 156};
  const std::vector<double> pressures{0.0, 20.0, 40.0, 20.0, 0.0};
  const auto table = std::make_shared<expression::Table>("pressure", angles, pressures);
  d.tables.push_back(table);
  d.add_force(
      "actuator", "fuel", {},
      {{"coordinate", std::string("guide.displacement")},
       {"formula",
        std::string("-0.5 m^2 * table(pressure, mod(-bearing.angle, 360 deg)/1 deg) * 1 Pa")}});
  const auto system = compile(d);
  const system::Motion motion = support::at_rest(*system, system->described_state());
  EXPECT_NEAR(support::observe(*system, motion).at("fuel.load"),
              -0.5 * table->value(2.62 * 180.0 / M_PI), 1e-12);
  support::expect_tangent_is_derivative(*system, motion, {.position = 1.0}, nullptr);
}

// A block that slides on a floor: friction as a formula of the load of the contact.
Description sliding_block(const std::string& force) {
  Description d;
  d.space = Space::spatial;
  d.gravity = {0, 0, -9.81};
  Body block = rigid("block");
  block.velocity = {3.0, 0, 0};
  d.add_body(block);
  d.add_joint("point_on_plane", "floor", "ground", "block", {{"unilateral", true}});
  d.add_force("general_force", "friction", {"ground", "block"}, {{"force_x", force}});
  return d;
}

TEST(Quantities, ForcesReadLoadsOfContacts) {
  // A tenth of the load lifts the block: N = m g - 0.1 N.
  Description d = sliding_block("-0.3 * floor.load");
  d.forces[0].values["force_z"] = std::string("0.1 * floor.load");
  const auto system = compile(d);
  constraint_handling::ConsistentStart start(*system);
  system::Motion motion = support::at_rest(*system, system->described_state());
  ASSERT_TRUE(start.accelerations(motion.state, motion.a, motion.lambda).converged);
  const double load = 2.0 * 9.81 / 1.1;
  EXPECT_NEAR(support::observe(*system, motion).at("floor.load"), load, 1e-9 * load);
  EXPECT_NEAR(motion.a[0], -0.3 * load / 2.0, 1e-9 * load);
  EXPECT_NEAR(motion.a[2], 0.0, 1e-9);
  support::expect_tangent_is_derivative(*system, motion, {.position = 1.0}, nullptr);
}

TEST(Quantities, OnlyForcesReadLoads) {
  Description d = sliding_block("-1 N");
  d.add_coupling("equation", "wrong", {{"equation", std::string("block.position.x - floor.load")}});
  EXPECT_THROW(compile(d), core::InputError);
}

}  // namespace
}  // namespace trammel::model
