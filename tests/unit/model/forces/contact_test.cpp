#include "trammel/model/forces/contact.h"

#include <cmath>

#include "support/reference_motion.h"
#include "support/system_view.h"
#include <gtest/gtest.h>

namespace trammel::model::contact_test {
namespace {

Body ball(const char* name, double radius, const Eigen::Vector3d& position) {
  Body body;
  body.name = name;
  body.mass = {.mass = 0.5, .inertia = 0.4 * 0.5 * radius * radius * Eigen::Matrix3d::Identity()};
  body.position = position;
  return body;
}

TEST(HuntCrossley, DampingSolvesTheRestitutionEquation) {
  EXPECT_EQ(hunt_crossley_damping(1.0, 2.0), 0.0);
  for (const double e : {0.05, 0.3, 0.7, 0.95, 0.999}) {
    const double x = hunt_crossley_damping(e, 2.0) * 2.0;
    // One unit of round-off in x, seen through the logarithm, which is steep near x = 1/e.
    const double steep = 1.0 + e * x / (1.0 - e * x);
    EXPECT_NEAR(x * (1.0 + e), std::log((1.0 + x) / (1.0 - e * x)), 1e-14 * (1.0 + steep));
  }
  // Near e = 1, a v = 3/2 (1 - e), the result of Hunt and Crossley.
  EXPECT_NEAR(hunt_crossley_damping(0.999, 1.0), 1.5 * 0.001, 1e-5);
}

// A ball hits the plane at the named speed and leaves with e times it, whatever the law's exponent.
TEST(Contact, ImpactHasTheNamedRestitution) {
  for (const double exponent : {1.0, 1.5}) {
    for (const double e : {0.2, 0.6, 1.0}) {
      Description d;
      d.add_body(ball("ball", 0.1, {0, 0, 0.1}));
      d.bodies[0].velocity = {0, 0, -2.0};
      d.add_force("plane_contact", "floor", {"ground", "ball"},
                  {{"radius", 0.1},
                   {"stiffness", 1e5},
                   {"exponent", exponent},
                   {"restitution", e},
                   {"impact_speed", 2.0}});
      const auto system = compile(d);
      const system::Motion end =
          support::reference_motion(*system, system->described_state(), 0.06, 6000);
      // Contact lasts 5 ms and more; order one at the moments of touch and release, h = 1e-5.
      EXPECT_NEAR(end.state.v[2], 2.0 * e, 1e-4) << exponent << " " << e;
    }
  }
}

TEST(Contact, DissipatedEnergyIsWhatTheBallLost) {
  Description d;
  d.add_body(ball("ball", 0.1, {0, 0, 0.1}));
  d.bodies[0].velocity = {0, 0, -2.0};
  d.add_force("plane_contact", "floor", {"ground", "ball"},
              {{"radius", 0.1}, {"stiffness", 1e5}, {"restitution", 0.5}, {"impact_speed", 2.0}});
  const auto system = compile(d);
  system::Motion motion = support::at_rest(*system, system->described_state());
  double lost = 0.0;
  for (int i = 0; i < 3000; ++i) {
    const double before = system->power(motion).dissipated;
    motion = support::reference_motion(*system, motion.state, 1e-5, 1);
    lost += 0.5e-5 * (before + system->power(motion).dissipated);
  }
  // Trapezoidal sums of a pulse, h = 1e-5.
  EXPECT_NEAR(lost, 0.25 * 4.0 * 0.75, 1e-4);
}

TEST(Contact, SpheresKeepMomentumAndSeparateWithRestitution) {
  for (const Space space : {Space::planar, Space::spatial}) {
    Description d;
    d.space = space;
    d.add_body(ball("left", 0.1, {-0.1, 0, 0}));
    d.add_body(ball("right", 0.1, {0.1, 0, 0}));
    d.bodies[0].velocity = {3.0, 0, 0};
    d.bodies[1].velocity = {1.0, 0, 0};
    d.add_force("sphere_contact", "impact", {"left", "right"},
                {{"first_radius", 0.1},
                 {"second_radius", 0.1},
                 {"stiffness", 1e5},
                 {"restitution", 0.5},
                 {"impact_speed", 2.0}});
    const auto system = compile(d);
    const system::Motion end =
        support::reference_motion(*system, system->described_state(), 0.05, 5000);
    const Eigen::Index n = space == Space::planar ? 3 : 6;
    EXPECT_NEAR(end.state.v[0] + end.state.v[n], 4.0, 1e-12);
    EXPECT_NEAR(end.state.v[n] - end.state.v[0], 1.0, 1e-4);
  }
}

// A ball set down sliding ends up rolling with 5/7 of its speed, whatever the friction.
TEST(Contact, SlidingBallEndsUpRolling) {
  const double stiffness = 1e4;
  const double depth = 0.5 * 9.81 / stiffness;
  Description d;
  d.gravity = {0, 0, -9.81};
  d.add_body(ball("ball", 0.1, {0, 0, 0.1 - depth}));
  d.bodies[0].velocity = {1.4, 0, 0};
  d.add_force("plane_contact", "floor", {"ground", "ball"},
              {{"radius", 0.1},
               {"stiffness", stiffness},
               {"exponent", 1.0},
               {"friction", 0.4},
               {"slip_speed", 1e-3}});
  const auto system = compile(d);
  const system::Motion end =
      support::reference_motion(*system, system->described_state(), 0.3, 3000);
  // The angular momentum about the contact point is kept; the arm reaches to the undeformed sphere,
  // so that only the slip that is left, exp(-many), differs.
  EXPECT_NEAR(end.state.v[0], 1.0, 1e-9);
  EXPECT_NEAR(end.state.v[4] * 0.1, 1.0, 1e-9);
}

TEST(Contact, TyreCarriesTheWheelAndLetsGo) {
  Description d;
  d.space = Space::planar;
  d.gravity = {0, -10, 0};
  d.add_body(ball("wheel", 0.3, {0, 0.3 - 0.5 * 10.0 / 2e3, 0}));
  d.add_force("tyre_spring", "tyre", {"ground", "wheel"},
              {{"radius", 0.3}, {"stiffness", 2e3}, {"damping", 20.0}});
  auto system = compile(d);
  const auto load = [&] {
    return support::observe(*system, support::at_rest(*system, system->described_state()))
        .at("tyre.normal_force");
  };
  EXPECT_NEAR(load(), 5.0, 1e-12);
  d.bodies[0].velocity = {0, 1.0, 0};  // damping would pull: 5 N - 20 N
  system = compile(d);
  EXPECT_EQ(load(), 0.0);
  d.bodies[0].position.y() = 0.31;
  system = compile(d);
  EXPECT_EQ(load(), 0.0);
}

void expect_refused(const Values& values, const std::string& part) {
  Description d;
  d.add_body(ball("ball", 0.1, {0, 0, 1}));
  d.add_force("plane_contact", "floor", {"ground", "ball"}, values);
  try {
    compile(d);
    FAIL() << "not refused: " << part;
  } catch (const core::InputError& error) {
    const std::string text = core::to_string(error.diagnostics().front());
    EXPECT_NE(text.find("forces.floor"), std::string::npos) << text;
    EXPECT_NE(text.find(part), std::string::npos) << text;
  }
}

TEST(Contact, WrongValuesAreRefused) {
  expect_refused({{"stiffness", 1e5}, {"friction", -0.1}}, "friction is -0.1");
  expect_refused({{"stiffness", 1e5}, {"restitution", 1.2}}, "restitution is 1.2");
  expect_refused({{"stiffness", 1e5}, {"friction", 0.3}, {"static_friction", 0.2}},
                 "static_friction 0.2 is below");
  expect_refused({{"stiffness", 1e5}, {"normal", Eigen::Vector3d(0, 0, 0)}}, "length 0");
  expect_refused({{"stiffness", 0.0}}, "stiffness is 0");
}

}  // namespace
}  // namespace trammel::model::contact_test
