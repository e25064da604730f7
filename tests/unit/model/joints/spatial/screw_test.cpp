// The screw and the constant-velocity joint against closed forms.
#include <cmath>
#include <numbers>

#include "support/reference_motion.h"
#include "support/system_view.h"
#include <gtest/gtest.h>

#include "trammel/model/kinds.h"

namespace trammel::model::screw_test {
namespace {

using Eigen::Vector3d;

constexpr double g = 9.81;
constexpr double mass = 2.0;
constexpr double inertia = 0.003;
constexpr double pitch = 0.05;

Description nut(const std::string& hand) {
  Description d;
  d.space = Space::spatial;
  d.gravity = {0.0, 0.0, -g};
  Body body;
  body.name = "nut";
  body.mass.mass = mass;
  body.mass.inertia = Vector3d(0.002, 0.002, inertia).asDiagonal();
  d.add_body(body);
  d.add_joint("screw", "thread", "ground", "nut", {{"pitch", pitch}, {"hand", hand}});
  return d;
}

TEST(Screw, NutRunsDownUnderGravityOverManyTurns) {
  // (m + J / h^2) s'' = -m g with h = pitch / (2 pi) and s = h angle.
  const double h = pitch / (2.0 * std::numbers::pi);
  const double a = -mass * g / (mass + inertia / (h * h));
  for (const double hand : {1.0, -1.0}) {
    SCOPED_TRACE(hand);
    const auto system = compile(nut(hand > 0.0 ? "right" : "left"));
    system::State state = support::assembled(*system);
    // The angle is tracked after each piece, as integrators do.
    for (int piece = 1; piece <= 100; ++piece) {
      const system::Motion end = support::reference_motion(*system, state, 0.025, 2);
      state = end.state;
      system->accept(state);
      const support::Observation seen = support::observe(*system, end);
      const double s = 0.5 * a * std::pow(0.025 * piece, 2);
      EXPECT_NEAR(seen.at("thread.displacement"), s, 1e-10);
      EXPECT_NEAR(seen.at("thread.angle"), hand * s / h, 1e-8);
      EXPECT_NEAR(seen.at("thread.reaction.force.z"), mass * (a + g), 1e-8);
    }
    EXPECT_GT(std::abs(0.5 * a * 2.5 * 2.5 / pitch), 5.0) << "turns";
  }
}

TEST(Screw, RefusesAPitchOfZero) {
  Description d = nut("right");
  d.joints[0].values["pitch"] = 0.0;
  EXPECT_THROW(compile(d), core::InputError);
}

// Two shafts in bearings at the angle `bend`, the first turned by `phi`.
Description shafts(const std::string& joint, double bend, double phi) {
  Description d;
  d.space = Space::spatial;
  const Eigen::Quaterniond turn(Eigen::AngleAxisd(phi, Vector3d::UnitZ()));
  const Eigen::Quaterniond tilt(Eigen::AngleAxisd(bend, Vector3d::UnitY()));
  for (const char* name : {"driving", "driven"}) {
    Body body;
    body.name = name;
    body.mass.mass = 1.0;
    body.mass.inertia = Vector3d(0.1, 0.1, 0.02).asDiagonal();
    body.orientation = body.name == "driven" ? tilt * turn : turn;
    d.add_body(body);
  }
  d.ground_frames.push_back({"tilted", Vector3d::Zero(), tilt});
  d.add_joint("revolute", "first", "ground", "driving");
  d.add_joint("revolute", "second", "ground.tilted", "driven");
  d.add_joint(joint, "joint", "driving", "driven");
  return d;
}

TEST(ConstantVelocity, ShaftsTurnWithEqualSpeeds) {
  for (const double phi : {0.0, 0.4, 1.1, 2.3}) {
    for (const double bend : {0.1, 0.7, 1.3}) {
      SCOPED_TRACE(testing::Message() << "phi " << phi << " bend " << bend);
      const auto system = compile(shafts("constant_velocity", bend, phi));
      const system::State state = system->described_state();
      system::Vector closed;
      system->position_constraint(state, closed);
      ASSERT_LE(closed.lpNorm<Eigen::Infinity>(), 1e-14) << "equal turns keep the joint closed";
      const Eigen::MatrixXd allowed =
          support::allowed_velocities(support::constraint_jacobian(*system, state));
      ASSERT_EQ(allowed.cols(), 1) << "one freedom";
      EXPECT_NEAR(allowed(5, 0) / allowed(11, 0), 1.0, 1e-12);
    }
  }
}

TEST(ConstantVelocity, HookeJointDoesNot) {
  // w2/w1 = cos(bend) / (1 - sin^2(bend) cos^2(phi)), with the arm of the driving shaft along x at
  // phi = 0, across which (y) the shafts bend.
  const double bend = 0.7;
  const auto system = [&] {
    Description d = shafts("universal", bend, 0.0);
    return compile(d);
  }();
  const Eigen::MatrixXd allowed =
      support::allowed_velocities(support::constraint_jacobian(*system, system->described_state()));
  ASSERT_EQ(allowed.cols(), 1);
  const double ratio = allowed(11, 0) / allowed(5, 0);
  EXPECT_NEAR(std::max(ratio, 1.0 / ratio), 1.0 / std::cos(bend), 1e-12);
}

}  // namespace
}  // namespace trammel::model::screw_test
