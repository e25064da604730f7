// Rigid joints at velocity level, in both forms.
#include <cmath>

#include "support/random_models.h"
#include "support/reference_motion.h"
#include "support/system_view.h"
#include <gtest/gtest.h>

#include "trammel/model/model_system.h"

namespace trammel::model::velocity_fixed_test {
namespace {

// A spinning body that hangs on a pin or a ball, with another welded to it.
Description welded(Space space, const std::string& weld, const std::string& origins) {
  support::Random random(5);
  Description d;
  d.space = space;
  d.gravity = space == Space::planar ? Eigen::Vector3d(0, -9.81, 0) : Eigen::Vector3d(0, 0, -9.81);
  Body first = support::random_body("first", space, random);
  Body second = support::random_body("second", space, random);
  for (Body* body : {&first, &second}) {
    body->velocity.setZero();
    body->angular_velocity.setZero();
    body->orientation.setIdentity();
    body->angle = 0.0;
  }
  first.position = {0.5, 0, 0};
  second.position = {1.2, 0.3, 0};
  first.frames = {{.name = "end", .position = {0.4, 0.1, 0}}};
  second.frames = {{.name = "end", .position = {-0.3, -0.2, 0}}};
  d.add_body(first);
  d.add_body(second);
  d.ground_frames.push_back({.name = "hook"});
  d.bodies[0].frames.push_back({.name = "hook", .position = {-0.5, 0, 0}});
  d.add_joint(space == Space::planar ? "revolute" : "spherical", "hook", "ground.hook",
              "first.hook");
  Values values;
  if (!origins.empty()) values["origins"] = origins;
  d.add_joint(weld, "weld", "first.end", "second.end", values);
  return d;
}

// Three rows of positions and three of rates in space (two and one in the plane) hold as a weld
// does [Chiou1990, (4.6.1)-(4.6.3)]: motion and reactions.
TEST(VelocityFixed, OfPositionsAndRatesIsRigid) {
  for (const Space space : {Space::planar, Space::spatial}) {
    const auto rigid = compile(welded(space, "fixed", ""));
    const auto mixed = compile(welded(space, "velocity_fixed", "coincide"));
    const auto rates = compile(welded(space, "velocity_fixed", "kept"));
    const int dimension = space == Space::planar ? 2 : 3;
    const int rotations = space == Space::planar ? 1 : 3;
    EXPECT_EQ(mixed->sizes().holonomic, dimension + dimension);
    EXPECT_EQ(mixed->sizes().nonholonomic, rotations);
    EXPECT_EQ(rates->sizes().holonomic, dimension);
    EXPECT_EQ(rates->sizes().nonholonomic, dimension + rotations);
    const auto end_of = [](ModelSystem& system) {
      return support::reference_motion(system, support::assembled(system), 0.6, 600);
    };
    const system::Motion expected = end_of(*rigid);
    const auto reaction = support::observe(*rigid, expected);
    for (ModelSystem* system : {mixed.get(), rates.get()}) {
      const system::Motion found = end_of(*system);
      // Errors of fourth order at 1 ms; the rotation is kept by its rate alone.
      EXPECT_LE((found.state.q - expected.state.q).norm(), 1e-9);
      EXPECT_LE((found.state.v - expected.state.v).norm(), 1e-8);
      const auto seen = support::observe(*system, found);
      for (const char* component : {".force.x", ".force.y"}) {
        const std::string name = std::string("weld.reaction") + component;
        EXPECT_NEAR(seen.at(name), reaction.at(name), 1e-6) << name;
      }
    }
  }
}

}  // namespace
}  // namespace trammel::model::velocity_fixed_test
