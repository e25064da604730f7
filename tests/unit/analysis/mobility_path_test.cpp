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
