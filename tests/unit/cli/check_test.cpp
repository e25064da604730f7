// trammel check: mistakes, freedoms, redundancy, assembly.
#include <filesystem>

#include "command_line.h"
#include <gtest/gtest.h>

namespace trammel::cli::testing {
namespace {

// Wrapped lines as one, with single blanks.
std::string in_one_line(const std::string& text) {
  std::string line;
  for (const char c : text) {
    const bool blank = c == ' ' || c == '\n';
    if (!blank || (!line.empty() && line.back() != ' ')) line += blank ? ' ' : c;
  }
  return line;
}

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

// What starts open holds nothing: `check` and `run` tell the same, and what follows from closing.
TEST(Check, AgreesWithRunAboutContactsThatStartOpen) {
  const Folder folder;
  std::string model =
      "trammel: 1\nspace: spatial\ngravity: [0, 0, -10]\nbodies:\n"
      "  box: {shape: {box: {size: [2, 1, 0.2], mass: 4 kg}}, position: [0, 0, 0.2], frames: "
      "{a: [1, 0.5, -0.1], b: [-1, 0.5, -0.1], c: [-1, -0.5, -0.1], d: [1, -0.5, -0.1]}}\n"
      "joints:\n";
  for (const std::string corner : {"a", "b", "c", "d"}) {
    model += "  c" + corner + ": {type: point_on_plane, between: [ground, box." + corner +
             "], normal: z, unilateral: true, starts_open: true}\n";
  }
  folder.put("box.yaml", model + "simulation: {until: 0.2 s, step: 1 ms}\n");
  const std::string checked = in_one_line(folder.run({"check", "box.yaml"}).out);
  const std::string ran = in_one_line(folder.run({"run", "box.yaml", "--no-report"}).out);
  for (const char* line :
       {"freedoms 6 (6 velocities, 0 constraint rows of rank 0)", "redundant none at the start",
        "ca, cb, cc, cd are open at the start; closed in that position, reactions of ca, cb, cc, "
        "cd "
        "would not be unique",
        "the described positions and velocities fit together as they are"}) {
    EXPECT_TRUE(contains(checked, line)) << checked;
    EXPECT_TRUE(contains(ran, line)) << ran;
  }
}

constexpr const char* connections =
    "trammel: 1\nspace: spatial\ngravity: [0, 0, -9.81]\n"
    "bodies:\n  bob: {mass: 2 kg, inertia: [0.1, 0.1, 0.1], position: [1.2, 0, -0.5]}\n"
    "ground:\n  frames: {hook: {position: [0, 2, 0]}}\n"
    "connections:\n"
    "  rod:\n    nodes:\n      bar: {position: [0.6, 0, -0.25]}\n    elements:\n"
    "      upper: {type: spherical, between: [ground, bar], at: [0, 0, 0]}\n"
    "      again: {type: spherical, between: [ground, bar], at: [0, 0, 0]}\n"
    "      lower: {type: spherical, between: [bar, bob], at: [1.2, 0, -0.5]}\n"
    "  rope:\n    nodes:\n      knot: {position: [0.6, 1, 0]}\n    elements:\n"
    "      near: {type: spring, between: [ground.hook, knot], stiffness: 50, length: 0.4}\n"
    "      far: {type: spring, between: [knot, bob], stiffness: 50, length: 0.4}\n";

TEST(Check, TellsWhatBecameOfConnections) {
  const Folder folder;
  folder.put("rod.yaml", connections);
  for (const char* command : {"check", "info"}) {
    const Answer answer = folder.run({command, "rod.yaml"});
    EXPECT_EQ(answer.code, 0) << answer.err;
    const std::string text = in_one_line(answer.out);
    EXPECT_TRUE(contains(text,
                         "3 joints and 1 internal node (bar) between ground and bob became a "
                         "distance joint, which leaves 5 freedoms; 1 freedom of its nodes"))
        << answer.out;
    EXPECT_TRUE(contains(text, "rows that say nothing new: again, ")) << answer.out;
    EXPECT_TRUE(contains(text, "a freedom of its nodes is felt by no body")) << answer.out;
    EXPECT_TRUE(contains(text,
                         "2 elements between bob; 1 internal node (knot), 3 freedoms solved "
                         "to equilibrium"))
        << answer.out;
  }
}

TEST(Check, ComparesDerivativesWithDifferences) {
  const Folder folder;
  folder.put("rod.yaml", connections);
  const Answer good = folder.run({"check", "rod.yaml", "--derivatives"});
  EXPECT_EQ(good.code, 0) << good.out << good.err;
  EXPECT_TRUE(contains(good.out, "all agree with differences")) << good.out;

  // A kink where the model starts.
  folder.put("kink.yaml",
             "trammel: 1\nspace: planar\nbodies:\n  rod: {mass: 1 kg, inertia: 1 kg m^2}\n"
             "joints:\n  pin: {type: revolute, between: [ground, rod]}\n"
             "forces:\n  stop: {type: actuator, coordinate: pin.angle, formula: "
             "'-5 N m*max(0, pin.angle/(1 rad))'}\n");
  const Answer kink = folder.run({"check", "kink.yaml", "--derivatives"});
  EXPECT_EQ(kink.code, 2) << kink.out << kink.err;
  EXPECT_TRUE(contains(in_one_line(kink.out), "force 'stop.load': df/dx is wrong")) << kink.out;
  EXPECT_TRUE(contains(kink.err, "stop.load")) << kink.err;
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

// Noise of the differences is no mistake of a derivative: no example has one.
TEST(Check, DerivativesOfAllExamplesAgree) {
  const Folder folder;
  int count = 0;
  for (const auto& entry :
       std::filesystem::recursive_directory_iterator(TRAMMEL_SOURCE_DIR "/examples")) {
    const std::string path = entry.path().string();
    if (entry.path().extension() != ".yaml") continue;
    if (!contains(contents_of(entry.path()), "trammel: 1\n")) continue;
    // Balls that touch, and a plunger in its bearing: the start stands at the kink of a contact.
    if (contains(path, "newtons_cradle") || contains(path, "fuel_injection_pump/dynamics"))
      continue;
    const Answer answer = folder.run({"check", path, "--derivatives"});
    EXPECT_EQ(answer.code, 0) << path << answer.out << answer.err;
    ++count;
  }
  EXPECT_GT(count, 40);
}

}  // namespace
}  // namespace trammel::cli::testing
