// A mirrored and placed body must move as the mirror image of the original does.
#include "trammel/io/transform.h"

#include <gtest/gtest.h>

namespace trammel::io::transform_test {
namespace {

using Eigen::Matrix3d;
using Eigen::Quaterniond;
using Eigen::Vector3d;

// Some roundings of numbers near one.
constexpr double roundoff = 1e-14;

Quaterniond turned(double angle, const Vector3d& axis) {
  return Quaterniond(Eigen::AngleAxisd(angle, axis.normalized()));
}

Transform example() {
  Transform transform;
  transform.shift = {0.3, -0.2, 0.7};
  transform.turn = turned(0.8, {1, 2, 3});
  transform.signs = {1, -1, 1};
  return transform;
}

model::Body tumbling_body() {
  model::Body body;
  body.mass.mass = 2.0;
  body.mass.center = {0.1, 0.2, -0.3};
  body.mass.inertia << 0.5, 0.02, -0.03, 0.02, 0.6, 0.04, -0.03, 0.04, 0.7;
  body.position = {1.0, 2.0, 3.0};
  body.orientation = turned(-1.1, {3, 1, 2});
  body.velocity = {0.4, -0.5, 0.6};
  body.angular_velocity = {1.0, -2.0, 0.5};
  body.frames = {{"tip", {0.2, 0.1, 0.4}, turned(0.4, {1, 0, 1})}};
  return body;
}

Vector3d velocity_of(const model::Body& body, const Vector3d& point) {
  return body.velocity + body.orientation * body.angular_velocity.cross(point);
}

TEST(Transform, MirrorsRotationsLikeMatrices) {
  const Transform transform = example();
  const Matrix3d S = transform.signs.asDiagonal();
  const Quaterniond rotation = turned(0.9, {2, -1, 1});
  EXPECT_LT((transform.mirrored(rotation).toRotationMatrix() - S * rotation.toRotationMatrix() * S)
                .norm(),
            roundoff);
}

TEST(Transform, ProductIsFirstTheInnerThenTheOuter) {
  Transform inner = example();
  inner.signs = {-1, 1, 1};
  inner.turn = turned(-0.4, {0, 1, 1});
  const Transform outer = example();
  const Vector3d p(0.1, 0.5, -0.9);
  EXPECT_LT(((outer * inner).point(p) - outer.point(inner.point(p))).norm(), roundoff);
  EXPECT_FALSE((outer * inner).is_mirrored());
  model::Body once = tumbling_body();
  model::Body twice = tumbling_body();
  move(outer * inner, model::Space::spatial, once);
  move(inner, model::Space::spatial, twice);
  move(outer, model::Space::spatial, twice);
  EXPECT_LT(once.orientation.angularDistance(twice.orientation), 1e-7);  // square root of roundoff
  EXPECT_LT((once.angular_velocity - twice.angular_velocity).norm(), roundoff);
}

TEST(Transform, PointsOfTheBodyMoveAsTheirImages) {
  const Transform transform = example();
  const model::Body original = tumbling_body();
  model::Body image = original;
  EXPECT_TRUE(move(transform, model::Space::spatial, image).empty());
  for (const Vector3d& point : {Vector3d(0.3, 0.1, 0.2), Vector3d(-0.5, 0.4, 0.9)}) {
    const Vector3d mirrored = transform.mirrored(point);
    const Vector3d place = original.position + original.orientation * point;
    EXPECT_LT((image.position + image.orientation * mirrored - transform.point(place)).norm(),
              roundoff);
    EXPECT_LT(
        (velocity_of(image, mirrored) - transform.vector(velocity_of(original, point))).norm(),
        roundoff);
  }
  const auto energy = [](const model::Body& body) {
    return body.angular_velocity.dot(body.mass.inertia * body.angular_velocity);
  };
  EXPECT_NEAR(energy(image), energy(original), roundoff);
  const Vector3d tip = original.position + original.orientation * original.frames[0].position;
  EXPECT_LT(
      (image.position + image.orientation * image.frames[0].position - transform.point(tip)).norm(),
      roundoff);
}

TEST(Transform, PlanarAnglesKeepWholeTurns) {
  Transform transform;
  transform.stated_turn = {0, 0, 0.5};
  transform.turn = turned(0.5, {0, 0, 1});
  transform.signs = {1, -1, 1};
  model::Body body;
  body.angle = 10.0;
  body.orientation = turned(10.0, {0, 0, 1});
  body.angular_velocity = {0, 0, 3.0};
  move(transform, model::Space::planar, body);
  EXPECT_DOUBLE_EQ(body.angle, -9.5);
  EXPECT_DOUBLE_EQ(body.angular_velocity.z(), -3.0);
  EXPECT_LT(body.orientation.angularDistance(turned(-9.5, {0, 0, 1})), 1e-7);
}

TEST(Transform, FixedDirectionsTurnByQuartersOnly) {
  model::Body body;
  body.fixed_pose[0] = true;
  Transform quarter;
  quarter.turn = turned(std::acos(0.0), {0, 0, 1});
  EXPECT_TRUE(move(quarter, model::Space::spatial, body).empty());
  EXPECT_FALSE(body.fixed_pose[0]);
  EXPECT_TRUE(body.fixed_pose[1]);
  EXPECT_FALSE(move(example(), model::Space::spatial, body).empty());
  body.fixed_pose = {true, true, true, false, false, false};
  EXPECT_TRUE(move(example(), model::Space::spatial, body).empty());
}

}  // namespace
}  // namespace trammel::io::transform_test
