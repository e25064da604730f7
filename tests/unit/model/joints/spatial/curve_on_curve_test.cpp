// Two straight wires: their distance and its direction are known in closed form.
#include "support/random_models.h"
#include "support/system_view.h"
#include <gtest/gtest.h>

#include "trammel/model/model_system.h"

namespace trammel::model {
namespace {

using Eigen::Vector3d;

Values wires() {
  return {{"x", std::string("1 m * u")},
          {"y", std::string("0 m * u")},
          {"z", std::string("0 m * u")},
          {"from", -5.0},
          {"to", 5.0},
          {"x_b", std::string("0 m * u")},
          {"y_b", std::string("1 m * u")},
          {"z_b", std::string("0.3 m + 0 m * u")},
          {"from_b", -5.0},
          {"to_b", 5.0}};
}

Description crossing(support::Random& random) {
  support::RandomPair pair =
      support::random_pair(Space::spatial, support::Side::body, support::Side::body, 0.3, random);
  pair.description.add_joint("curve_on_curve", "wires", pair.mark_a, pair.mark_b, wires());
  return pair.description;
}

TEST(CurveOnCurve, HoldsTheDistanceOfTwoLinesAtZero) {
  for (unsigned seed = 1; seed <= 6; ++seed) {
    support::Random random(seed);
    const Description d = crossing(random);
    const auto system = compile(d);
    const system::State state = support::assembled(*system);
    const auto seen = support::observe(*system, support::at_rest(*system, state));
    const support::BodyMotion a = support::body_motion(seen, "a");
    const support::BodyMotion b = support::body_motion(seen, "b");
    const Frame mark_a = support::frame_of(d, "a.mark");
    const Frame mark_b = support::frame_of(d, "b.mark");
    const Eigen::Matrix3d axes_a = a.R * mark_a.rotation.toRotationMatrix();
    const Eigen::Matrix3d axes_b = b.R * mark_b.rotation.toRotationMatrix();
    const Vector3d between =
        b.point(mark_b.position) + 0.3 * axes_b.col(2) - a.point(mark_a.position);
    const Vector3d normal = axes_a.col(0).cross(axes_b.col(1)).normalized();
    EXPECT_NEAR(normal.dot(between), 0.0, 1e-9) << seed;
  }
}

TEST(CurveOnCurve, PushesAlongTheCommonNormal) {
  support::Random random(3);
  const Description d = crossing(random);
  const auto system = compile(d);
  system::Motion motion = support::at_rest(*system, support::assembled(*system));
  motion.lambda[0] = 7.0;
  const auto seen = support::observe(*system, motion);
  const support::BodyMotion a = support::body_motion(seen, "a");
  const support::BodyMotion b = support::body_motion(seen, "b");
  const Vector3d along_a = a.R * (support::frame_of(d, "a.mark").rotation * Vector3d::UnitX());
  const Vector3d along_b = b.R * (support::frame_of(d, "b.mark").rotation * Vector3d::UnitY());
  const Vector3d force = support::observed_vector(seen, "wires.reaction.force");
  EXPECT_NEAR(force.norm(), 7.0, 1e-12);
  EXPECT_NEAR(force.dot(along_a), 0.0, 1e-12);
  EXPECT_NEAR(force.dot(along_b), 0.0, 1e-12);
}

}  // namespace
}  // namespace trammel::model
