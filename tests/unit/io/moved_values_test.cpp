#include "trammel/io/moved_values.h"

#include <cmath>

#include <gtest/gtest.h>

namespace trammel::io {
namespace {

using model::Space;

Transform mirrored_in_xz() {
  Transform transform;
  transform.signs = {1, -1, 1};
  return transform;
}

const Kind& kind_of(const std::vector<Kind>& kinds, Space space, const char* name) {
  return *find_kind(kinds, space, name);
}

Eigen::Vector3d moved(const Kind& kind,
                      const char* section,
                      const Transform& transform,
                      const char* field,
                      model::Values values) {
  EXPECT_EQ(move_values(transform, kind, section, values), "");
  return model::vector(values, field);
}

TEST(MovedValues, AxesOfRotationAreReversedAndAxesOfSlidersAreNot) {
  const Vocabulary words = model_vocabulary();
  const Eigen::Vector3d axis(1, 2, 3);
  const Kind& hinge = kind_of(words.joints, Space::spatial, "revolute");
  const Kind& slider = kind_of(words.joints, Space::spatial, "prismatic");
  EXPECT_EQ(moved(hinge, "joint", mirrored_in_xz(), "axis", {{"axis", axis}}),
            Eigen::Vector3d(-1, 2, -3));
  EXPECT_EQ(moved(slider, "joint", mirrored_in_xz(), "axis", {{"axis", axis}}),
            Eigen::Vector3d(1, -2, 3));
  // The fallback of the hinge is z.
  EXPECT_EQ(moved(hinge, "joint", mirrored_in_xz(), "axis", {}), Eigen::Vector3d(0, 0, -1));
}

TEST(MovedValues, LoadsInWorldAxesTurnWithTheInstance) {
  const Vocabulary words = model_vocabulary();
  const Kind& force = kind_of(words.forces, Space::spatial, "force");
  Transform quarter;
  quarter.turn = Eigen::AngleAxisd(std::acos(0.0), Eigen::Vector3d::UnitZ());
  const Eigen::Vector3d given(1, 0, 0);
  EXPECT_LT((moved(force, "force", quarter, "force", {{"force", given}}) - Eigen::Vector3d(0, 1, 0))
                .norm(),
            1e-15);
  const model::Values in_body{{"force", given}, {"axes", std::string("body")}};
  EXPECT_EQ(moved(force, "force", quarter, "force", in_body), given);
}

TEST(MovedValues, PlanarAnglesAndTorquesChangeTheirSign) {
  const Vocabulary words = model_vocabulary();
  model::Values torque{{"torque", 2.0}};
  EXPECT_EQ(move_values(mirrored_in_xz(), kind_of(words.forces, Space::planar, "torque"), "force",
                        torque),
            "");
  EXPECT_EQ(model::number(torque, "torque"), -2.0);
  model::Values spring{{"angle", 0.3}, {"stiffness", 5.0}};
  EXPECT_EQ(move_values(mirrored_in_xz(), kind_of(words.forces, Space::planar, "rotational_spring"),
                        "force", spring),
            "");
  EXPECT_EQ(model::number(spring, "angle"), -0.3);
  EXPECT_EQ(model::number(spring, "stiffness"), 5.0);
}

TEST(MovedValues, ScrewsChangeTheirHand) {
  const Vocabulary words = model_vocabulary();
  const Kind& screw = kind_of(words.joints, Space::spatial, "screw");
  model::Values values{{"pitch", 0.01}};
  EXPECT_EQ(move_values(mirrored_in_xz(), screw, "joint", values), "");
  EXPECT_EQ(model::text(values, "hand"), "left");
  EXPECT_EQ(model::number(values, "pitch"), 0.01);
  values["axis_b"] = Eigen::Vector3d(1, 0, 0);
  EXPECT_NE(move_values(mirrored_in_xz(), screw, "joint", values), "");
}

TEST(MovedValues, KindsWithoutRulesAreRefusedButMayBeMoved) {
  const Kind unknown{.name = "magnet", .summary = "pulls"};
  model::Values values;
  EXPECT_NE(move_values(mirrored_in_xz(), unknown, "force", values), "");
  Transform shift;
  shift.shift = {1, 2, 3};
  EXPECT_EQ(move_values(shift, unknown, "force", values), "");
}

TEST(MovedValues, WhatHasNoMirrorImageSaysWhy) {
  const Vocabulary words = model_vocabulary();
  const auto check = [](const std::vector<Kind>& kinds, const char* section) {
    int refused = 0;
    for (const Kind& kind : kinds) {
      ASSERT_TRUE(kind.mirroring.has_value()) << kind.name;
      if (kind.mirroring->is_possible()) continue;
      ++refused;
      model::Values values;
      const std::string problem = move_values(mirrored_in_xz(), kind, section, values);
      const std::string start = std::string("a ") + section + " of type '" + kind.name +
                                "' cannot be mirrored: " + kind.mirroring->reason();
      EXPECT_EQ(problem, start);
      EXPECT_FALSE(kind.mirroring->reason().empty()) << kind.name;
    }
    EXPECT_GT(refused, 0) << section;
  };
  check(words.joints, "joint");
  check(words.forces, "force");
  check(words.couplings, "coupling");
  check(words.drives, "drive");
}

// What a field tells of its value must fit the value: otherwise nothing would be mirrored.
TEST(MovedValues, FieldsTellWhatTheirValuesCanBe) {
  using model::FieldKind;
  using model::Mirrored;
  const Vocabulary words = model_vocabulary();
  int told = 0;
  for (const auto* kinds : {&words.joints, &words.forces, &words.couplings, &words.drives}) {
    for (const Kind& kind : *kinds) {
      for (const model::Field& field : kind.fields) {
        SCOPED_TRACE(kind.name + "." + field.name);
        const bool vector = field.kind == FieldKind::vector || field.kind == FieldKind::direction;
        const bool turned = field.mirrored == Mirrored::polar || field.mirrored == Mirrored::axial;
        EXPECT_TRUE(vector || !turned);
        EXPECT_TRUE(field.kind == FieldKind::number || field.mirrored != Mirrored::odd);
        EXPECT_TRUE(field.kind == FieldKind::numbers || field.mirrored != Mirrored::matrix);
        const std::vector<std::string> hands{"right", "left"};
        EXPECT_TRUE(field.choices == hands || field.mirrored != Mirrored::hand);
        told += field.mirrored == Mirrored::same ? 0 : 1;
      }
    }
  }
  EXPECT_GE(told, 30);
}

}  // namespace
}  // namespace trammel::io
