#include "trammel/model/forces/rotational_spring.h"

#include <numbers>

#include "support/force_laws.h"
#include <gtest/gtest.h>

namespace trammel::model::rotational_spring_test {
namespace {

constexpr double pi = std::numbers::pi;

// A wheel on the ground's axis with a rotational spring, its frames turned by the given angles.
Description wheel(double ground_angle, double wheel_angle, double body_angle) {
  Description d;
  d.space = Space::planar;
  const auto turn = [](double angle) {
    return Eigen::Quaterniond(Eigen::AngleAxisd(angle, Eigen::Vector3d::UnitZ()));
  };
  d.ground_frames.push_back({"mark", Eigen::Vector3d::Zero(), turn(ground_angle)});
  Body body;
  body.name = "wheel";
  body.mass.mass = 1.0;
  body.mass.inertia.setIdentity();
  body.angle = body_angle;
  body.orientation = turn(body_angle);
  body.angular_velocity = {0, 0, 0.5};
  body.frames.push_back({"mark", Eigen::Vector3d::Zero(), turn(wheel_angle)});
  d.add_body(body);
  d.add_force("rotational_spring", "item", {"ground.mark", "wheel.mark"},
              {{"stiffness", 10.0}, {"damping", 2.0}, {"angle", 0.1}});
  return d;
}

double torque_on(const Description& d) {
  const auto system = compile(d);
  system::Vector f;
  system->forces(system->described_state(), f);
  return f[2];
}

TEST(RotationalSpring, TurnsBackTowardsItsAngle) {
  // Wheel at 0.4 rad: 0.3 rad too far, turning on with 0.5 rad/s.
  const double expected = -10.0 * 0.3 - 2.0 * 0.5;
  EXPECT_NEAR(torque_on(wheel(0.0, 0.0, 0.4)), expected, 1e-14);
}

TEST(RotationalSpring, FramesEitherSideOfHalfATurnAreClose) {
  // The frames lie 20 degrees apart, not 340 degrees.
  const double apart = 20.0 * pi / 180.0;
  const double expected = -10.0 * (apart - 0.1) - 1.0;
  EXPECT_NEAR(torque_on(wheel(pi - 0.5 * apart, -pi + 0.5 * apart, 0.0)), expected, 1e-12);
}

TEST(RotationalSpring, CountsWholeTurnsInThePlane) {
  const double expected = -10.0 * (0.4 + 4.0 * pi - 0.1) - 1.0;
  EXPECT_NEAR(torque_on(wheel(0.0, 0.0, 0.4 + 4.0 * pi)), expected, 1e-12);
}

TEST(RotationalSpring, RecordsAngleRateAndTorqueThatBelongTogether) {
  for (const ForceKind& kind : {planar_rotational_spring(), spatial_rotational_spring()}) {
    support::Random random(11);
    const Description d =
        support::random_force(kind, support::Side::body, support::Side::body, random);
    const auto system = compile(d);
    const system::State state = system->described_state();
    support::expect_recorded_rate(*system, state, "angle", "rate");
    // The reported torque does the work of the forces; inertia forces do none.
    const auto seen = support::observe(*system, support::at_rest(*system, state));
    system::Vector f;
    system->forces(state, f);
    EXPECT_NEAR(f.dot(state.v), seen.at("item.torque") * seen.at("item.rate"), 1e-12);
  }
}

}  // namespace
}  // namespace trammel::model::rotational_spring_test
