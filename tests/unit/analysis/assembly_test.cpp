#include "trammel/analysis/assembly.h"

#include "analysis_models.h"
#include "support/mechanisms.h"
#include <gtest/gtest.h>

#include "trammel/core/diagnostic.h"

namespace trammel::analysis {
namespace {

using Eigen::Vector3d;

TEST(Assembly, ClosesAMechanismFromRoughGuesses) {
  model::Description d = support::slider_crank();
  // Bodies thrown about by up to 0.2 m and 30 degrees; the crank's angle is fixed.
  d.bodies[0].position += Vector3d(0.1, -0.1, 0);
  d.bodies[0].fixed_pose[5] = true;
  d.bodies[1].position += Vector3d(-0.2, 0.1, 0);
  d.bodies[1].angle += 0.5;
  d.bodies[2].position += Vector3d(0.2, 0.2, 0);
  const auto system = model::compile(d);
  const Assembly assembly = assemble(*system);
  EXPECT_LT(assembly.position_residual, 1e-12);
  EXPECT_LT(assembly.velocity_residual, 1e-12);
  EXPECT_LT(assembly.acceleration_residual, 1e-9);
  EXPECT_LT(assembly.force_residual, 1e-10);
  EXPECT_GT(assembly.largest_move, 0.1);
  const auto reference_system = model::compile(support::slider_crank());
  const Assembly reference = assemble(*reference_system);
  EXPECT_LT((assembly.motion.state.q - reference.motion.state.q).norm(), 1e-10);
  EXPECT_EQ(assembly.motion.state.q[2], d.bodies[0].angle);
}

TEST(Assembly, MakesVelocitiesConsistentWithTheFixedOne) {
  const auto system = model::compile(support::slider_crank());
  const Assembly assembly = assemble(*system);
  EXPECT_EQ(assembly.motion.state.v[2], 10.0);
  // Slider speed from the closed form: x = a cos(phi) + sqrt(l^2 - a^2 sin^2(phi)).
  const double a = 0.15;
  const double l = 0.45;
  const double s = std::sin(M_PI / 4);
  const double c = std::cos(M_PI / 4);
  const double speed = -10.0 * a * s * (1.0 + a * c / std::sqrt(l * l - a * a * s * s));
  EXPECT_NEAR(assembly.motion.state.v[6], speed, 1e-12);
}

TEST(Assembly, GivesExactAccelerationsAndReactions) {
  // A bar of 2 kg and 1.2 m pinned at its end, horizontal and at rest: alpha = -3 g / (2 L), and
  // the pin carries a quarter of the weight.
  model::Description d;
  d.space = model::Space::planar;
  d.gravity = {0, -9.81, 0};
  model::Body bar = support::bar("bar", 1.2, 2.0, d.space);
  bar.position = {0.6, 0, 0};
  d.add_body(bar);
  d.add_joint("revolute", "pin", "ground", "bar.left");
  const auto system = model::compile(d);
  const Assembly assembly = assemble(*system);
  EXPECT_NEAR(assembly.motion.a[2], -1.5 * 9.81 / 1.2, 1e-12);
  std::vector<double> values(system->observables().size());
  system->observe(assembly.motion, values.data());
  std::size_t i = 0;
  for (const model::Quantity& q : system->observables()) {
    if (q.name == "pin.reaction.force.y") {
      EXPECT_NEAR(values[i], 2.0 * 9.81 / 4.0, 1e-12);
    }
    ++i;
  }
}

TEST(Assembly, NamesTheJointsOfALoopThatCannotClose) {
  model::Description d = support::four_bars(1);
  d.ground_frames[1].position = {5, 0, 0};  // bars of 1 m cannot span 5 m
  const auto system = model::compile(d);
  try {
    assemble(*system);
    FAIL() << "an impossible loop was assembled";
  } catch (const core::RunError& error) {
    EXPECT_NE(std::string(error.what()).find("cannot be assembled"), std::string::npos);
    EXPECT_NE(std::string(error.what()).find("gap"), std::string::npos);
    EXPECT_NE(std::string(error.what()).find("base"), std::string::npos) << error.what();
    EXPECT_FALSE(error.remedy().empty());
  }
}

TEST(Assembly, RefusesFixedVelocitiesThatContradictEachOther) {
  model::Description d = support::four_bars(1);
  d.bodies[0].fixed_velocity[5] = true;
  d.bodies[1].fixed_velocity[5] = true;
  d.bodies[1].angular_velocity = {0, 0, 2};  // the other rocker turns with -1 rad/s
  const auto system = model::compile(d);
  EXPECT_THROW(assemble(*system), core::RunError);
}

// A slider at its dead centre has no velocity that a drive could ask for.
TEST(Assembly, TellsOfADriveThatAsksTooMuch) {
  const auto system = model::compile(described(R"(
trammel: 1
space: planar
bodies:
  crank: {mass: 1, inertia: 0.1, frames: {tip: [0.2, 0]}}
  slider: {mass: 1, inertia: 0.1, position: [0.7, 0]}
joints:
  main: {type: revolute, between: [ground, crank]}
  rod: {type: distance, between: [crank.tip, slider]}
  guide: {type: prismatic, between: [ground, slider], axis: x}
drives:
  feed: {type: position, coordinate: guide.displacement, motion: 0.7 m - 0.1 m/s * time}
)"));
  try {
    assemble(*system);
    FAIL() << "the dead centre was passed over";
  } catch (const core::RunError& error) {
    EXPECT_EQ(std::string(error.what()).find("fixed"), std::string::npos) << error.what();
    EXPECT_NE(std::string(error.what()).find("rod"), std::string::npos) << error.what();
    EXPECT_NE(error.remedy().find("dead centre"), std::string::npos) << error.remedy();
  }
}

TEST(Assembly, CountsFreedomsAndNamesRedundantRows) {
  // A planar four-bar built of spatial revolutes: 3 of 20 rows are redundant.
  model::Description planar = support::four_bars(1);
  model::Description d = planar;
  d.space = model::Space::spatial;
  for (model::Body& body : d.bodies) {
    body.mass.inertia = Vector3d(1e-3, 1.0 / 12, 1.0 / 12).asDiagonal();
  }
  const auto system = model::compile(d);
  const Assembly assembly = assemble(*system);
  EXPECT_EQ(assembly.mobility.freedoms(), 1);
  EXPECT_EQ(assembly.mobility.redundant.size(), 3U);
  EXPECT_FALSE(assembly.mobility.not_unique.empty());
  // In-plane reactions stay unique: no "point x" or "point y" row among them.
  for (const model::RowName& row : assembly.mobility.not_unique) {
    EXPECT_NE(row.label, "point x") << row.joint;
    EXPECT_NE(row.label, "point y") << row.joint;
  }
  // The motion is that of the planar model.
  const auto flat = model::compile(planar);
  EXPECT_NEAR(assembly.motion.a[5], assemble(*flat).motion.a[2], 1e-9);
}

}  // namespace
}  // namespace trammel::analysis
