#include "trammel/constraint_handling/rank.h"

#include "support/mechanisms.h"
#include "support/system_view.h"
#include <Eigen/QR>
#include <gtest/gtest.h>

#include "trammel/model/model_system.h"

namespace trammel::constraint_handling {
namespace {

int dense_rank(model::ModelSystem& system, const system::State& state) {
  Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr(support::constraint_jacobian(system, state));
  qr.setThreshold(1e-8);
  return static_cast<int>(qr.rank());
}

TEST(ConstraintRank, AgreesWithADenseDecomposition) {
  for (const model::Description& d :
       {support::chain(5, model::Space::spatial), support::four_bars(3), support::slider_crank(),
        support::bricard(), support::spatial_slider_crank()}) {
    const auto system = model::compile(d);
    const system::State state = system->described_state();
    const RankReport report = constraint_rank(*system, state);
    EXPECT_EQ(report.rank, dense_rank(*system, state)) << d.name;
    EXPECT_EQ(report.rows - report.rank, static_cast<int>(report.redundant.size())) << d.name;
  }
}

// Combinations of rows of a long straight chain get shorter than any tolerance. Without loops every
// joint brings rows of its own all the same.
TEST(ConstraintRank, IsFullOnTreesHoweverLongTheyAre) {
  const auto chain = model::compile(support::chain(100000, model::Space::spatial));
  const RankReport of_chain = constraint_rank(*chain, chain->described_state());
  EXPECT_EQ(of_chain.rows, 500000);
  EXPECT_EQ(of_chain.rank, 500000);
  EXPECT_TRUE(of_chain.redundant.empty());
  // Point x, y, z and two tilts, scaled to length one, seen from either body: far from dependent.
  EXPECT_GT(of_chain.smallest_kept, 0.1);
}

TEST(ConstraintRank, SeesTheRankDropInASingularPosition) {
  // All bars of the four-bar in one line: one more freedom for an instant.
  model::Description d = support::four_bars(1);
  for (model::Body& body : d.bodies) {
    const bool coupler = body.name == "coupler0";
    const double base = body.name == "rocker1" ? 1.0 : 0.0;
    body.angle = 0.0;
    body.position = {coupler ? 1.5 : base + 0.5, 0, 0};
  }
  const auto system = model::compile(d);
  const system::State state = system->described_state();
  const RankReport report = constraint_rank(*system, state);
  EXPECT_EQ(report.rank, report.rows - 1);
  EXPECT_EQ(report.rank, dense_rank(*system, state));
}

TEST(ConstraintRank, MarksExactlyTheMultipliersThatAreNotDetermined) {
  // The second of two equal joints is redundant; only rows of these two are undetermined.
  model::Description d = support::chain(3, model::Space::spatial);
  model::Item again = d.joints[1];
  again.name = "again";
  d.joints.push_back(again);
  const auto system = model::compile(d);
  const RankReport report = constraint_rank(*system, system->described_state());
  const std::vector<model::RowName> names = system->row_names();
  ASSERT_EQ(report.redundant.size(), 5U);
  for (const int row : report.redundant) {
    EXPECT_EQ(names[static_cast<std::size_t>(row)].joint, "again");
  }
  EXPECT_EQ(report.not_unique.size(), 10U);
  for (const int row : report.not_unique) {
    const std::string& joint = names[static_cast<std::size_t>(row)].joint;
    EXPECT_TRUE(joint == "again" || joint == "hinge1") << joint;
  }
}

TEST(ConstraintRank, OfASystemWithoutConstraintsIsZero) {
  const auto system = model::compile(support::asymmetric_top());
  const RankReport report = constraint_rank(*system, system->described_state());
  EXPECT_EQ(report.rank, 0);
  EXPECT_EQ(report.rows, 0);
}

}  // namespace
}  // namespace trammel::constraint_handling
