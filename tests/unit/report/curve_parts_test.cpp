// Cams, profiles and wires are drawn where the joints describe them.
#include "trammel/report/curve_parts.h"

#include <cmath>
#include <numbers>

#include "support/mechanisms.h"
#include <gtest/gtest.h>

#include "trammel/model/kinds.h"
#include "trammel/report/drawn_model.h"
#include "trammel/report/scene_json.h"

namespace trammel::report {
namespace {

using Eigen::Vector3d;

model::Description with_joint(model::Space space, model::Item joint) {
  model::Description description;
  description.space = space;
  for (const char* name : {"first", "second"}) {
    model::Body body;
    body.name = name;
    body.mass = {1.0, Vector3d::Zero(), 0.01 * Eigen::Matrix3d::Identity()};
    description.bodies.push_back(body);
  }
  description.bodies[1].position = {0.0, 0.13, 0.0};
  description.joints.push_back(std::move(joint));
  core::Diagnostics diagnostics;
  model::check(description, diagnostics);
  diagnostics.throw_if_errors();
  return description;
}

model::Item joint(const std::string& type, const std::string& first, const model::Values& values) {
  model::Item item;
  item.name = "contact";
  item.type = type;
  item.attachments = {first, "second"};
  item.values = values;
  return item;
}

model::Description cam() {
  return with_joint(
      model::Space::planar,
      joint("cam_roller", "first",
            {{"profile", std::string("0.1 m + 0.01 m * cos(angle)")}, {"roller_radius", 0.02}}));
}

// The plate has the area of the profile, 1/2 the integral of r^2 over a turn.
TEST(CurveParts, ACamIsAPlateOfItsProfileAndAFollowerHasItsRoller) {
  const Scene scene = make_scene(cam());
  ASSERT_EQ(scene.bodies[0].parts.size(), 2u);
  EXPECT_TRUE(scene.bodies[0].parts[1].mark);
  EXPECT_GT(scene.size, 0.2);  // the cam's diameter
  const Part& plate = scene.bodies[0].parts[0];
  ASSERT_EQ(plate.kind, Part::Kind::mesh);
  EXPECT_EQ(math::open_edges(*plate.surface), 0u);
  const double volume = math::solid_properties(*plate.surface).volume;
  const double area = std::numbers::pi * (0.01 + 0.5 * 1e-4);
  // A polygon of 180 corners lacks (2 pi / 180)^2 / 6 of a circle's area.
  EXPECT_NEAR(volume / (0.5 * scene.bar_width), area, 3e-4 * area);
  for (const Vector3d& point : plate.surface->points) {
    const double r = std::hypot(point.x(), point.y());
    if (r == 0.0) continue;  // the middle
    EXPECT_NEAR(r, 0.1 + 0.01 * point.x() / r, 1e-12);
  }
  const Part& roller = scene.bodies[1].parts.back();
  EXPECT_EQ(roller.kind, Part::Kind::cylinder);
  EXPECT_EQ(roller.size[0], 0.02);
}

// The block of a follower that slides stands beyond its roller, with a bar to it.
TEST(CurveParts, AFollowersBlockLeavesRoomForItsRoller) {
  model::Description description = cam();
  model::Item guide;
  guide.name = "guide";
  guide.type = "prismatic";
  guide.attachments = {"ground", "second"};
  guide.values = {{"axis", Vector3d(0, 1, 0)}};
  description.joints.push_back(guide);
  const Scene scene = make_scene(description);
  const std::vector<Part>& parts = scene.bodies[1].parts;
  ASSERT_EQ(parts.size(), 3u);
  EXPECT_EQ(parts[0].kind, Part::Kind::box);
  EXPECT_GT(parts[0].position.y() - 0.5 * parts[0].size[0], 0.02);
  EXPECT_EQ(parts[1].kind, Part::Kind::bar);
  EXPECT_EQ(parts[2].kind, Part::Kind::cylinder);
}

TEST(CurveParts, ShapesOfTheUserGetARim) {
  model::Description description = cam();
  description.bodies[0].shapes.push_back({.shape = math::Disc{.radius = 0.05}});
  const Scene scene = make_scene(description);
  ASSERT_EQ(scene.bodies[0].parts.size(), 2u);
  EXPECT_EQ(scene.bodies[0].parts[0].kind, Part::Kind::cylinder);
  EXPECT_EQ(math::open_edges(*scene.bodies[0].parts[1].surface), 0u);
}

TEST(CurveParts, AFlatFollowerHasAFaceOnTheCam) {
  const Scene scene = make_scene(with_joint(
      model::Space::planar, joint("cam_flat", "first", {{"profile", std::string("0.1 m")}})));
  const Part& face = scene.bodies[1].parts.back();
  EXPECT_EQ(face.kind, Part::Kind::box);
  EXPECT_NEAR(face.position.y(), 0.5 * face.size[1], 1e-12);  // the cam touches from below
}

// Both touching profiles are drawn, and no discs of equal inertia.
TEST(CurveParts, TouchingProfilesAreBothDrawn) {
  const Scene scene = make_scene(
      with_joint(model::Space::planar,
                 joint("curve_on_curve", "first",
                       {{"profile", std::string("0.1 m")}, {"profile_b", std::string("0.03 m")}})));
  for (const SceneBody& body : scene.bodies) {
    ASSERT_EQ(body.parts.size(), 2u);  // and its mark
    EXPECT_EQ(body.parts[0].kind, Part::Kind::mesh);
  }
}

// A graph on the ground is a wire of the ground, near the point and on both sides of it.
TEST(CurveParts, AWireOnTheGroundIsAPartOfTheGround) {
  const model::Description description = with_joint(
      model::Space::planar, joint("point_on_curve", "ground", {{"y", std::string("1*x^2")}}));
  const Scene scene = make_scene(description);
  ASSERT_EQ(scene.ground_parts.size(), 1u);
  const math::TriangleMesh& wire = *scene.ground_parts[0].surface;
  EXPECT_EQ(math::open_edges(wire), 0u);
  double left = 0.0;
  double right = 0.0;
  for (const Vector3d& point : wire.points) {
    left = std::min(left, point.x());
    right = std::max(right, point.x());
    EXPECT_NEAR(point.y(), point.x() * point.x(), 0.4 * scene.bar_width);
  }
  EXPECT_LT(left, -0.4 * scene.size);
  EXPECT_GT(right, 0.4 * scene.size);
  // Exports show it too.
  const DrawnModel drawn = read_scene(scene_json(description));
  ASSERT_EQ(drawn.bodies.size(), 3u);
  EXPECT_EQ(drawn.bodies.back().name, "ground");
  EXPECT_EQ(drawn.bodies.back().parts.size(), 1u);
}

// Where the formula ends, so does the wire.
TEST(CurveParts, AWireEndsWithItsFormula) {
  const Scene scene = make_scene(with_joint(
      model::Space::planar,
      joint("point_on_curve", "ground", {{"y", std::string("sqrt(1 m * (x + 0.01 m))")}})));
  ASSERT_EQ(scene.ground_parts.size(), 1u);
  for (const Vector3d& point : scene.ground_parts[0].surface->points) {
    EXPECT_TRUE(point.allFinite());
    EXPECT_GT(point.x(), -0.01 - scene.bar_width);
  }
}

TEST(CurveParts, SpaceCurvesAreWires) {
  const Scene scene =
      make_scene(with_joint(model::Space::spatial, joint("point_on_curve", "first",
                                                         {{"x", std::string("0.2*cos(u)")},
                                                          {"y", std::string("0.2*sin(u)")},
                                                          {"z", std::string("0.05*u")},
                                                          {"from", -6.0},
                                                          {"to", 6.0}})));
  const Part& wire = scene.bodies[0].parts.back();
  ASSERT_EQ(wire.kind, Part::Kind::mesh);
  EXPECT_EQ(math::open_edges(*wire.surface), 0u);
  for (const Vector3d& point : wire.surface->points) {
    EXPECT_NEAR(std::hypot(point.x(), point.y()), 0.2, 0.3 * scene.bar_width);
  }
}

}  // namespace
}  // namespace trammel::report
