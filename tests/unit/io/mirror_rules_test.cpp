#include "trammel/io/mirror_rules.h"

#include <cmath>

#include <gtest/gtest.h>

namespace trammel::io {
namespace {

using model::Space;

constexpr bool is_joint = true;

Transform mirrored_in_xz() {
  Transform transform;
  transform.signs = {1, -1, 1};
  return transform;
}

const Kind& kind_of(const std::vector<Kind>& kinds, Space space, const char* name) {
  return *find_kind(kinds, space, name);
}

Eigen::Vector3d moved(const Kind& kind,
                      bool joint,
                      const Transform& transform,
                      const char* field,
                      model::Values values) {
  EXPECT_EQ(move_values(transform, kind, Space::spatial, joint, values), "");
  return model::vector(values, field);
}

TEST(MirrorRules, AxesOfRotationAreReversedAndAxesOfSlidersAreNot) {
  const Vocabulary words = model_vocabulary();
  const Eigen::Vector3d axis(1, 2, 3);
  const Kind& hinge = kind_of(words.joints, Space::spatial, "revolute");
  const Kind& slider = kind_of(words.joints, Space::spatial, "prismatic");
  EXPECT_EQ(moved(hinge, is_joint, mirrored_in_xz(), "axis", {{"axis", axis}}),
            Eigen::Vector3d(-1, 2, -3));
  EXPECT_EQ(moved(slider, is_joint, mirrored_in_xz(), "axis", {{"axis", axis}}),
            Eigen::Vector3d(1, -2, 3));
  // The fallback of the hinge is z.
  EXPECT_EQ(moved(hinge, is_joint, mirrored_in_xz(), "axis", {}), Eigen::Vector3d(0, 0, -1));
}

TEST(MirrorRules, LoadsInWorldAxesTurnWithTheInstance) {
  const Vocabulary words = model_vocabulary();
  const Kind& force = kind_of(words.forces, Space::spatial, "force");
  Transform quarter;
  quarter.turn = Eigen::AngleAxisd(std::acos(0.0), Eigen::Vector3d::UnitZ());
  const Eigen::Vector3d given(1, 0, 0);
  EXPECT_LT(
      (moved(force, false, quarter, "force", {{"force", given}}) - Eigen::Vector3d(0, 1, 0)).norm(),
      1e-15);
  const model::Values in_body{{"force", given}, {"axes", std::string("body")}};
  EXPECT_EQ(moved(force, false, quarter, "force", in_body), given);
}

TEST(MirrorRules, PlanarAnglesAndTorquesChangeTheirSign) {
  const Vocabulary words = model_vocabulary();
  model::Values torque{{"torque", 2.0}};
  EXPECT_EQ(move_values(mirrored_in_xz(), kind_of(words.forces, Space::planar, "torque"),
                        Space::planar, false, torque),
            "");
  EXPECT_EQ(model::number(torque, "torque"), -2.0);
  model::Values spring{{"angle", 0.3}, {"stiffness", 5.0}};
  EXPECT_EQ(move_values(mirrored_in_xz(), kind_of(words.forces, Space::planar, "rotational_spring"),
                        Space::planar, false, spring),
            "");
  EXPECT_EQ(model::number(spring, "angle"), -0.3);
  EXPECT_EQ(model::number(spring, "stiffness"), 5.0);
}

TEST(MirrorRules, ScrewsChangeTheirHand) {
  const Vocabulary words = model_vocabulary();
  const Kind& screw = kind_of(words.joints, Space::spatial, "screw");
  model::Values values{{"pitch", 0.01}};
  EXPECT_EQ(move_values(mirrored_in_xz(), screw, Space::spatial, is_joint, values), "");
  EXPECT_EQ(model::text(values, "hand"), "left");
  EXPECT_EQ(model::number(values, "pitch"), 0.01);
  values["axis_b"] = Eigen::Vector3d(1, 0, 0);
  EXPECT_NE(move_values(mirrored_in_xz(), screw, Space::spatial, is_joint, values), "");
}

TEST(MirrorRules, KindsWithoutRulesAreRefusedButMayBeMoved) {
  const Kind unknown{.name = "magnet", .summary = "pulls"};
  model::Values values;
  EXPECT_NE(move_values(mirrored_in_xz(), unknown, Space::spatial, false, values), "");
  Transform shift;
  shift.shift = {1, 2, 3};
  EXPECT_EQ(move_values(shift, unknown, Space::spatial, false, values), "");
}

}  // namespace
}  // namespace trammel::io
