// Kinematic connections as the command line shows them: in the graph, as hinges, with wishes for
// the tree, and with their rank along a run.
#include "command_line.h"
#include <gtest/gtest.h>

namespace trammel::cli::testing {
namespace {

// Reports break their lines.
std::string on_one_line(const std::string& text) {
  std::string line;
  for (const char c : text) {
    const bool space = c == ' ' || c == '\n';
    if (!space || (!line.empty() && line.back() != ' ')) line += space ? ' ' : c;
  }
  return line;
}

// A cross on two pins, which is a universal joint, and a ball, a bar and a ball, which close a
// loop.
constexpr const char* cardan = R"(trammel: 1
space: spatial
gravity: [0, 0, -9.81]
bodies:
  fork: {mass: 2 kg, inertia: [0.1, 0.1, 0.1], position: [0, 0, -0.5]}
  bob: {mass: 1 kg, inertia: [0.1, 0.1, 0.1], position: [0.8, 0, -0.5]}
connections:
  cardan:
    nodes:
      cross: {}
    elements:
      yoke: {type: revolute, between: [ground, cross], at: [0, 0, 0], axis: [1, 0, 0]}
      pin: {type: revolute, between: [cross, fork], at: [0, 0, 0], axis: [0, 1, 0]}
  rod:
    nodes:
      bar: {position: [0.4, 0, -0.5]}
    elements:
      left: {type: spherical, between: [fork, bar], at: [0, 0, -0.5]}
      right: {type: spherical, between: [bar, bob], at: [0.8, 0, -0.5]}
simulation: {until: 0.1, step: 1 ms}
)";

TEST(ConnectionTopology, CountsConnectionsAsBranchesAndCutJoints) {
  const Folder folder;
  folder.put("cardan.yaml", cardan);
  const Answer text = folder.run({"info", "cardan.yaml", "--topology"});
  EXPECT_EQ(text.code, 0) << text.err;
  // Two coordinates of the cross, six of the bob, which a row of one distance holds.
  for (const char* part : {"2 bodies, 2 joints", "8 Lagrange coordinates, 1 cut joint", "universal",
                           " rod: ", "with 1 rows of cut joints"}) {
    EXPECT_TRUE(contains(on_one_line(text.out), part)) << part << "\n" << text.out;
  }
  EXPECT_TRUE(contains(folder.run({"info", "cardan.yaml", "--dot"}).out, "label=\"rod\""));
  EXPECT_TRUE(contains(folder.run({"info", "cardan.yaml", "--svg"}).out, ">cardan<"));
  const Answer check = folder.run({"check", "cardan.yaml"});
  EXPECT_EQ(check.code, 0) << check.err;
  EXPECT_TRUE(contains(on_one_line(check.out), "became a universal joint")) << check.out;
  EXPECT_TRUE(contains(on_one_line(check.out), "became a distance joint")) << check.out;
  EXPECT_TRUE(contains(on_one_line(check.out), "a freedom of its nodes is felt by no body"))
      << check.out;
}

TEST(ConnectionTopology, TellsWishesForTheTree) {
  const Folder folder;
  folder.put("cardan.yaml", std::string(cardan) + "tree: {open: [cardan], tie: {bob: fork}}\n");
  const Answer text = folder.run({"info", "cardan.yaml", "--topology"});
  EXPECT_EQ(text.code, 0) << text.err;
  for (const char* part :
       {"12 Lagrange coordinates, 2 cut joints", "opened: cardan", "tied: bob to fork"}) {
    EXPECT_TRUE(contains(on_one_line(text.out), part)) << part << "\n" << text.out;
  }
  folder.put("kept.yaml", std::string(cardan) + "tree: {keep: [rod]}\n");
  const Answer kept = folder.run({"run", "kept.yaml", "--coordinates", "relative"});
  EXPECT_EQ(kept.code, 2);
  EXPECT_TRUE(contains(on_one_line(kept.err), "'rod' cannot be a hinge")) << kept.err;
}

// A turn about (1, 1, 1) brings the second slide into the line of the first.
constexpr const char* slides = R"(trammel: 1
space: spatial
bodies:
  bob: {mass: 2 kg, inertia: [0.1, 0.2, 0.25], position: [0, 0, 0], angular_velocity: [-2, -2, -2]}
connections:
  link:
    nodes:
      n1: {}
      n2: {}
    elements:
      s1: {type: prismatic, between: [ground, n1], at: [0, 0, 0], axis: [1, 0, 0]}
      pin: {type: revolute, between: [n1, n2], at: [0, 0, 0], axis: [1, 1, 1]}
      s2: {type: prismatic, between: [n2, bob], at: [0, 0, 0], axis: [0, 1, 0]}
simulation: {until: 0.7, step: 1 ms}
)";

TEST(ConnectionTopology, ARunTellsWhereTheRankFalls) {
  const Folder folder;
  folder.put("slides.yaml", slides);
  const Answer check = folder.run({"check", "slides.yaml"});
  EXPECT_TRUE(contains(on_one_line(check.out), "became a hinge of its own")) << check.out;
  EXPECT_TRUE(contains(on_one_line(check.out), "s1.displacement, pin.angle, s2.displacement"))
      << check.out;
  // Away from there nothing is told.
  const Answer before = folder.run({"run", "slides.yaml", "-u", "0.3 s"});
  EXPECT_EQ(before.code, 0) << before.err;
  EXPECT_FALSE(contains(on_one_line(before.out), "depend on each other")) << before.out;
  const Answer run = folder.run({"run", "slides.yaml", "--force"});
  EXPECT_TRUE(contains(on_one_line(run.out + run.err), "connection 'link'")) << run.out << run.err;
  EXPECT_TRUE(contains(on_one_line(run.out + run.err), "depend on each other"))
      << run.out << run.err;
}

}  // namespace
}  // namespace trammel::cli::testing
