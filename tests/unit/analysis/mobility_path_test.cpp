// Freedoms by rank, at the start and along a path.
#include "trammel/analysis/mobility_path.h"

#include "analysis_models.h"
#include "support/mechanisms.h"
#include <gtest/gtest.h>

namespace trammel::analysis {
namespace {

MobilityPath along(const model::Description& description, PathKind kind) {
  const auto system = model::compile(description);
  return mobility_along(*system, description.simulation, drive_names(description), kind);
}

TEST(MobilityPath, OfTheSourceFourBarDoesNotChange) {
  const MobilityPath path =
      along(described(four_bar("a.angle", "90 deg - time * 1 rad/s")), PathKind::kinematics);
  EXPECT_EQ(path.drives.freedoms, 1);
  EXPECT_EQ(path.drives.remaining, 0);
  EXPECT_TRUE(path.changes.empty());
  EXPECT_NEAR(path.until, 5.0, 1e-9);
  EXPECT_GT(path.least_singular_value, 1e-3);
}

// The parallelogram is collinear at 1.5 s; steps of 7 ms do not meet it.
TEST(MobilityPath, SeesAChangePointBetweenSteps) {
  model::Description d =
      described(four_bar("a.angle", "90 deg - 30 deg - 40 deg/s * time",
                         "l1: 2, l2: 4, l3: 2, lx: 4", "q1: 30 deg, q2: 90 deg, q3: 210 deg"));
  d.simulation.step = 0.007;
  d.simulation.output_step = 0.0;
  const MobilityPath path = along(d, PathKind::kinematics);
  ASSERT_EQ(path.changes.size(), 1u);
  EXPECT_TRUE(path.changes[0].passing);
  EXPECT_EQ(path.changes[0].before, 1);
  EXPECT_EQ(path.changes[0].there, 2);
  EXPECT_NEAR(path.changes[0].time, 1.5, 0.008);
}

// Falling square loops pass the collinear position once in the first half turn.
TEST(MobilityPath, SeesThemInASimulationToo) {
  model::Description d = support::four_bars(1);
  d.simulation.until = 0.9;
  d.simulation.step = 2e-3;
  d.simulation.output_step = 0.1;
  const MobilityPath path = along(d, PathKind::simulation);
  EXPECT_EQ(path.drives.freedoms, 1);
  ASSERT_GE(path.changes.size(), 1u);
  for (const MobilityChange& change : path.changes) EXPECT_TRUE(change.passing);
}

// N parallelograms in a row, their bars at an angle of `a`: collinear at zero, where each of them
// could fold in its own way. Driven, they pass that position after 1.5 s.
model::Description row_of_loops(int count, const std::string& angle) {
  return described("parameters: {n: " + std::to_string(count) + ", a: " + angle + R"yaml(}
trammel: 1
space: planar
assemblies:
  cell:
    bodies:
      bar: {mass: 1, inertia: 0.1, position: [0.5*cos(a), 0.5*sin(a)], angle: a, frames: {low: [-0.5, 0], top: [0.5, 0]}}
      beam: {mass: 1, inertia: 0.1, position: [cos(a) - 0.5, sin(a)], frames: {left: [-0.5, 0], right: [0.5, 0]}}
    joints:
      foot: {type: revolute, between: [ground, bar.low]}
      corner: {type: revolute, between: [beam.right, bar.top]}
bodies:
  first: {mass: 1, inertia: 0.1, position: [0.5*cos(a), 0.5*sin(a)], angle: a, frames: {low: [-0.5, 0], top: [0.5, 0]}}
joints:
  foot0: {type: revolute, between: [ground, first.low]}
instances:
  cells:
    assembly: cell
    repeat: n
    place: [i, 0]
    start: first.top
    joints: {left: {type: revolute, between: [previous.bar.top, beam.left]}}
drives:
  crank: {type: position, coordinate: foot0.angle, motion: "a - 40 deg/s * time"}
simulation: {until: 1.7 s, step: 14 ms}
)yaml");
}

TEST(MobilityPath, CountsEveryFreedomOfARowOfLoops) {
  for (const int count : {1, 2, 3, 5, 10}) {
    const MobilityPath path = along(row_of_loops(count, "60 deg"), PathKind::kinematics);
    ASSERT_EQ(path.changes.size(), 1u) << count;
    EXPECT_TRUE(path.changes[0].passing) << count;
    EXPECT_EQ(path.changes[0].before, 1) << count;
    EXPECT_EQ(path.changes[0].there, count + 1) << count;
    EXPECT_NEAR(path.changes[0].time, 1.5, 0.015) << count;
  }
}

TEST(MobilityPath, CountsThemAtAndNearTheSingularPosition) {
  for (int count = 1; count <= 10; ++count) {
    const auto freedoms = [&](const std::string& angle) {
      model::Description d = row_of_loops(count, angle);
      d.drives.clear();
      const auto system = model::compile(d);
      return mobility_of(*system, system->described_state()).freedoms();
    };
    EXPECT_EQ(freedoms("0 rad"), count + 1) << count;
    EXPECT_EQ(freedoms("1e-8 rad"), count + 1) << count;
    EXPECT_EQ(freedoms("1e-7 rad"), count + 1) << count;
    EXPECT_EQ(freedoms("0.01 rad"), 1) << count;
  }
}

// Drives alone hold the plate; where they cannot go on, the joints have no rank that could be lost.
TEST(MobilityPath, EndsWhereDrivesWithoutJointsCannotGoOn) {
  const model::Description d =
      io::read_model_file(std::string(TRAMMEL_SOURCE_DIR) + "/tests/data/trials/driven_plate.yaml",
                          full_vocabulary())
          .description;
  const MobilityPath path = along(d, PathKind::kinematics);
  EXPECT_NE(path.end.find("dead centre"), std::string::npos) << path.end;
  EXPECT_NEAR(path.until, 0.83, 0.02);
}

// A pin in space closes a planar loop with three redundant rows; mobility 1 where Gruebler says -2.
TEST(MobilityPath, NamesRedundantRows) {
  const MobilityPath path = along(support::bricard(), PathKind::none);
  EXPECT_EQ(path.drives.freedoms, 1);
  EXPECT_EQ(path.assembly.mobility.redundant.size(), 1u);
}

TEST(MobilityPath, ProposesInputsForWhatIsLeft) {
  const MobilityPath path = along(support::chain(3, model::Space::planar), PathKind::none);
  EXPECT_EQ(path.drives.remaining, 3);
  EXPECT_EQ(path.drives.proposals.size(), 3u);
  for (const std::string& name : path.drives.proposals) {
    EXPECT_NE(name.find(".angle"), std::string::npos) << name;
  }
}

}  // namespace
}  // namespace trammel::analysis
