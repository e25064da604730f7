#include "trammel/model/couplings/drives.h"

#include <cmath>

#include "support/reference_motion.h"
#include "support/system_view.h"
#include <gtest/gtest.h>

namespace trammel::model {
namespace {

// A free body in space whose angular velocity is (0, 0, 2 cos t) at the start.
Description spinner() {
  Description d;
  Body body;
  body.name = "top";
  body.mass = {.mass = 1.0, .inertia = Eigen::Vector3d(0.1, 0.2, 0.3).asDiagonal()};
  body.angular_velocity = {0, 0, 2.0};
  d.add_body(body);
  return d;
}

// The turn about z is the integral 2 sin t of the prescribed rate; the load is I w'.
TEST(RateDrive, PrescribesAComponentOfTheAngularVelocity) {
  Description d = spinner();
  d.add_drive("rate", "spin",
              {{"rate", std::string("top.angular_velocity.z")},
               {"motion", std::string("2 rad/s * cos(1*time)")}});
  const auto system = compile(d);
  EXPECT_EQ(system->sizes().nonholonomic, 1);
  const double t = 0.8;
  const system::Motion end = support::reference_motion(*system, system->described_state(), t, 400);
  const auto seen = support::observe(*system, end);
  EXPECT_NEAR(seen.at("top.angular_velocity.z"), 2.0 * std::cos(t), 1e-9);
  EXPECT_NEAR(2.0 * std::atan2(seen.at("top.orientation.e3"), seen.at("top.orientation.e0")),
              2.0 * std::sin(t), 1e-9);
  EXPECT_NEAR(seen.at("spin.load"), -0.3 * 2.0 * std::sin(t), 1e-9);
}

// All three at once: the orientation follows, whatever torque that takes.
TEST(RateDrive, ThreeComponentsPrescribeTheOrientationRate) {
  Description d = spinner();
  d.bodies[0].angular_velocity = {0.5, -0.3, 2.0};
  for (const char* axis : {"x", "y", "z"}) {
    const std::string rate = std::string("top.omega.") + axis;
    d.add_drive("rate", std::string("spin_") + axis,
                {{"rate", rate},
                 {"motion", std::string(*axis == 'x'   ? "0.5"
                                        : *axis == 'y' ? "-0.3"
                                                       : "2")}});
  }
  const auto system = compile(d);
  const system::Motion end =
      support::reference_motion(*system, system->described_state(), 1.0, 200);
  const Eigen::Vector3d w(0.5, -0.3, 2.0);
  const Eigen::Quaterniond expected(Eigen::AngleAxisd(w.norm(), w.normalized()));
  const auto seen = support::observe(*system, end);
  EXPECT_NEAR(seen.at("top.orientation.e1"), expected.x(), 1e-9);
  EXPECT_NEAR(seen.at("top.orientation.e2"), expected.y(), 1e-9);
  EXPECT_NEAR(seen.at("top.orientation.e3"), expected.z(), 1e-9);
  // Euler's equations: the torque w x (I w).
  const Eigen::Vector3d torque = w.cross(Eigen::Vector3d(0.05, -0.06, 0.6));
  EXPECT_NEAR(seen.at("spin_x.load"), torque.x(), 1e-9);
  EXPECT_NEAR(seen.at("spin_y.load"), torque.y(), 1e-9);
}

TEST(RateDrive, NeedsARate) {
  Description d = spinner();
  d.add_drive("rate", "spin",
              {{"rate", std::string("top.position.x")}, {"motion", std::string("1 m")}});
  EXPECT_THROW(compile(d), core::InputError);
}

}  // namespace
}  // namespace trammel::model
