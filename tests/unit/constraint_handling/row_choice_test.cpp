#include "trammel/constraint_handling/row_choice.h"

#include "support/mechanisms.h"
#include "support/redundant_twins.h"
#include "support/system_view.h"
#include <Eigen/Geometry>
#include <Eigen/SVD>
#include <gtest/gtest.h>

#include "trammel/constraint_handling/least_reactions.h"
#include "trammel/constraint_handling/rank.h"
#include "trammel/model/model_system.h"

namespace trammel::constraint_handling {
namespace {

// The least singular value of as many independent rows as there should be, of all rows but some,
// scaled to length 1.
double least_singular_value(model::ModelSystem& system,
                            const system::State& state,
                            const std::vector<int>& left_out,
                            int rank) {
  Eigen::MatrixXd rows = support::constraint_jacobian(system, state) *
                         Eigen::MatrixXd(system.displacement_scale().asDiagonal());
  rows.rowwise().normalize();
  for (const int row : left_out) rows.row(row).setZero();
  return Eigen::JacobiSVD<Eigen::MatrixXd>(rows).singularValues()[rank - 1];
}

// All bars of the four-bars in one line.
model::Description flat_four_bars(int n) {
  model::Description d = support::four_bars(n);
  for (model::Body& body : d.bodies) {
    const bool coupler = body.name.rfind("coupler", 0) == 0;
    const double number = std::stod(body.name.substr(coupler ? 7 : 6));
    body.angle = 0.0;
    body.position = {number + (coupler ? 1.5 : 0.5), 0, 0};
    body.velocity.setZero();
    body.angular_velocity.setZero();
  }
  return d;
}

TEST(RowChoice, LeavesNothingOutThatIsRedundantForAnInstant) {
  for (const int n : {1, 3}) {
    const auto system = model::compile(flat_four_bars(n));
    const system::State state = system->described_state();
    ASSERT_EQ(constraint_rank(*system, state).redundant.size(), static_cast<std::size_t>(n));
    RowChoice choice(*system);
    choice.begin(state);
    EXPECT_TRUE(choice.left_out().empty()) << n;
  }
}

TEST(RowChoice, LeavesOutAsManyRowsAsTheRankIsShortOf) {
  for (const support::Twins& twins : support::redundant_twins()) {
    const auto system = model::compile(twins.redundant);
    const system::State state = support::assembled(*system);
    RowChoice choice(*system);
    EXPECT_TRUE(choice.begin(state)) << twins.name;
    const RankReport rank = constraint_rank(*system, state);
    EXPECT_EQ(choice.left_out().size(), rank.redundant.size()) << twins.name;
    EXPECT_FALSE(choice.begin(state)) << twins.name;
    // Volumes within a factor of the best: the least singular value is no smaller than that of all
    // rows by more than the number of rows.
    const double kept = least_singular_value(*system, state, choice.left_out(), rank.rank);
    const double best = least_singular_value(*system, state, {}, rank.rank);
    EXPECT_GT(kept, best / rank.rows) << twins.name;
  }
}

// The whole model turned about z.
system::State turned(const system::State& state, double angle) {
  system::State result = state;
  const Eigen::Quaterniond turn(Eigen::AngleAxisd(angle, Eigen::Vector3d::UnitZ()));
  for (Eigen::Index body = 0; body < state.q.size(); body += 7) {
    result.q.segment<3>(body) = turn * state.q.segment<3>(body);
    const Eigen::Vector4d e = state.q.segment<4>(body + 3);
    const Eigen::Quaterniond now = turn * Eigen::Quaterniond(e[0], e[1], e[2], e[3]);
    result.q.segment<4>(body + 3) << now.w(), now.x(), now.y(), now.z();
  }
  return result;
}

TEST(RowChoice, ExchangesRowsAsTheDependenceTurns) {
  for (const support::Twins& twins : support::redundant_twins()) {
    if (twins.name != "pair of wheels") continue;
    const auto system = model::compile(twins.redundant);
    const system::State state = support::assembled(*system);
    RowChoice choice(*system);
    choice.begin(state);
    const std::vector<int> first = choice.left_out();
    const int rank = constraint_rank(*system, state).rank;
    const double best = least_singular_value(*system, state, {}, rank);
    int exchanges = 0;
    for (int i = 1; i <= 200; ++i) {
      const system::State now = turned(state, 0.04 * i);
      if (choice.revise(now)) ++exchanges;
      const double kept = least_singular_value(*system, now, choice.left_out(), rank);
      ASSERT_GT(kept, 0.1 * best) << "at " << 0.04 * i << " rad";
    }
    // Every quarter turn the other row of a contact is the new one.
    EXPECT_GE(exchanges, 4);
    EXPECT_EQ(choice.left_out().size(), first.size());
  }
}

TEST(RowChoice, RegroupsMultipliersWithoutChangingTheirLoads) {
  for (const support::Twins& twins : support::redundant_twins()) {
    const auto system = model::compile(twins.redundant);
    const system::State state = support::assembled(*system);
    RowChoice choice(*system);
    choice.begin(state);
    const Eigen::MatrixXd G = support::constraint_jacobian(*system, state);
    const system::Vector lambda = system::Vector::LinSpaced(G.rows(), -3.0, 5.0);
    system::Vector regrouped = lambda;
    choice.regroup(regrouped);
    for (const int row : choice.left_out()) EXPECT_EQ(regrouped[row], 0.0) << twins.name;
    EXPECT_LT((G.transpose() * (regrouped - lambda)).norm(), 1e-8) << twins.name;
  }
}

TEST(LeastReactions, AreTheLeastWithTheSameLoads) {
  for (const support::Twins& twins : support::redundant_twins()) {
    const auto system = model::compile(twins.redundant);
    const system::State state = support::assembled(*system);
    const Eigen::MatrixXd G = support::constraint_jacobian(*system, state);
    system::Vector weights;
    system::reaction_weights(*system)->reaction_weights(state, weights);
    const Eigen::VectorXd length =
        (G * Eigen::MatrixXd(system->displacement_scale().asDiagonal())).rowwise().norm();
    for (Eigen::Index i = 0; i < weights.size(); ++i) {
      if (weights[i] == 0.0) weights[i] = length[i] * length[i];
    }
    const system::Vector lambda = system::Vector::LinSpaced(G.rows(), -3.0, 5.0);
    system::Vector least = lambda;
    LeastReactions reactions(*system);
    ASSERT_TRUE(reactions(state, least)) << twins.name;
    EXPECT_LT((G.transpose() * (least - lambda)).norm(), 1e-8 * lambda.norm()) << twins.name;
    // Perpendicular, in the weights, to all that leaves the loads as they are.
    const Eigen::JacobiSVD<Eigen::MatrixXd> svd(G, Eigen::ComputeFullU);
    const auto rank = (svd.singularValues().array() > 1e-9 * svd.singularValues()[0]).count();
    const Eigen::MatrixXd null = svd.matrixU().rightCols(G.rows() - rank);
    EXPECT_LT((null.transpose() * weights.asDiagonal() * least).norm(),
              1e-7 * weights.maxCoeff() * lambda.norm())
        << twins.name;
  }
}

TEST(RowsMayDepend, OnlyWhereTheGraphHasLoops) {
  using model::Space;
  for (const auto& d : {support::chain(5, Space::spatial), support::chain(4, Space::planar),
                        support::pendulum(), support::heavy_top(), support::asymmetric_top()}) {
    EXPECT_FALSE(rows_may_depend(*model::compile(d)->pattern())) << d.name;
  }
  for (const auto& d : {support::four_bars(2), support::slider_crank(), support::bricard()}) {
    EXPECT_TRUE(rows_may_depend(*model::compile(d)->pattern())) << d.name;
  }
  for (const support::Twins& twins : support::redundant_twins()) {
    EXPECT_TRUE(rows_may_depend(*model::compile(twins.redundant)->pattern())) << twins.name;
  }
}

}  // namespace
}  // namespace trammel::constraint_handling
