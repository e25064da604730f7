// Rolling and skating in space against closed forms.
#include <cmath>
#include <numbers>

#include "support/reference_motion.h"
#include "support/system_view.h"
#include <gtest/gtest.h>

#include "trammel/model/kinds.h"

namespace trammel::model::rolling_test {
namespace {

using Eigen::Matrix3d;
using Eigen::Quaterniond;
using Eigen::Vector3d;

constexpr double g = 9.81;
constexpr double mass = 2.0;
constexpr double radius = 0.5;

Body ball() {
  Body body;
  body.name = "ball";
  body.mass.mass = mass;
  body.mass.inertia = 0.4 * mass * radius * radius * Matrix3d::Identity();
  body.position = {0.0, 0.0, radius};
  return body;
}

TEST(RollingSphere, RunsDownASlopeWithFiveSevenths) {
  const double slope = 0.3;
  Description d;
  d.space = Space::spatial;
  d.gravity = {g * std::sin(slope), 0.0, -g * std::cos(slope)};
  d.add_body(ball());
  d.add_joint("rolling_sphere", "roll", "ground", "ball", {{"radius", radius}});
  const auto system = compile(d);
  const system::Motion end =
      support::reference_motion(*system, support::assembled(*system), 1.0, 100);
  const support::Observation seen = support::observe(*system, end);
  const double a = 5.0 / 7.0 * g * std::sin(slope);
  EXPECT_NEAR(seen.at("ball.acceleration.x"), a, 1e-10);
  EXPECT_NEAR(seen.at("ball.position.x"), 0.5 * a, 1e-9);
  EXPECT_NEAR(seen.at("ball.angular_velocity.y"), a / radius, 1e-9);
  EXPECT_NEAR(seen.at("roll.reaction.force.x"), -2.0 / 7.0 * mass * g * std::sin(slope), 1e-9);
  EXPECT_NEAR(seen.at("roll.reaction.force.z"), mass * g * std::cos(slope), 1e-9);
}

TEST(RollingSphere, CirclesOnATurntableWithTwoSevenths) {
  // On a table that turns with W a homogeneous ball moves on a circle with 2/7 W, whatever its
  // start: v' = 2/7 W z x v.
  const double table_speed = 3.0;
  Description d;
  d.space = Space::spatial;
  d.gravity = {0.0, 0.0, -g};
  Body table;
  table.name = "table";
  table.mass.mass = 1e9;  // it does not feel the ball: 1e-9 of its speed
  table.mass.inertia = 1e9 * Matrix3d::Identity();
  table.angular_velocity = {0.0, 0.0, table_speed};
  d.add_body(table);
  Body body = ball();
  body.position = {0.7, 0.0, radius};
  d.add_body(body);
  d.add_joint("revolute", "bearing", "ground", "table");
  d.add_joint("rolling_sphere", "roll", "table", "ball", {{"radius", radius}});
  const auto system = compile(d);
  const system::State start = support::assembled(*system);
  const support::Observation first = support::observe(*system, support::at_rest(*system, start));
  const double duration = 1.5;
  const system::Motion end = support::reference_motion(*system, start, duration, 600);
  const support::Observation seen = support::observe(*system, end);
  const Vector3d v_0 = support::observed_vector(first, "ball.velocity");
  ASSERT_GT(v_0.norm(), 0.3) << "assembly leaves the ball at rest: nothing to see";
  const double turned = 2.0 / 7.0 * table_speed * duration;
  const Vector3d v = Eigen::AngleAxisd(turned, Vector3d::UnitZ()) * v_0;
  EXPECT_LE((support::observed_vector(seen, "ball.velocity") - v).norm(), 1e-7);
}

// A thin uniform disc whose axle leans by `theta` from the vertical.
Body disc_body(double theta) {
  Body body;
  body.name = "disc";
  body.mass.mass = mass;
  const double A = 0.25 * mass * radius * radius;
  body.mass.inertia = Vector3d(A, 2.0 * A, A).asDiagonal();
  // The axle is the body's y axis; upright (theta = 90 degrees) it is horizontal.
  const double lean = 0.5 * std::numbers::pi - theta;
  body.orientation = Quaterniond(Eigen::AngleAxisd(lean, Vector3d::UnitX()));
  body.position = {0.0, 0.0, radius * std::sin(theta)};
  return body;
}

// The angular velocity w (world), with the centre's velocity that rolling asks for.
void set_motion(Body& body, double theta, const Vector3d& w) {
  const Vector3d axle = body.orientation * Vector3d::UnitY();
  const Vector3d up = (Vector3d::UnitZ() - std::cos(theta) * axle).normalized();
  body.angular_velocity = body.orientation.conjugate() * w;
  body.velocity = w.cross(radius * up);
}

Description rolling_disc(const Body& body) {
  Description d;
  d.space = Space::spatial;
  d.gravity = {0.0, 0.0, -g};
  d.add_body(body);
  d.add_joint("rolling_disc", "roll", "ground", "disc",
              {{"radius", radius}, {"axle", Vector3d(0, 1, 0)}});
  return d;
}

double axle_angle(const support::Observation& seen) {
  const Vector3d axle = support::body_motion(seen, "disc").R * Vector3d::UnitY();
  return std::acos(axle.z());
}

TEST(RollingDisc, KeepsItsLeanInSteadyCircles) {
  // Steady motion with the precession W and the spin n about the axle:
  //     (C + m R^2) n W sin(theta) - A W^2 sin(theta) cos(theta) + m g R cos(theta) = 0.
  const double theta = 1.2;
  const double W = 1.7;
  const double s = std::sin(theta);
  const double c = std::cos(theta);
  const double n = (0.25 * W * W * s * c - g / radius * c) / (1.5 * W * s);
  Body body = disc_body(theta);
  const Vector3d axle = body.orientation * Vector3d::UnitY();
  set_motion(body, theta, n * axle + W * (Vector3d::UnitZ() - c * axle));
  const auto system = compile(rolling_disc(body));
  system::State state = support::assembled(*system);
  EXPECT_LE((state.v - system->described_state().v).norm(), 1e-12) << "described as rolling";
  for (int i = 0; i < 4; ++i) {
    const system::Motion end = support::reference_motion(*system, state, 0.5, 250);
    const support::Observation seen = support::observe(*system, end);
    EXPECT_NEAR(axle_angle(seen), theta, 1e-8);
    EXPECT_NEAR(support::observed_vector(seen, "disc.velocity").norm(), body.velocity.norm(), 1e-7);
    state = end.state;
  }
}

TEST(RollingDisc, StraightRollingIsStableAboveItsLimit) {
  // Small leans x of a thin uniform disc obey 5/4 x'' = 3/2 w W + g/R x, where the precession goes
  // with the lean, W = -2 w x: 5/4 x'' + (3 w^2 - g/R) x = 0. The limit is w^2 = g / (3 R).
  for (const double part : {1.3, 0.7}) {
    SCOPED_TRACE(part);
    const double w = std::sqrt(part * g / (3.0 * radius));
    const double lean = 1e-4;
    Body body = disc_body(0.5 * std::numbers::pi - lean);
    const Vector3d axle = body.orientation * Vector3d::UnitY();
    set_motion(body, 0.5 * std::numbers::pi - lean,
               w * axle - 2.0 * w * lean * (Vector3d::UnitZ() - std::sin(lean) * axle));
    const auto system = compile(rolling_disc(body));
    const double duration = 1.5;
    const system::Motion end =
        support::reference_motion(*system, support::assembled(*system), duration, 600);
    const double x = 0.5 * std::numbers::pi - axle_angle(support::observe(*system, end));
    const double rate = std::sqrt(g / radius * std::abs(part - 1.0) / 1.25);
    const double expected =
        lean * (part > 1.0 ? std::cos(rate * duration) : std::cosh(rate * duration));
    // Nonlinear terms are of relative size x^2; one part in 1e5 leaves room for them.
    EXPECT_NEAR(x, expected, 1e-5 * lean * std::cosh(rate * duration));
  }
}

TEST(RollingWheel, WithASmallRimBecomesADisc) {
  // The accelerations differ by the order of the rim's radius, so that halving it halves them.
  const double theta = 1.1;
  std::vector<Vector3d> accelerations;
  for (const double rim : {0.0, 1e-4, 2e-4}) {
    Body body = disc_body(theta);
    body.position.z() = (radius - rim) * std::sin(theta) + rim;
    set_motion(body, theta, 4.0 * (body.orientation * Vector3d::UnitY()));
    Description d = rolling_disc(body);
    if (rim > 0.0) {
      d.joints[0].type = "rolling_wheel";
      d.joints[0].values["rim_radius"] = rim;
    }
    d.bodies[0].fixed_pose.fill(true);
    const auto system = compile(d);
    const system::Motion start =
        support::reference_motion(*system, support::assembled(*system), 1e-6, 1);
    accelerations.push_back(
        support::observed_vector(support::observe(*system, start), "disc.acceleration"));
  }
  const double once = (accelerations[1] - accelerations[0]).norm();
  const double twice = (accelerations[2] - accelerations[0]).norm();
  EXPECT_GT(once, 1e-5);
  EXPECT_LT(once, 1e-1);
  EXPECT_NEAR(twice / once, 2.0, 0.05);
}

TEST(RollingDisc, RefusesToLieFlat) {
  Body body = disc_body(0.0);
  EXPECT_THROW(compile(rolling_disc(body)), core::InputError);
}

TEST(SpatialSkate, MovesOnACycloidDownASlope) {
  // A blade at the centre of mass, turning with w: x = k sin^2(w t), y = k (w t - sin(2 w t)/2),
  // k = g sin(slope) / (2 w^2).
  const double slope = 0.4;
  const double w = 2.5;
  Description d;
  d.space = Space::spatial;
  d.gravity = {g * std::sin(slope), 0.0, -g * std::cos(slope)};
  Body body;
  body.name = "skater";
  body.mass.mass = mass;
  body.mass.inertia = Vector3d(0.3, 0.4, 0.5).asDiagonal();
  body.angular_velocity = {0.0, 0.0, w};
  d.add_body(body);
  d.add_joint("skate", "blade", "ground", "skater");
  const auto system = compile(d);
  const double t = 1.1;
  const system::Motion end =
      support::reference_motion(*system, support::assembled(*system), t, 400);
  const support::Observation seen = support::observe(*system, end);
  const double k = g * std::sin(slope) / (2.0 * w * w);
  EXPECT_NEAR(seen.at("skater.position.x"), k * std::pow(std::sin(w * t), 2), 1e-8);
  EXPECT_NEAR(seen.at("skater.position.y"), k * (w * t - 0.5 * std::sin(2.0 * w * t)), 1e-8);
  EXPECT_NEAR(seen.at("blade.reaction.force.z"), mass * g * std::cos(slope), 1e-8);
}

}  // namespace
}  // namespace trammel::model::rolling_test
