// Every model is visible: from its shapes, its joints or its inertia.
#include "trammel/report/scene.h"

#include <cmath>

#include "support/mechanisms.h"
#include <gtest/gtest.h>
#include <yaml-cpp/yaml.h>

#include "trammel/model/flexible/flexible_kinds.h"
#include "trammel/model/flexible/spatial_beam.h"
#include "trammel/model/kinds.h"
#include "trammel/report/scene_json.h"

namespace trammel::report {
namespace {

model::Description checked(model::Description description) {
  core::Diagnostics diagnostics;
  model::check(description, diagnostics);
  diagnostics.throw_if_errors();
  return description;
}

TEST(Scene, EveryBodyOfEveryMechanismHasFinitePositiveParts) {
  for (const model::Description& description :
       {support::pendulum(), support::four_bars(2), support::slider_crank(),
        support::chain(5, model::Space::spatial), support::heavy_top(), support::asymmetric_top(),
        support::bricard(), support::spatial_slider_crank()}) {
    const Scene scene = make_scene(checked(description));
    EXPECT_GT(scene.size, 0.0) << description.name;
    ASSERT_EQ(scene.bodies.size(), description.bodies.size());
    for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
      EXPECT_FALSE(scene.bodies[i].parts.empty()) << description.bodies[i].name;
      for (const Part& part : scene.bodies[i].parts) {
        EXPECT_GT(part.size[0], 0.0) << description.name << ": " << description.bodies[i].name;
        EXPECT_TRUE(part.size.allFinite() && part.position.allFinite());
        EXPECT_NEAR(part.rotation.norm(), 1.0, 1e-12);
      }
    }
  }
}

TEST(Scene, ALinkBecomesABarBetweenItsJoints) {
  const Scene scene = make_scene(checked(support::slider_crank()));
  ASSERT_EQ(scene.bodies[1].parts.size(), 1u);  // the rod
  const Part& bar = scene.bodies[1].parts[0];
  EXPECT_EQ(bar.kind, Part::Kind::bar);
  EXPECT_NEAR(bar.size[0], 0.45, 1e-12);
  // Slider: a block on the guide.
  EXPECT_EQ(scene.bodies[2].parts[0].kind, Part::Kind::box);
}

// Its nodes are bodies of their own, and people see one.
TEST(Scene, ABodyThatBendsLiesInOneLayerAndHasOneColor) {
  model::Description description;
  model::FlexibleBody beam{.name = "beam", .formulation = "ancf"};
  beam.elements = 4;
  beam.material = {.density = 1000.0, .youngs_modulus = 1e6};
  beam.section = {.area = 1e-4, .second_moment = 1e-9};
  beam.tip = {1.0, 0.0, 0.0};
  description.space = model::Space::planar;
  model::Body crank;
  crank.name = "crank";
  crank.mass.mass = 1.0;
  crank.mass.inertia.setIdentity();
  description.add_body(crank);
  model::add_flexible_body(beam, description);
  description.add_joint("revolute", "pin", "crank", "beam.start");
  const Scene scene = make_scene(checked(description));
  ASSERT_EQ(scene.bodies.size(), 1u + 5u + 4u);  // nodes, and the middles of elements
  for (std::size_t i = 1; i < scene.bodies.size(); ++i) {
    EXPECT_EQ(scene.bodies[i].layer, 1) << description.bodies[i].name;
    ASSERT_FALSE(scene.bodies[i].parts.empty());
    EXPECT_EQ(description.bodies[i].shapes.front().color,
              description.bodies[1].shapes.front().color);
  }
}

// Drawn half an element to both sides of each node, as thick as the section.
TEST(Scene, BeamsInSpaceAreDrawnByTheirNodes) {
  model::Description description;
  description.space = model::Space::spatial;
  model::SpatialBeam beam;
  beam.name = "beam";
  beam.formulation = "geometrically_exact";
  beam.element = "reissner";
  beam.elements = 4;
  beam.material = {.density = 1000.0, .youngs_modulus = 1e6};
  beam.section = {.area = 2e-4, .second_moment = 1e-9, .height = 0.02};
  beam.across = {.second_moment_y = 1e-9, .torsion_constant = 1e-9, .width = 0.01};
  beam.corners = {{1.0, 0.0, 0.0}};
  beam.tip = {1.0, 1.0, 0.0};
  model::add_spatial_beam(beam, description);
  const Scene scene = make_scene(checked(description));
  ASSERT_EQ(scene.bodies.size(), 5u);
  EXPECT_EQ(scene.bodies[0].parts.size(), 1u);
  EXPECT_EQ(scene.bodies[2].parts.size(), 2u);  // the corner
  EXPECT_EQ(scene.bodies[4].parts.size(), 1u);
  for (const model::Body& body : description.bodies) {
    for (const model::PlacedShape& shape : body.shapes) {
      const auto& box = std::get<math::Box>(shape.shape);
      EXPECT_DOUBLE_EQ(box.x, 0.25);
      EXPECT_DOUBLE_EQ(box.y, 0.02);
      EXPECT_DOUBLE_EQ(box.z, 0.01);
      EXPECT_EQ(shape.color, description.bodies[0].shapes[0].color);
    }
  }
}

TEST(Scene, NeighboursLieInDifferentLayers) {
  const model::Description description = checked(support::four_bars(3));
  const Scene scene = make_scene(description);
  for (const std::vector<End>& ends : scene.joint_ends) {
    if (ends[0].body < 0 || ends[1].body < 0) continue;
    EXPECT_NE(scene.bodies[std::size_t(ends[0].body)].layer,
              scene.bodies[std::size_t(ends[1].body)].layer);
  }
}

TEST(Scene, InertiaGivesTheDiscOfTheHeavyTop) {
  // m r^2 / 2 = 0.46875 with 15 kg: r = 0.25 m; J_t = m r^2 / 4: no length.
  const Scene scene = make_scene(checked(support::heavy_top()));
  const Part& disc = scene.bodies[0].parts[0];
  EXPECT_EQ(disc.kind, Part::Kind::cylinder);
  EXPECT_NEAR(disc.size[0], 0.25, 1e-12);
  const Eigen::Vector3d axis = disc.rotation * Eigen::Vector3d::UnitZ();
  EXPECT_NEAR(std::abs(axis.y()), 1.0, 1e-12);  // spins about y
}

TEST(Scene, AWorldPointIsAttachedWhereTheBodyIsDescribed) {
  // bricard: hinge1 at (1, 0, 0) between bar0 and bar1, whose middles and axes differ.
  const model::Description description = checked(support::bricard());
  const Scene scene = make_scene(description);
  for (std::size_t j = 0; j < scene.joint_ends.size(); ++j) {
    Eigen::Vector3d points[2];
    for (std::size_t k = 0; k < 2; ++k) {
      const End& end = scene.joint_ends[j][k];
      points[k] = end.position;
      if (end.body < 0) continue;
      const model::Body& body = description.bodies[std::size_t(end.body)];
      points[k] = body.position + body.orientation * end.position;
    }
    EXPECT_NEAR((points[0] - points[1]).norm(), 0.0, 1e-12) << description.joints[j].name;
  }
}

// Six driven distances are the legs of a platform, which is a plate with their joints at its
// corners.
TEST(Scene, DrivenDistancesHoldAPlate) {
  model::Description description;
  description.space = model::Space::spatial;
  model::Body platform;
  platform.name = "platform";
  platform.mass = {20.0, Eigen::Vector3d::Zero(), Eigen::Vector3d(0.5, 0.5, 0.9).asDiagonal()};
  platform.position = {0.0, 0.0, 0.6};
  for (int i = 0; i < 6; ++i) {
    const std::string number = std::to_string(i);
    const double angle = M_PI / 3.0 * i + (i % 2 == 0 ? 0.2 : -0.2);
    const Eigen::Vector3d direction(std::cos(angle), std::sin(angle), 0.0);
    model::Frame joint;
    joint.name = "joint" + number;
    joint.position = 0.3 * direction;
    platform.frames.push_back(joint);
    model::Frame foot;
    foot.name = "foot" + number;
    foot.position = 0.5 * direction;
    description.ground_frames.push_back(foot);
    model::Item leg;
    leg.name = "leg" + number;
    leg.type = "distance";
    leg.attachments = {"ground.foot" + number, "platform.joint" + number};
    description.sensors.push_back(leg);
    model::Item jack;
    jack.name = "jack" + number;
    jack.type = "position";
    jack.values = {{"coordinate", leg.name}, {"motion", std::string("0.65 m")}};
    description.drives.push_back(jack);
  }
  description.bodies.push_back(platform);
  const Scene scene = make_scene(checked(description));
  ASSERT_EQ(scene.bodies[0].parts.size(), 1u);
  const Part& plate = scene.bodies[0].parts[0];
  ASSERT_EQ(plate.kind, Part::Kind::mesh);
  EXPECT_EQ(math::open_edges(*plate.surface), 0u);
  EXPECT_NEAR(math::reach(*plate.surface), 0.3, 1.5 * scene.bar_width);
  EXPECT_GT(scene.size, 1.0);  // with the feet
}

TEST(SceneJson, SaysEverythingAboutTheModel) {
  model::Description description = support::slider_crank();
  description.bodies[0].name = "crank</script>";
  description.joints[0].attachments[1] = "crank</script>.left";
  description.joints[1].attachments[0] = "crank</script>.right";
  const std::string text = scene_json(description);
  EXPECT_EQ(text.find("</script>"), std::string::npos);
  const YAML::Node json = YAML::Load(text);
  EXPECT_EQ(json["space"].as<std::string>(), "planar");
  EXPECT_EQ(json["bodies"][0]["name"].as<std::string>(), "crank</script>");
  EXPECT_EQ(json["bodies"][1]["mass"].as<double>(), 1.0);
  EXPECT_EQ(json["joints"].size(), description.joints.size());
  EXPECT_EQ(json["joints"][0]["ends"][0]["body"].as<int>(), -1);
  EXPECT_EQ(json["joints"][0]["ends"][1]["body"].as<int>(), 0);
  EXPECT_EQ(json["simulation"]["until"].as<double>(), description.simulation.until);
}

TEST(Scene, GimbalsAreRingsAroundTheRotor) {
  model::Description description;
  description.space = model::Space::spatial;
  for (const char* name : {"outer", "inner", "rotor"}) {
    model::Body body;
    body.name = name;
    body.mass = {0.5, Eigen::Vector3d::Zero(), Eigen::Vector3d(5e-4, 8e-4, 5e-4).asDiagonal()};
    description.add_body(body);
  }
  const auto hinge = [&](const char* name, const char* a, const char* b,
                         const Eigen::Vector3d& axis) {
    description.add_joint("revolute", name, a, b, {{"axis", axis}});
  };
  hinge("first", "ground", "outer", Eigen::Vector3d::UnitZ());
  hinge("second", "outer", "inner", Eigen::Vector3d::UnitX());
  hinge("third", "inner", "rotor", Eigen::Vector3d::UnitY());
  const Scene scene = make_scene(checked(description));
  const Part& outer = scene.bodies[0].parts[0];
  const Part& inner = scene.bodies[1].parts[0];
  const Part& rotor = scene.bodies[2].parts[0];
  EXPECT_GT(outer.size[2], 0.0) << "a ring has a hole";
  EXPECT_GT(inner.size[2], reach(rotor)) << "in which the rotor has room";
  EXPECT_GT(outer.size[2], inner.size[0]);
  // Each ring lies in the plane of its two axes.
  EXPECT_NEAR(std::abs((outer.rotation * Eigen::Vector3d::UnitZ()).y()), 1.0, 1e-12);
  EXPECT_NEAR(std::abs((inner.rotation * Eigen::Vector3d::UnitZ()).z()), 1.0, 1e-12);
  // Shafts of the rotor reach the inner ring, along its axis.
  const Part& shaft = scene.bodies[2].parts.back();
  EXPECT_EQ(shaft.kind, Part::Kind::bar);
  EXPECT_NEAR(std::abs((shaft.rotation * Eigen::Vector3d::UnitX()).y()), 1.0, 1e-12);
}

}  // namespace
}  // namespace trammel::report
