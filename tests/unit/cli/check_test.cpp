// trammel check: mistakes, freedoms, redundancy, assembly.
#include "command_line.h"
#include <gtest/gtest.h>

namespace trammel::cli::testing {
namespace {

TEST(Check, TellsFreedomsOfAGoodModel) {
  const Folder folder;
  folder.run({"new", "slider_crank"});
  const Answer answer = folder.run({"check", "slider_crank.yaml"});
  EXPECT_EQ(answer.code, 0);
  EXPECT_EQ(answer.err, "");
  EXPECT_TRUE(contains(answer.out, "no mistakes")) << answer.out;
  // Three planar bodies have 9 velocities; three pins and a slider take 8 of them.
  EXPECT_TRUE(contains(answer.out, "1 (9 velocities, 8 constraint rows of rank 8)")) << answer.out;
  EXPECT_TRUE(contains(answer.out, "residuals")) << answer.out;
}

TEST(Check, NamesRedundantConstraintsAndReactionsThatAreNotUnique) {
  const Folder folder;
  folder.run({"new", "universal_shaft"});
  const Answer answer = folder.run({"check", "universal_shaft.yaml"});
  EXPECT_EQ(answer.code, 0) << answer.err;
  // Two spatial bodies have 12 velocities, one freedom is left, so the 13 rows have rank 11.
  EXPECT_TRUE(contains(answer.out, "1 (12 velocities, 13 constraint rows of rank 11)"))
      << answer.out;
  EXPECT_TRUE(contains(answer.out, "2 constraints follow from the others")) << answer.out;
  EXPECT_TRUE(contains(answer.out, "not unique")) << answer.out;
  EXPECT_TRUE(contains(answer.out, "second_bearing")) << answer.out;
}

TEST(Check, TellsAllMistakesAtOnce) {
  const Folder folder;
  folder.put("bad.yaml",
             "trammel: 1\nspace: planar\ngravity: [0, -9.81]\nbodies:\n"
             "  rod: {mass: -1 kg, inertia: 1 kg m^2}\n"
             "  wheel: {mass: 1 m, inertia: 1 kg m^2}\n"
             "joints:\n  pin: {type: revolute, betwen: [ground, rod]}\n");
  const Answer answer = folder.run({"check", "bad.yaml"});
  EXPECT_EQ(answer.code, 2);
  EXPECT_EQ(answer.out, "");
  EXPECT_TRUE(contains(answer.err, "bodies.rod.mass")) << answer.err;
  EXPECT_TRUE(contains(answer.err, "bodies.wheel.mass")) << answer.err;
  EXPECT_TRUE(contains(answer.err, "betwen")) << answer.err;
}

TEST(Check, LoopThatCannotCloseFailsWithOne) {
  const Folder folder;
  folder.run({"new", "four_bar"});
  const Answer answer = folder.run({"check", "four_bar.yaml", "-s", "coupler=50 mm"});
  EXPECT_EQ(answer.code, 1);
  EXPECT_TRUE(contains(answer.err, "error: ")) << answer.err;
}

TEST(Check, WarnsOfAMechanismThatCannotMove) {
  const Folder folder;
  folder.put("stiff.yaml",
             "trammel: 1\nspace: planar\nbodies:\n  rod: {mass: 1 kg, inertia: 1 kg m^2}\n"
             "joints:\n  weld: {type: fixed, between: [ground, rod]}\n");
  const Answer answer = folder.run({"check", "stiff.yaml"});
  EXPECT_EQ(answer.code, 0);
  EXPECT_TRUE(contains(answer.err, "warning: the mechanism has no freedom left")) << answer.err;
}

TEST(Check, AMechanismMovedByDrivesHasNoFreedomAndIsFine) {
  const Folder folder;
  folder.put("driven.yaml",
             "trammel: 1\nspace: planar\nbodies:\n  rod: {mass: 1 kg, inertia: 1 kg m^2}\n"
             "joints:\n  pin: {type: revolute, between: [ground, rod]}\n"
             "drives:\n  motor: {type: position, coordinate: pin.angle, motion: 1 rev/s * time}\n");
  const Answer answer = folder.run({"check", "driven.yaml"});
  EXPECT_EQ(answer.code, 0);
  EXPECT_EQ(answer.err, "");
}

TEST(Check, GarbageIsWrongInput) {
  const Folder folder;
  std::string garbage;
  unsigned number = 1;
  for (int i = 0; i < 100'000; ++i)
    garbage += static_cast<char>((number = number * 1103515245u + 12345u) >> 16u);
  folder.put("garbage.yaml", garbage);
  const Answer answer = folder.run({"check", "garbage.yaml"});
  EXPECT_EQ(answer.code, 2);
  EXPECT_TRUE(contains(answer.err, "garbage.yaml")) << answer.err;
  EXPECT_LT(answer.err.size(), 20'000u);
}

}  // namespace
}  // namespace trammel::cli::testing
