// Joints of the catalogue, each described in two independent ways (see support/equivalence.h).
#include <cmath>

#include "support/equivalence.h"
#include <fmt/format.h>
#include <gtest/gtest.h>

namespace trammel::model::catalogue_equivalence_test {
namespace {

using Eigen::Vector3d;
using support::Connect;
using support::ConnectedMotion;
using support::mark;

const Vector3d point = support::connection_point();
const Vector3d axis = support::connection_axis();  // (2, 1, 0): the line y = x/2
const Vector3d hub(0.05, -0.1, 0.0);

// As in the tests of the basic joints: the error of the integration is 1e-11.
constexpr double position_tolerance = 1e-9;
constexpr double reaction_tolerance = 1e-8;
constexpr double light_position_tolerance = 1e-6;
constexpr double light_reaction_tolerance = 1e-5;

Connect joint_at(const std::string& type, const Vector3d& at, const Values& values = {}) {
  return [=](Description& d) { d.add_joint(type, "link", "a", "b", values).at = at; };
}

void expect_equivalent(Space space, const Connect& first, const Connect& second) {
  const Description pair = support::started_pair(space, first);
  const ConnectedMotion expected = support::connected_motion(pair, first);
  const ConnectedMotion actual = support::connected_motion(pair, second);
  EXPECT_EQ(expected.redundant, 0);
  EXPECT_EQ(actual.redundant, 0);
  support::expect_same_motion(actual, expected, position_tolerance, reaction_tolerance);
}

void expect_equivalent_without_mass(Space space,
                                    const Connect& first,
                                    const std::function<Connect(double)>& second) {
  const Description pair = support::started_pair(space, first);
  support::expect_same_motion(support::massless_limit(pair, second),
                              support::connected_motion(pair, first), light_position_tolerance,
                              light_reaction_tolerance);
}

/// From the hub on a to the point on b.
Connect hub_joint(const std::string& type, const Values& values = {}) {
  return [=](Description& d) {
    const std::string on_a = mark(d, "a", "hub", hub);
    d.add_joint(type, "link", on_a, mark(d, "b", "tip", point), values);
  };
}

/// Where the point lies in the hub's frame.
Vector3d point_from_hub(Space space) {
  const Description d = support::flying_pair(space);
  return d.bodies[0].orientation.conjugate() * (point - hub);
}

Values circle(double radius, double height, Space space) {
  Values values{{"x", fmt::format("{:.17g}*cos(u)", radius)},
                {"y", fmt::format("{:.17g}*sin(u)", radius)},
                {"from", 0.0},
                {"to", 2.0 * std::acos(-1.0)},
                {"closed", true}};
  if (space == Space::spatial) values["z"] = fmt::format("{:.17g} m + 0*u", height);
  return values;
}

TEST(CatalogueEquivalence, PinInSlotIsAPointOnTheGraphOfALine) {
  expect_equivalent(Space::planar, joint_at("pin_in_slot", point, {{"axis", axis}}),
                    joint_at("point_on_curve", point, {{"y", std::string("0.5*x")}}));
}

TEST(CatalogueEquivalence, PinInSlotIsAPointOnAParametricLine) {
  expect_equivalent(
      Space::planar, joint_at("pin_in_slot", point, {{"axis", axis}}),
      joint_at(
          "point_on_curve", point,
          {{"x", std::string("2*u")}, {"y", std::string("1*u")}, {"from", -1.0}, {"to", 1.0}}));
}

TEST(CatalogueEquivalence, PinInSlotIsASliderWithAHinge) {
  expect_equivalent_without_mass(
      Space::planar, joint_at("pin_in_slot", point, {{"axis", axis}}), [](double mass) {
        return [mass](Description& d) {
          support::add_light_body(d, "slider", mass, point);
          d.add_joint("prismatic", "slot", "a", "slider", {{"axis", axis}}).at = point;
          d.add_joint("revolute", "pin", "slider", "b").at = point;
        };
      });
}

TEST(CatalogueEquivalence, PlanarPointOnCircleIsARod) {
  const double radius = (point - hub).norm();
  expect_equivalent(Space::planar, hub_joint("distance"),
                    hub_joint("point_on_curve", circle(radius, 0.0, Space::planar)));
}

TEST(CatalogueEquivalence, PlanarPointOnSplineIsNearlyARod) {
  // 120 points, one of them where the motion begins. The spline's curvature is wrong by
  // (2 pi/120)^2 / 12 = 2e-4 between them, and so are accelerations across it, up to 30 m/s^2 over
  // 0.4 s.
  const Vector3d e = point_from_hub(Space::planar);
  std::vector<double> x;
  std::vector<double> y;
  for (int i = 0; i <= 120; ++i) {
    const Eigen::Rotation2Dd turn(2.0 * std::acos(-1.0) * (i % 120) / 120.0);
    const Eigen::Vector2d on_circle = turn * e.head<2>();
    x.push_back(on_circle.x());
    y.push_back(on_circle.y());
  }
  const Description pair = support::started_pair(Space::planar, hub_joint("distance"));
  const ConnectedMotion rod = support::connected_motion(pair, hub_joint("distance"));
  const ConnectedMotion spline = support::connected_motion(
      pair, hub_joint("point_on_curve", {{"points_x", x}, {"points_y", y}, {"closed", true}}));
  EXPECT_LE((spline.b.p - rod.b.p).norm(), 1e-4);
  EXPECT_LE((spline.b.v - rod.b.v).norm(), 1e-3);
  EXPECT_LE((spline.on_b.force - rod.on_b.force).norm(), 1e-2 * rod.on_b.force.norm());
}

// A circle of the first body with its centre off the cam's frame by e along its x axis.
constexpr double eccentricity = 0.04;
constexpr double roller = 0.05;

std::string eccentric_circle(double radius) {
  return fmt::format("{0:.17g}*cos(angle) + sqrt({1:.17g} - {0:.17g}^2*sin(angle)^2)", eccentricity,
                     radius * radius);
}

Vector3d circle_center(const Description& d) {
  return hub + d.bodies[0].orientation * Vector3d(eccentricity, 0.0, 0.0);
}

TEST(CatalogueEquivalence, RollerOnACircularCamIsARod) {
  const Connect rod = [](Description& d) {
    d.add_joint("distance", "link", mark(d, "a", "center", circle_center(d)),
                mark(d, "b", "tip", point));
  };
  const double length = (point - circle_center(support::flying_pair(Space::planar))).norm();
  expect_equivalent(Space::planar, rod,
                    hub_joint("cam_roller", {{"profile", eccentric_circle(length - roller)},
                                             {"roller_radius", roller}}));
}

TEST(CatalogueEquivalence, TwoCircularProfilesAreARod) {
  // The second circle is off its frame too.
  const auto center_b = [](const Description& d) {
    return Vector3d(point + d.bodies[1].orientation * Vector3d(eccentricity, 0.0, 0.0));
  };
  const Connect rod = [=](Description& d) {
    d.add_joint("distance", "link", mark(d, "a", "center", circle_center(d)),
                mark(d, "b", "center", center_b(d)));
  };
  const Description d = support::flying_pair(Space::planar);
  const double length = (center_b(d) - circle_center(d)).norm();
  expect_equivalent(Space::planar, rod,
                    hub_joint("curve_on_curve", {{"profile", eccentric_circle(0.6 * length)},
                                                 {"profile_b", eccentric_circle(0.4 * length)}}));
}

TEST(CatalogueEquivalence, FlatFaceOnACircularCamIsAPinInASlot) {
  constexpr double radius = 0.2;
  const Vector3d face_in_b(1.0, 0.3, 0.0);  // in components of b
  const auto face = [=](const Description& d) {
    return Vector3d(d.bodies[1].orientation * face_in_b.normalized());
  };
  const auto normal = [=](const Description& d) {
    return Vector3d(Vector3d::UnitZ().cross(face(d)));
  };
  const Connect slot = [=](Description& d) {
    const Vector3d center = circle_center(d);
    const std::string track = mark(d, "b", "track", center + 0.1 * face(d));
    d.add_joint("pin_in_slot", "link", track, mark(d, "a", "center", center),
                {{"axis", face_in_b}});
  };
  const Connect flat = [=](Description& d) {
    const Vector3d on_face = circle_center(d) + radius * normal(d) - 0.07 * face(d);
    const std::string cam = mark(d, "a", "hub", hub);
    d.add_joint("cam_flat", "link", cam, mark(d, "b", "face", on_face),
                {{"profile", eccentric_circle(radius)}, {"face", face_in_b}});
  };
  expect_equivalent(Space::planar, slot, flat);
}

TEST(CatalogueEquivalence, RevoluteHasACrossProductForm) {
  for (const char* rows : {"best", "yz", "zx"}) {
    SCOPED_TRACE(rows);
    expect_equivalent(
        Space::spatial, joint_at("revolute", point, {{"axis", axis}}),
        joint_at("revolute_cross", point, {{"axis", axis}, {"rows", std::string(rows)}}));
  }
}

TEST(CatalogueEquivalence, PlanarJointIsThreePointsOnAPlane) {
  expect_equivalent(
      Space::spatial, joint_at("planar", point, {{"axis", axis}}), [](Description& d) {
        const Vector3d side = support::connection_cross_axis();
        const std::vector<Vector3d> feet{Vector3d::Zero(), 0.3 * side,
                                         0.2 * axis.cross(side) - 0.1 * side};
        for (std::size_t i = 0; i < feet.size(); ++i) {
          d.add_joint("point_on_plane", "foot" + std::to_string(i), "a", "b", {{"normal", axis}})
              .at = point + feet[i];
        }
      });
}

TEST(CatalogueEquivalence, PointOnPlaneIsABallOnASlidingPad) {
  expect_equivalent_without_mass(
      Space::spatial, joint_at("point_on_plane", point, {{"normal", axis}}), [](double mass) {
        return [mass](Description& d) {
          support::add_light_body(d, "pad", mass, point);
          d.add_joint("planar", "plane", "a", "pad", {{"axis", axis}}).at = point;
          d.add_joint("spherical", "ball", "pad", "b").at = point;
        };
      });
}

TEST(CatalogueEquivalence, PointOnLineIsAPointOnTwoPlanes) {
  expect_equivalent(Space::spatial, joint_at("point_on_line", point, {{"axis", axis}}),
                    [](Description& d) {
                      const Vector3d side = support::connection_cross_axis();
                      d.add_joint("point_on_plane", "p1", "a", "b", {{"normal", side}}).at = point;
                      d.add_joint("point_on_plane", "p2", "a", "b",
                                  {{"normal", Vector3d(axis.cross(side) + 0.3 * side)}})
                          .at = point;
                    });
}

TEST(CatalogueEquivalence, PointOnLineIsAPointOnTheGraphOfALine) {
  expect_equivalent(
      Space::spatial, joint_at("point_on_line", point, {{"axis", axis}}),
      joint_at("point_on_curve", point, {{"y", std::string("0.5*x")}, {"z", std::string("0*x")}}));
}

TEST(CatalogueEquivalence, RevoluteSphericalLinkIsARodAndAPlane) {
  expect_equivalent(Space::spatial, hub_joint("revolute_spherical"), [](Description& d) {
    const std::string on_a = mark(d, "a", "hub", hub);
    const std::string on_b = mark(d, "b", "tip", point);
    d.add_joint("distance", "rod", on_a, on_b);
    const std::string plane = mark(d, "a", "plane", point);
    d.add_joint("point_on_plane", "plane", plane, on_b, {{"normal", Vector3d(0, 0, 1)}});
  });
}

TEST(CatalogueEquivalence, RevoluteSphericalLinkIsALightLink) {
  expect_equivalent_without_mass(Space::spatial, hub_joint("revolute_spherical"), [](double mass) {
    return [mass](Description& d) {
      support::add_light_body(d, "rod", mass, point);
      const Vector3d hinge = d.bodies[0].orientation * Vector3d::UnitZ();
      d.add_joint("revolute", "hinge", "a", "rod", {{"axis", hinge}}).at = hub;
      d.add_joint("spherical", "ball", "rod", "b").at = point;
    };
  });
}

TEST(CatalogueEquivalence, SpatialPointOnCircleIsARevoluteSphericalLink) {
  const Vector3d e = point_from_hub(Space::spatial);
  expect_equivalent(
      Space::spatial, hub_joint("revolute_spherical"),
      hub_joint("point_on_curve", circle(std::hypot(e.x(), e.y()), e.z(), Space::spatial)));
}

TEST(CatalogueEquivalence, ScrewIsACylindricalJointWithACoupling) {
  constexpr double pitch = 0.2;
  const Connect screw =
      joint_at("screw", point, {{"axis", axis}, {"pitch", pitch}, {"hand", std::string("left")}});
  const Description pair = support::started_pair(Space::spatial, screw);
  const ConnectedMotion expected = support::connected_motion(pair, screw);
  const ConnectedMotion actual = support::connected_motion(pair, [](Description& d) {
    d.add_joint("cylindrical", "link", "a", "b", {{"axis", axis}}).at = point;
    d.add_coupling("gear", "thread",
                   {{"coordinates", std::vector<std::string>{"link.angle", "link.displacement"}},
                    {"ratio", -pitch / (2.0 * std::acos(-1.0))}});
  });
  // The coupling's load is no part of the cylindrical joint's reaction, so motions are compared.
  EXPECT_LE((actual.b.p - expected.b.p).norm(), position_tolerance);
  EXPECT_LE((actual.b.R - expected.b.R).norm(), position_tolerance);
  EXPECT_LE((actual.a.p - expected.a.p).norm(), position_tolerance);
  EXPECT_LE((actual.a.w - expected.a.w).norm(), 10.0 * position_tolerance);
}

}  // namespace
}  // namespace trammel::model::catalogue_equivalence_test
