// The material points in contact rest against each other, on every velocity that a rolling joint
// allows: the contact is found here from the geometry alone.
#include <cmath>

#include "support/random_models.h"
#include "support/system_view.h"
#include <gtest/gtest.h>

#include "trammel/model/kinds.h"

namespace trammel::model {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;
using support::BodyMotion;
using support::Random;

struct Ends {
  BodyMotion a;
  BodyMotion b;
  Vector3d center_a;  ///< the marks, world
  Vector3d center_b;
  Matrix3d axes_a;
  Matrix3d axes_b;
};

// Calls check(values, ends) for each allowed velocity of several random pairs.
template <class Check>
void for_allowed_velocities(Space space, const char* name, Check check) {
  for (unsigned seed = 1; seed <= 8; ++seed) {
    SCOPED_TRACE(testing::Message() << name << ", seed " << seed);
    Random random(seed);
    const Description description = support::random_joint(
        *find_joint_kind(space, name), support::Side::body, support::Side::body, random);
    Description filled = description;
    core::Diagnostics diagnostics;
    model::check(filled, diagnostics);
    const auto system = compile(description);
    system::Motion motion = support::at_rest(*system, support::assembled(*system));
    const Eigen::MatrixXd allowed =
        support::allowed_velocities(support::constraint_jacobian(*system, motion.state));
    for (Eigen::Index i = 0; i < allowed.cols(); ++i) {
      motion.state.v = allowed.col(i);
      const support::Observation seen = support::observe(*system, motion);
      Ends ends;
      ends.a = support::body_motion(seen, "a");
      ends.b = support::body_motion(seen, "b");
      const Frame mark_a = support::frame_of(description, "a.mark");
      const Frame mark_b = support::frame_of(description, "b.mark");
      ends.center_a = ends.a.point(mark_a.position);
      ends.center_b = ends.b.point(mark_b.position);
      ends.axes_a = ends.a.R * mark_a.rotation.toRotationMatrix();
      ends.axes_b = ends.b.R * mark_b.rotation.toRotationMatrix();
      check(filled.joints[0].values, ends);
    }
  }
}

// Assembly closes the joint to 1e-13; velocities are of size one, arms of a few metres.
void expect_rests(const Ends& ends, const Vector3d& contact) {
  const Vector3d slip = ends.b.velocity_at(contact) - ends.a.velocity_at(contact);
  EXPECT_LE(slip.norm(), 1e-10);
}

TEST(RollingContact, SphereOnPlane) {
  for_allowed_velocities(Space::spatial, "rolling_sphere", [](const Values& values, const Ends& e) {
    const Vector3d normal = e.axes_a * vector(values, "normal").normalized();
    const double radius = number(values, "radius");
    EXPECT_NEAR(normal.dot(e.center_b - e.center_a), radius, 1e-10);
    expect_rests(e, e.center_b - radius * normal);
  });
}

// The lowest point of a circle about the axle: against the normal, as far as it is across the axle.
Vector3d lowest(const Ends& e, const Vector3d& normal, const Vector3d& axle, double radius) {
  return e.center_b - radius * (normal - normal.dot(axle) * axle).normalized();
}

TEST(RollingContact, DiscOnPlane) {
  for_allowed_velocities(Space::spatial, "rolling_disc", [](const Values& values, const Ends& e) {
    const Vector3d normal = e.axes_a * vector(values, "normal").normalized();
    const Vector3d axle = e.axes_b * vector(values, "axle").normalized();
    const Vector3d contact = lowest(e, normal, axle, number(values, "radius"));
    EXPECT_NEAR(normal.dot(contact - e.center_a), 0.0, 1e-10);
    expect_rests(e, contact);
  });
}

TEST(RollingContact, WheelOnPlane) {
  for_allowed_velocities(Space::spatial, "rolling_wheel", [](const Values& values, const Ends& e) {
    const Vector3d normal = e.axes_a * vector(values, "normal").normalized();
    const Vector3d axle = e.axes_b * vector(values, "axle").normalized();
    const double rim = number(values, "rim_radius");
    const Vector3d contact = lowest(e, normal, axle, number(values, "radius") - rim) - rim * normal;
    EXPECT_NEAR(normal.dot(contact - e.center_a), 0.0, 1e-10);
    expect_rests(e, contact);
  });
}

TEST(RollingContact, DiscOnLine) {
  for_allowed_velocities(Space::planar, "rolling_disc", [](const Values& values, const Ends& e) {
    const Vector3d normal = Vector3d::UnitZ().cross(e.axes_a * vector(values, "axis").normalized());
    const Vector3d contact = e.center_b - number(values, "radius") * normal;
    EXPECT_NEAR(normal.dot(contact - e.center_a), 0.0, 1e-10);
    expect_rests(e, contact);
  });
}

TEST(RollingContact, DiscOnDiscAndInRings) {
  int rings = 0;
  for_allowed_velocities(Space::planar, "rolling_discs", [&](const Values& values, const Ends& e) {
    const double radius_a = number(values, "radius_a");
    const double radius_b = number(values, "radius_b");
    rings += radius_a < 0.0 || radius_b < 0.0 ? 1 : 0;
    const Vector3d d = e.center_b - e.center_a;
    // Around a disc of b the contact lies beyond its centre; otherwise between the centres or
    // beyond that of a.
    const Vector3d contact =
        e.center_a + (radius_a + radius_b > 0.0 ? 1.0 : -1.0) * radius_a * d.normalized();
    EXPECT_NEAR((contact - e.center_a).norm(), std::abs(radius_a), 1e-10);
    EXPECT_NEAR((contact - e.center_b).norm(), std::abs(radius_b), 1e-10);
    expect_rests(e, contact);
  });
  EXPECT_GT(rings, 0) << "no ring was drawn";
}

}  // namespace
}  // namespace trammel::model
