// Cams, rolling and skating in the plane against closed forms, and what curves refuse.
#include <cmath>
#include <numbers>

#include "support/reference_motion.h"
#include "support/system_view.h"
#include <gtest/gtest.h>

#include "trammel/model/kinds.h"

namespace trammel::model::planar_contact_test {
namespace {

using Eigen::Vector3d;

constexpr double g = 9.81;
constexpr double pi = std::numbers::pi;

Body body_named(const std::string& name, double mass, double inertia) {
  Body body;
  body.name = name;
  body.mass.mass = mass;
  body.mass.inertia = Vector3d(inertia, inertia, inertia).asDiagonal();
  return body;
}

// A cam on a bearing at the origin, turned by phi, and a follower that moves along y above it.
Description cam(const std::string& type, const Values& values, double phi) {
  Description d;
  d.space = Space::planar;
  Body disc = body_named("cam", 1.0, 0.01);
  disc.angle = phi;
  disc.orientation = Eigen::Quaterniond(Eigen::AngleAxisd(phi, Vector3d::UnitZ()));
  disc.fixed_pose.fill(true);
  d.add_body(disc);
  Body follower = body_named("follower", 0.5, 0.01);
  follower.position = {0.0, 0.15, 0.0};
  d.add_body(follower);
  d.add_joint("revolute", "bearing", "ground", "cam");
  d.add_joint("prismatic", "guide", "ground", "follower", {{"axis", Vector3d(0, 1, 0)}});
  d.add_joint(type, "contact", "cam", "follower", values);
  return d;
}

double lift(const std::string& type, const Values& values, double phi) {
  const auto system = compile(cam(type, values, phi));
  const system::State state = support::assembled(*system);
  return support::observe(*system, support::at_rest(*system, state)).at("follower.position.y");
}

// Eccentric circle of radius 0.1 m, off by 0.03 m.
const std::string eccentric = "0.03*cos(angle) + sqrt(0.01 - 0.0009*sin(angle)^2)";

TEST(Cam, LiftOfAFlatFollowerIsTheSupportOfTheProfile) {
  for (double phi = -3.0; phi < 3.2; phi += 0.5) {
    EXPECT_NEAR(lift("cam_flat", {{"profile", eccentric}}, phi), 0.1 + 0.03 * std::sin(phi), 1e-12)
        << phi;
  }
}

TEST(Cam, LiftOfARollerIsThatOfACrank) {
  const double rod = 0.1 + 0.02;
  for (double phi = -3.0; phi < 3.2; phi += 0.5) {
    const double expected =
        0.03 * std::sin(phi) + std::sqrt(rod * rod - std::pow(0.03 * std::cos(phi), 2));
    EXPECT_NEAR(lift("cam_roller", {{"profile", eccentric}, {"roller_radius", 0.02}}, phi),
                expected, 1e-12)
        << phi;
  }
}

TEST(Cam, LiftOfAKnifeEdgeIsTheProfileItself) {
  // A harmonic profile with three lobes, read above the bearing.
  for (double phi = -3.0; phi < 3.2; phi += 0.5) {
    EXPECT_NEAR(lift("cam_roller", {{"profile", std::string("0.1 m + 0.01 m*cos(3*angle)")}}, phi),
                0.1 + 0.01 * std::cos(3.0 * (0.5 * pi - phi)), 1e-12)
        << phi;
  }
}

TEST(Cam, TableOfPointsIsNearTheFormula) {
  std::vector<double> angles;
  std::vector<double> radii;
  for (int i = 0; i <= 36; ++i) {
    angles.push_back(2.0 * pi * i / 36.0);
    radii.push_back(0.1 + 0.01 * std::cos(2.0 * pi * (i % 36) / 36.0));
  }
  for (double phi = -3.0; phi < 3.2; phi += 0.5) {
    // The spline's error is 5/384 h^4 |r''''| = 1.2e-7 at most, with h = 0.175 rad.
    EXPECT_NEAR(lift("cam_roller", {{"angles", angles}, {"radii", radii}}, phi),
                0.1 + 0.01 * std::cos(0.5 * pi - phi), 2e-7);
  }
}

TEST(Cam, FollowerIsPushedByItsAcceleration) {
  // The cam turns with w against no resistance but the follower: reaction = m (y'' + 0).
  Description d = cam("cam_flat", {{"profile", eccentric}}, 0.4);
  d.bodies[0].angular_velocity = {0.0, 0.0, 20.0};
  d.bodies[0].fixed_velocity.fill(true);
  d.add_drive("velocity", "motor",
              {{"coordinate", std::string("bearing.angle")}, {"motion", std::string("20 rad/s")}});
  const auto system = compile(d);
  const double t = 0.13;
  const system::Motion end =
      support::reference_motion(*system, support::assembled(*system), t, 200);
  const support::Observation seen = support::observe(*system, end);
  const double phi = 0.4 + 20.0 * t;
  EXPECT_NEAR(seen.at("follower.velocity.y"), 0.6 * std::cos(phi), 1e-7);
  EXPECT_NEAR(seen.at("contact.reaction.force.y"), 0.5 * -12.0 * std::sin(phi), 1e-5);
}

TEST(PlanarRolling, DiscRunsDownASlopeWithTwoThirds) {
  Description d;
  d.space = Space::planar;
  d.gravity = {g * std::sin(0.3), -g * std::cos(0.3), 0.0};
  Body disc = body_named("disc", 2.0, 0.5 * 2.0 * 0.25 * 0.25);
  disc.position = {0.0, 0.25, 0.0};
  d.add_body(disc);
  d.add_joint("rolling_disc", "roll", "ground", "disc", {{"radius", 0.25}});
  const auto system = compile(d);
  const system::Motion end =
      support::reference_motion(*system, support::assembled(*system), 2.0, 100);
  const support::Observation seen = support::observe(*system, end);
  const double a = 2.0 / 3.0 * g * std::sin(0.3);
  EXPECT_NEAR(seen.at("disc.position.x"), 2.0 * a, 1e-9);
  EXPECT_NEAR(seen.at("roll.angle"), -2.0 * a / 0.25, 1e-8) << "several turns";
  EXPECT_NEAR(seen.at("roll.reaction.force.x"), 2.0 * a - 2.0 * g * std::sin(0.3), 1e-9);
}

TEST(PlanarRolling, DiscRollsOverTheTopOfAnother) {
  // Energy from the top: 3/4 m v^2 = m g (R + r) (1 - cos(theta)), and the disc has turned by
  // (R + r)/r theta.
  Description d;
  d.space = Space::planar;
  d.gravity = {0.0, -g, 0.0};
  Body disc = body_named("disc", 2.0, 0.5 * 2.0 * 0.01);
  disc.position = {0.0, 0.5, 0.0};
  disc.velocity = {0.2, 0.0, 0.0};
  disc.angular_velocity = {0.0, 0.0, -2.0};
  d.add_body(disc);
  d.add_joint("rolling_discs", "roll", "ground", "disc", {{"radius_a", 0.4}, {"radius_b", 0.1}});
  const auto system = compile(d);
  const system::Motion end =
      support::reference_motion(*system, support::assembled(*system), 0.6, 300);
  const support::Observation seen = support::observe(*system, end);
  const double x = seen.at("disc.position.x");
  const double y = seen.at("disc.position.y");
  const double theta = std::atan2(x, y);
  EXPECT_GT(theta, 0.4);
  const double v2 = 0.04 + 4.0 / 3.0 * g * 0.5 * (1.0 - std::cos(theta));
  EXPECT_NEAR(std::pow(seen.at("disc.velocity.x"), 2) + std::pow(seen.at("disc.velocity.y"), 2), v2,
              1e-8);
  EXPECT_NEAR(seen.at("roll.angle"), -5.0 * theta, 1e-9);
}

TEST(PlanarSkate, MovesOnACycloidDownASlope) {
  const double w = 2.5;
  Description d;
  d.space = Space::planar;
  d.gravity = {3.0, 0.0, 0.0};
  Body body = body_named("skater", 2.0, 0.1);
  body.angular_velocity = {0.0, 0.0, w};
  d.add_body(body);
  d.add_joint("skate", "blade", "ground", "skater");
  const auto system = compile(d);
  const double t = 1.1;
  const system::Motion end =
      support::reference_motion(*system, support::assembled(*system), t, 400);
  const support::Observation seen = support::observe(*system, end);
  const double k = 3.0 / (2.0 * w * w);
  EXPECT_NEAR(seen.at("skater.position.x"), k * std::pow(std::sin(w * t), 2), 1e-8);
  EXPECT_NEAR(seen.at("skater.position.y"), k * (w * t - 0.5 * std::sin(2.0 * w * t)), 1e-8);
}

TEST(Curves, ParameterCanBeDrivenAndRead) {
  // A point on a circle of 2 m whose parameter is the angle: driven with 3 1/s it has 6 m/s.
  Description d;
  d.space = Space::planar;
  Body body = body_named("bead", 1.0, 1.0);
  body.position = {2.0, 0.0, 0.0};
  d.add_body(body);
  d.parameters["radius"] = {.value = 2.0, .dimension = core::dimension::length};
  d.add_joint("point_on_curve", "wire", "ground", "bead",
              {{"x", std::string("radius*cos(u)")},
               {"y", std::string("radius*sin(u)")},
               {"from", -pi},
               {"to", pi},
               {"closed", true}});
  d.add_drive("velocity", "feed",
              {{"coordinate", std::string("wire.parameter")}, {"motion", std::string("3 Hz")}});
  d.add_sensor("formula", "doubled", {}, {{"formula", std::string("2*wire.parameter_rate")}});
  const auto system = compile(d);
  const system::Motion end =
      support::reference_motion(*system, support::assembled(*system), 0.5, 400);
  const support::Observation seen = support::observe(*system, end);
  EXPECT_NEAR(seen.at("wire.parameter"), 1.5, 1e-9);
  EXPECT_NEAR(seen.at("bead.velocity.x"), -6.0 * std::sin(1.5), 1e-8);
  EXPECT_NEAR(seen.at("doubled"), 6.0, 1e-9);
  EXPECT_NEAR(seen.at("feed.load"), 0.0, 1e-8) << "uniform motion without resistance";
}

// What is told of a joint that cannot be built.
std::string refusal(const std::string& type, const Values& values) {
  Description d;
  d.space = Space::planar;
  d.add_body(body_named("b", 1.0, 1.0));
  d.add_joint(type, "item", "ground", "b", values);
  try {
    compile(d);
  } catch (const core::InputError& error) {
    EXPECT_FALSE(error.diagnostics().front().remedy.empty());
    EXPECT_EQ(error.diagnostics().front().path.rfind("joints.item", 0), 0U);
    return error.diagnostics().front().message;
  }
  return "accepted";
}

void expect_refused(const std::string& type, const Values& values, const std::string& words) {
  const std::string message = refusal(type, values);
  EXPECT_NE(message.find(words), std::string::npos) << message;
}

TEST(Curves, AreRefusedWithAReason) {
  const auto text = [](const char* words) { return std::string(words); };
  using Numbers = std::vector<double>;
  const std::string curve = "point_on_curve";
  expect_refused(curve, {}, "no curve is given");
  expect_refused(curve, {{"y", text("abs(x)")}}, "kinks");
  expect_refused(curve, {{"y", text("x^2 +")}}, "x^2 +");
  expect_refused(curve, {{"y", text("0.1*w")}}, "'w'");
  expect_refused(curve, {{"x", text("cos(u)")}, {"y", text("sin(u)")}}, "range");
  expect_refused(
      curve,
      {{"x", text("cos(u)")}, {"y", text("sin(u)")}, {"from", 0.0}, {"to", 3.0}, {"closed", true}},
      "does not close");
  expect_refused(curve,
                 {{"x", text("1*u^2")},
                  {"y", text("1*u^3 - 1*u")},
                  {"from", -1.0},
                  {"to", 1.0},
                  {"closed", true}},
                 "kink");
  expect_refused(curve, {{"x", text("1*u^2")}, {"y", text("1*u^3")}, {"from", -1.0}, {"to", 1.0}},
                 "stands still");
  expect_refused(curve, {{"points_x", Numbers{0, 1, 2}}}, "points_y");
  expect_refused(curve, {{"points_x", Numbers{0, 1, 2}}, {"points_y", Numbers{0, 1}}}, "2 numbers");
}

TEST(Cams, AreRefusedWithAReason) {
  expect_refused("cam_flat", {{"profile", std::string("0.1 + 0.02*cos(4*angle)")}}, "not convex");
  expect_refused("cam_roller",
                 {{"profile", std::string("0.1 + 0.02*cos(4*angle)")}, {"roller_radius", 0.5}},
                 "does not fit");
  expect_refused("cam_roller", {{"profile", std::string("0.1 + 0.2*cos(angle)")}}, "radius");
  expect_refused("cam_roller", {{"profile", std::string("0.1 + 0.001*angle")}}, "does not close");
  expect_refused("cam_roller", {}, "no profile");
  expect_refused(
      "curve_on_curve",
      {{"profile", std::string("0.1")}, {"profile_b", std::string("0.1 + 0.02*cos(4*angle)")}},
      "not convex");
  expect_refused(
      "cam_roller",
      {{"angles", std::vector<double>{0, 1, 2}}, {"radii", std::vector<double>{1, 1, 1}}},
      "whole turn");
  expect_refused("rolling_discs", {{"radius_a", 0.3}, {"radius_b", -0.2}}, "smaller");
  expect_refused("rolling_discs", {{"radius_a", 0.3}, {"radius_b", 0.0}}, "zero");
  expect_refused("rolling_disc", {{"radius", 0.0}}, "radius");
}

}  // namespace
}  // namespace trammel::model::planar_contact_test
