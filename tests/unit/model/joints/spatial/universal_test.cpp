#include "trammel/model/joints/spatial/universal.h"

#include <cmath>
#include <numbers>

#include "support/system_view.h"
#include <gtest/gtest.h>

namespace trammel::model {
namespace {

using Eigen::AngleAxisd;
using Eigen::Quaterniond;
using Eigen::Vector3d;

// A body on the ground's universal joint; its frame "mark" is turned by `mark` in the body.
Description on_universal_joint(const Quaterniond& orientation,
                               const Quaterniond& mark,
                               const Values& values) {
  Description d;
  Body body;
  body.name = "b";
  body.mass.mass = 1.0;
  body.mass.inertia.setIdentity();
  body.orientation = orientation;
  body.frames.push_back({"mark", Vector3d::Zero(), mark});
  d.add_body(body);
  d.add_joint("universal", "item", "ground", "b.mark", values);
  return d;
}

support::Observation observed(const Description& d) {
  const auto system = compile(d);
  return support::observe(*system, support::at_rest(*system, support::assembled(*system)));
}

TEST(Universal, AnglesAreTheTurnsAboutItsTwoAxes) {
  const double first = 0.7;
  const double second = -1.1;
  const Quaterniond turned =
      AngleAxisd(first, Vector3d::UnitX()) * AngleAxisd(second, Vector3d::UnitY());
  const auto seen = observed(on_universal_joint(turned, Quaterniond::Identity(), {}));
  EXPECT_NEAR(seen.at("item.angle1"), first, 1e-12);
  EXPECT_NEAR(seen.at("item.angle2"), second, 1e-12);
}

TEST(Universal, AxesWithTheSameComponentsInBothFrames) {
  // The frame of b is turned by a quarter, so that x of both frames are the two axes.
  const Quaterniond quarter(AngleAxisd(0.5 * std::numbers::pi, Vector3d::UnitZ()));
  Description d = on_universal_joint(Quaterniond::Identity(), quarter,
                                     {{"axis", Vector3d(1, 0, 0)}, {"axis_b", Vector3d(1, 0, 0)}});
  const double before_1 = observed(d).at("item.angle1");
  const double before_2 = observed(d).at("item.angle2");
  d.bodies[0].orientation = AngleAxisd(0.3, Vector3d::UnitX()) * AngleAxisd(0.4, Vector3d::UnitY());
  d.bodies[0].angular_velocity = {0, 2, 0};
  const auto seen = observed(d);
  // Nothing in the frames tells where zero is, so only changes count, up to whole turns.
  constexpr double turn = 2.0 * std::numbers::pi;
  EXPECT_NEAR(std::remainder(seen.at("item.angle1") - before_1, turn), 0.3, 1e-12);
  EXPECT_NEAR(std::remainder(seen.at("item.angle2") - before_2, turn), 0.4, 1e-12);
  EXPECT_NEAR(seen.at("item.angle1_rate"), 0.0, 1e-12);
  EXPECT_NEAR(seen.at("item.angle2_rate"), 2.0, 1e-12);
}

TEST(Universal, AxesObliqueToEachOtherInTheirFrames) {
  // b's frame is turned by 30 degrees about z: its axis (1, sqrt(3)) / 2 is the body's y axis.
  const double degree = std::numbers::pi / 180.0;
  const Quaterniond mark(AngleAxisd(30.0 * degree, Vector3d::UnitZ()));
  const Vector3d axis_b = mark.conjugate() * Vector3d::UnitY();
  Description d = on_universal_joint(Quaterniond::Identity(), mark,
                                     {{"axis", Vector3d(1, 0, 0)}, {"axis_b", axis_b}});
  const double before = observed(d).at("item.angle1");
  d.bodies[0].orientation = AngleAxisd(60.0 * degree, Vector3d::UnitX());
  EXPECT_NEAR(observed(d).at("item.angle1") - before, 60.0 * degree, 1e-12);
}

}  // namespace
}  // namespace trammel::model
