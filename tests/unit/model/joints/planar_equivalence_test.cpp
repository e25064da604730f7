// Every planar joint, described in two independent ways, and as the spatial joint it is a case of
// (see support/equivalence.h).
#include "support/equivalence.h"
#include "support/mechanisms.h"
#include "support/reference_motion.h"
#include <gtest/gtest.h>

namespace trammel::model::planar_equivalence_test {
namespace {

using Eigen::Vector3d;
using support::Connect;
using support::ConnectedMotion;
using support::mark;

const Vector3d point = support::connection_point();
const Vector3d axis = support::connection_axis();
const Vector3d across(-axis.y(), axis.x(), 0.0);

// As for spatial joints.
constexpr double position_tolerance = 1e-9;
constexpr double reaction_tolerance = 1e-8;

Connect joint_at(const std::string& type, const Vector3d& at, const Values& values = {}) {
  return [=](Description& d) { d.add_joint(type, "link", "a", "b", values).at = at; };
}

void expect_equivalent(const Connect& first, const Connect& second, int redundant_in_second) {
  const Description pair = support::started_pair(Space::planar, first);
  const ConnectedMotion expected = support::connected_motion(pair, first);
  const ConnectedMotion actual = support::connected_motion(pair, second);
  EXPECT_EQ(expected.redundant, 0);
  EXPECT_EQ(actual.redundant, redundant_in_second);
  support::expect_same_motion(actual, expected, position_tolerance, reaction_tolerance);
}

// The same bodies in space: the described velocities lie in the plane, and so does the motion.
void expect_same_in_space(const Connect& planar, const Connect& spatial) {
  Description pair = support::started_pair(Space::planar, planar);
  const ConnectedMotion expected = support::connected_motion(pair, planar);
  pair.space = Space::spatial;
  const ConnectedMotion actual = support::connected_motion(pair, spatial);
  support::expect_same_motion(actual, expected, position_tolerance, reaction_tolerance);
}

TEST(PlanarEquivalence, RevoluteIsTwoRodsToOnePoint) {
  expect_equivalent(
      joint_at("revolute", point),
      [](Description& d) {
        const std::string top = mark(d, "b", "top", point);
        d.add_joint("distance", "leg1", mark(d, "a", "foot1", point + Vector3d(0.3, 0.1, 0)), top);
        d.add_joint("distance", "leg2", top, mark(d, "a", "foot2", point + Vector3d(0, 0.5, 0)));
      },
      0);
}

TEST(PlanarEquivalence, RevoluteIsAHingeAboutZ) {
  expect_same_in_space(joint_at("revolute", point), joint_at("revolute", point));
}

TEST(PlanarEquivalence, PrismaticCanBeDescribedElsewhereAndFromTheOtherSide) {
  expect_equivalent(
      joint_at("prismatic", point, {{"axis", axis}}),
      [](Description& d) {
        d.add_joint("prismatic", "link", "b", "a", {{"axis", Vector3d(-3.0 * axis)}}).at =
            point + Vector3d(0.2, -0.4, 0);
      },
      0);
}

TEST(PlanarEquivalence, PrismaticIsTwoSlidersSharingARail) {
  // Two light-free points of b on the rail: a slider in the middle and the turn locked twice.
  expect_equivalent(
      joint_at("prismatic", point, {{"axis", axis}}),
      [](Description& d) {
        d.add_joint("prismatic", "one", "a", "b", {{"axis", axis}}).at = point + 0.3 * across;
        d.add_joint("prismatic", "two", "a", "b", {{"axis", axis}}).at = point - 0.2 * axis;
      },
      2);
}

TEST(PlanarEquivalence, PrismaticIsASpatialSlider) {
  const Connect slide = joint_at("prismatic", point, {{"axis", axis}});
  expect_same_in_space(slide, slide);
}

TEST(PlanarEquivalence, PrismaticSlidesOnACylinderHeldUpright) {
  // In space a cylindrical joint may turn about the axis, which the plane's symmetry forbids.
  const Connect slide = joint_at("prismatic", point, {{"axis", axis}});
  expect_same_in_space(slide, joint_at("cylindrical", point, {{"axis", axis}}));
}

TEST(PlanarEquivalence, FixedIsTwoPins) {
  expect_equivalent(
      joint_at("fixed", point),
      [](Description& d) {
        d.add_joint("revolute", "one", "a", "b").at = point;
        d.add_joint("revolute", "two", "b", "a").at = point + 0.3 * axis;
      },
      1);
}

TEST(PlanarEquivalence, FixedIsASpatialWeld) {
  expect_same_in_space(joint_at("fixed", point), joint_at("fixed", point));
}

TEST(PlanarEquivalence, DistanceIsALightRodWithPins) {
  const Connect rod = [](Description& d) {
    const std::string on_a = mark(d, "a", "end", point);
    d.add_joint("distance", "link", on_a, mark(d, "b", "end", point + 0.4 * axis));
  };
  const Description pair = support::started_pair(Space::planar, rod);
  const ConnectedMotion expected = support::connected_motion(pair, rod);
  const ConnectedMotion actual = support::massless_limit(pair, [](double mass) {
    return [mass](Description& d) {
      support::add_light_body(d, "rod", mass, point + 0.2 * axis);
      d.add_joint("revolute", "pin_a", "a", "rod").at = point;
      d.add_joint("revolute", "pin_b", "rod", "b").at = point + 0.4 * axis;
    };
  });
  // What is left of the rod's mass after extrapolation: (1e-4)^2 times some factors of ten.
  support::expect_same_motion(actual, expected, 1e-6, 1e-5);
}

TEST(PlanarEquivalence, DistanceIsASpatialRod) {
  const Connect rod = [](Description& d) {
    const std::string on_a = mark(d, "a", "end", point);
    d.add_joint("distance", "link", on_a, mark(d, "b", "end", point + 0.4 * axis));
  };
  expect_same_in_space(rod, rod);
}

// A whole mechanism: the planar slider-crank and the same one in space.
TEST(PlanarEquivalence, SliderCrankInThePlaneAndInSpace) {
  Description planar = support::slider_crank();
  Description spatial = planar;
  spatial.space = Space::spatial;
  for (Body& body : spatial.bodies) {
    // The plane feels only the moment about z; in space bodies must be possible.
    const double J = body.mass.inertia(2, 2);
    body.mass.inertia = Vector3d(0.7 * J, 0.8 * J, J).asDiagonal();
    body.fixed_velocity.fill(false);
  }
  spatial.bodies[0].fixed_velocity[5] = true;
  spatial.joints[3].values["axis"] = Vector3d(1, 0, 0);
  const auto system_1 = compile(planar);
  const auto system_2 = compile(spatial);
  const auto motion_1 =
      support::reference_motion(*system_1, support::assembled(*system_1), 0.2, 400);
  const auto motion_2 =
      support::reference_motion(*system_2, support::assembled(*system_2), 0.2, 400);
  const auto seen_1 = support::observe(*system_1, motion_1);
  const auto seen_2 = support::observe(*system_2, motion_2);
  for (const char* body : {"crank", "rod", "slider"}) {
    const support::BodyMotion one = support::body_motion(seen_1, body);
    const support::BodyMotion two = support::body_motion(seen_2, body);
    EXPECT_LE((one.p - two.p).norm(), 1e-9) << body;
    EXPECT_LE((one.R - two.R).norm(), 1e-8) << body;
    EXPECT_LE((one.w - two.w).norm(), 1e-7) << body;
  }
  EXPECT_NEAR(seen_1.at("guide.displacement"), seen_2.at("guide.displacement"), 1e-9);
  EXPECT_NEAR(seen_1.at("guide.displacement_rate"), seen_2.at("guide.displacement_rate"), 1e-8);
  for (const Item& joint : planar.joints) {
    const Vector3d one = support::observed_vector(seen_1, joint.name + ".reaction.force");
    const Vector3d two = support::observed_vector(seen_2, joint.name + ".reaction.force");
    EXPECT_LE((one - two).norm(), 1e-7 * (1.0 + one.norm())) << joint.name;
  }
}

}  // namespace
}  // namespace trammel::model::planar_equivalence_test
