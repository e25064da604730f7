// Every spatial joint, described in two independent ways (see support/equivalence.h).
#include "support/equivalence.h"
#include "support/reference_motion.h"
#include <gtest/gtest.h>

#include "trammel/math/mass_properties.h"

namespace trammel::model::spatial_equivalence_test {
namespace {

using Eigen::Vector3d;
using support::Connect;
using support::ConnectedMotion;
using support::mark;

const Vector3d point = support::connection_point();
const Vector3d axis = support::connection_axis();
const Vector3d cross_axis = support::connection_cross_axis();

// The integration's error is 1e-11, that of the linear solves below it; reactions are accelerations
// times masses.
constexpr double position_tolerance = 1e-9;
constexpr double reaction_tolerance = 1e-8;
// What is left of light bodies after extrapolation: (1e-4)^2 times some factors of ten.
constexpr double light_position_tolerance = 1e-6;
constexpr double light_reaction_tolerance = 1e-5;

/// A joint of this kind placed at a world point, with world axes.
Connect joint_at(const std::string& type, const Vector3d& at, const Values& values = {}) {
  return [=](Description& d) { d.add_joint(type, "link", "a", "b", values).at = at; };
}

void expect_equivalent(const Connect& first, const Connect& second, int redundant_in_second) {
  const Description pair = support::started_pair(Space::spatial, first);
  const ConnectedMotion expected = support::connected_motion(pair, first);
  const ConnectedMotion actual = support::connected_motion(pair, second);
  EXPECT_EQ(expected.redundant, 0);
  EXPECT_EQ(actual.redundant, redundant_in_second);
  support::expect_same_motion(actual, expected, position_tolerance, reaction_tolerance);
}

void expect_equivalent_without_mass(const Connect& first,
                                    const std::function<Connect(double)>& second) {
  const Description pair = support::started_pair(Space::spatial, first);
  support::expect_same_motion(support::massless_limit(pair, second),
                              support::connected_motion(pair, first), light_position_tolerance,
                              light_reaction_tolerance);
}

TEST(SpatialEquivalence, SphericalIsATripodOfRods) {
  expect_equivalent(
      joint_at("spherical", point),
      [](Description& d) {
        const std::string top = mark(d, "b", "top", point);
        const std::vector<Vector3d> feet{{0.5, 0.1, 0.0}, {-0.1, 0.4, 0.2}, {0.0, -0.2, 0.4}};
        for (std::size_t i = 0; i < feet.size(); ++i) {
          const std::string name = "leg" + std::to_string(i);
          d.add_joint("distance", name, mark(d, "a", name, point + feet[i]), top);
        }
      },
      0);
}

TEST(SpatialEquivalence, SphericalIsTheSameFromTheOtherSide) {
  expect_equivalent(
      joint_at("spherical", point),
      [](Description& d) { d.add_joint("spherical", "link", "b", "a").at = point; }, 0);
}

TEST(SpatialEquivalence, RevoluteIsTwoSphericalJointsOnItsAxis) {
  expect_equivalent(
      joint_at("revolute", point, {{"axis", axis}}),
      [](Description& d) {
        d.add_joint("spherical", "first", "a", "b").at = point - 0.2 * axis;
        d.add_joint("spherical", "second", "b", "a").at = point + 0.3 * axis;
      },
      1);
}

TEST(SpatialEquivalence, RevoluteIsASphericalJointAndTwoRods) {
  expect_equivalent(
      joint_at("revolute", point, {{"axis", axis}}),
      [](Description& d) {
        d.add_joint("spherical", "ball", "a", "b").at = point;
        const std::string end = mark(d, "b", "end", point + 0.3 * axis);
        d.add_joint("distance", "rod1", mark(d, "a", "foot1", point + Vector3d(0, 0, 0.3)), end);
        d.add_joint("distance", "rod2", end, mark(d, "a", "foot2", point + 0.3 * cross_axis));
      },
      0);
}

TEST(SpatialEquivalence, RevoluteWithFramesOfItsOwnAxes) {
  // The axis in each body's own frame instead of world axes.
  expect_equivalent(
      joint_at("revolute", point, {{"axis", axis}}),
      [](Description& d) {
        const std::string on_a = mark(d, "a", "pin", point);
        const std::string on_b = mark(d, "b", "pin", point - 0.0 * axis);
        d.add_joint("revolute", "link", on_a, on_b,
                    {{"axis", Vector3d(d.bodies[0].orientation.conjugate() * axis)},
                     {"axis_b", Vector3d(d.bodies[1].orientation.conjugate() * (3.0 * axis))}});
      },
      0);
}

TEST(SpatialEquivalence, UniversalIsACrossOnTwoHinges) {
  // Both axes are perpendicular in the start configuration.
  ASSERT_NEAR(axis.dot(cross_axis), 0.0, 1e-15);
  expect_equivalent_without_mass(
      joint_at("universal", point, {{"axis", axis}, {"axis_b", cross_axis}}), [](double mass) {
        return [mass](Description& d) {
          support::add_light_body(d, "cross", mass, point);
          d.add_joint("revolute", "hinge_a", "a", "cross", {{"axis", axis}}).at = point;
          d.add_joint("revolute", "hinge_b", "cross", "b", {{"axis", cross_axis}}).at = point;
        };
      });
}

TEST(SpatialEquivalence, UniversalIsTheSameFromTheOtherSide) {
  expect_equivalent(
      joint_at("universal", point, {{"axis", axis}, {"axis_b", cross_axis}}),
      [](Description& d) {
        d.add_joint("universal", "link", "b", "a", {{"axis", cross_axis}, {"axis_b", axis}}).at =
            point;
      },
      0);
}

TEST(SpatialEquivalence, CylindricalCanBeDescribedAnywhereOnItsAxis) {
  expect_equivalent(
      joint_at("cylindrical", point, {{"axis", axis}}),
      [](Description& d) {
        d.add_joint("cylindrical", "link", "b", "a", {{"axis", Vector3d(-2.0 * axis)}}).at =
            point + 0.4 * axis;
      },
      0);
}

TEST(SpatialEquivalence, CylindricalIsASliderWithAHinge) {
  expect_equivalent_without_mass(joint_at("cylindrical", point, {{"axis", axis}}), [](double mass) {
    return [mass](Description& d) {
      support::add_light_body(d, "slider", mass, point);
      d.add_joint("prismatic", "guide", "a", "slider", {{"axis", axis}}).at = point;
      d.add_joint("revolute", "hinge", "slider", "b", {{"axis", axis}}).at = point;
    };
  });
}

TEST(SpatialEquivalence, PrismaticIsTwoParallelCylindricalJoints) {
  expect_equivalent(
      joint_at("prismatic", point, {{"axis", axis}}),
      [](Description& d) {
        d.add_joint("cylindrical", "one", "a", "b", {{"axis", axis}}).at = point;
        d.add_joint("cylindrical", "two", "b", "a", {{"axis", axis}}).at =
            point + Vector3d(0, 0, 0.25);
      },
      3);
}

TEST(SpatialEquivalence, PrismaticCanBeDescribedElsewhere) {
  expect_equivalent(
      joint_at("prismatic", point, {{"axis", axis}}),
      [](Description& d) {
        d.add_joint("prismatic", "link", "b", "a", {{"axis", Vector3d(-axis)}}).at =
            point + Vector3d(0.1, 0.3, -0.2);
      },
      0);
}

TEST(SpatialEquivalence, FixedIsThreeSphericalJoints) {
  expect_equivalent(
      joint_at("fixed", point),
      [](Description& d) {
        d.add_joint("spherical", "one", "a", "b").at = point;
        d.add_joint("spherical", "two", "a", "b").at = point + 0.3 * axis;
        d.add_joint("spherical", "three", "b", "a").at = point + 0.3 * cross_axis;
      },
      3);
}

TEST(SpatialEquivalence, DistanceIsALightRodWithSphericalEnds) {
  const Connect rod = [](Description& d) {
    const std::string on_a = mark(d, "a", "end", point);
    d.add_joint("distance", "link", on_a, mark(d, "b", "end", point + 0.4 * axis));
  };
  expect_equivalent_without_mass(rod, [](double mass) {
    return [mass](Description& d) {
      support::add_light_body(d, "rod", mass, point + 0.2 * axis);
      d.add_joint("spherical", "ball_a", "a", "rod").at = point;
      d.add_joint("spherical", "ball_b", "rod", "b").at = point + 0.4 * axis;
    };
  });
}

// The default method sees the constraints' manifold only, not how it is described: the same steps,
// redundant or not, and the reference within its own error.
TEST(SpatialEquivalence, SimulationDoesNotSeeTheDescription) {
  const Connect hinge = joint_at("revolute", point, {{"axis", axis}});
  const Connect balls = [](Description& d) {
    d.add_joint("spherical", "first", "a", "b").at = point - 0.2 * axis;
    d.add_joint("spherical", "second", "b", "a").at = point + 0.3 * axis;
  };
  const Connect slider = joint_at("prismatic", point, {{"axis", axis}});
  const Connect rails = [](Description& d) {
    d.add_joint("cylindrical", "one", "a", "b", {{"axis", axis}}).at = point;
    d.add_joint("cylindrical", "two", "b", "a", {{"axis", axis}}).at = point + Vector3d(0, 0, 0.25);
  };
  for (const auto& [first, second] : {std::pair(hinge, balls), std::pair(slider, rails)}) {
    const Description pair = support::started_pair(Space::spatial, first);
    const ConnectedMotion one = support::simulated_motion(pair, first);
    const ConnectedMotion two = support::simulated_motion(pair, second);
    // Newton's tolerance, 1e-7 of h^2 times acceleration in each of 400 steps; multipliers feel it
    // divided by h^2.
    support::expect_same_motion(two, one, 1e-8, 1e-6);
    // Second order: (4 rad/s * 1e-3 s)^2 and some.
    support::expect_same_motion(one, support::connected_motion(pair, first), 1e-4, 1e-3);
  }
}

// Welded bodies are one body with the sum of their mass properties.
TEST(SpatialEquivalence, FixedIsOneBody) {
  const Connect weld = joint_at("fixed", point);
  const Description pair = support::started_pair(Space::spatial, weld);
  const ConnectedMotion welded = support::connected_motion(pair, weld);

  Description merged = pair;
  const Body& b = pair.bodies[1];
  Body& whole = merged.bodies[0];
  const Eigen::Quaterniond q_AB = whole.orientation.conjugate() * b.orientation;
  const Vector3d p_AB = whole.orientation.conjugate() * (b.position - whole.position);
  whole.mass = math::sum({whole.mass, math::placed(b.mass, q_AB.toRotationMatrix(), p_AB)});
  whole.frames.push_back({"b", p_AB, q_AB});
  merged.bodies.pop_back();
  merged.forces[0].attachments[1] = "a.b";
  const auto system = compile(merged);
  const system::Motion motion =
      support::reference_motion(*system, system->described_state(), 0.4, 400);
  const auto seen = support::observe(*system, motion);
  const support::BodyMotion a = support::body_motion(seen, "a");
  EXPECT_LE((a.p - welded.a.p).norm(), position_tolerance);
  EXPECT_LE((a.R - welded.a.R).norm(), position_tolerance);
  EXPECT_LE((a.point(p_AB) - welded.b.p).norm(), position_tolerance);

  // The weld accelerates b: m (a_C - g) = F + spring, J w' + w x J w = M about the centre.
  const Vector3d center = a.point(p_AB + q_AB * b.mass.center);
  const Vector3d arm = center - a.p;
  const Vector3d center_acceleration =
      a.acceleration + a.angular_acceleration.cross(arm) + a.w.cross(a.w.cross(arm));
  const Vector3d end = a.point(p_AB);
  const Vector3d along = (end - Vector3d(0.5, 1.0, 0.0)).normalized();
  const Vector3d spring = -seen.at("string.tension") * along;
  const Vector3d force = b.mass.mass * (center_acceleration - pair.gravity) - spring;
  const Eigen::Matrix3d R_WB = a.R * q_AB.toRotationMatrix();
  const Eigen::Matrix3d J = R_WB * b.mass.inertia * R_WB.transpose();
  const Vector3d spin = J * a.angular_acceleration + a.w.cross(J * a.w);
  const Vector3d moment = spin + center.cross(force + spring) - end.cross(spring);
  EXPECT_LE((welded.on_b.force - force).norm(), reaction_tolerance * force.norm());
  EXPECT_LE((welded.on_b.moment - moment).norm(), reaction_tolerance * force.norm());
}

}  // namespace
}  // namespace trammel::model::spatial_equivalence_test
