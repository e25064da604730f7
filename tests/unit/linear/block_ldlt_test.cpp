#include "trammel/linear/block_ldlt.h"

#include <cstring>

#include "support/allocation_counter.h"
#include "support/kkt_systems.h"
#include "support/mechanisms.h"
#include "support/system_view.h"
#include <gtest/gtest.h>

#include "trammel/linear/eigen_ldlt.h"
#include "trammel/linear/solver_scope.h"
#include "trammel/model/assembly/worker_team.h"

namespace trammel::linear {
namespace {

using support::Random;
using system::KktPatternBuilder;

std::size_t factor_entries(const model::Description& description) {
  BlockLdlt solver;
  solver.analyse(model::compile(description)->pattern());
  return solver.factor_entries();
}

TEST(AllocationCounter, CountsWhatEigenAndTheLibraryAllocate) {
  if (!support::AllocationCounter::available()) GTEST_SKIP() << "address sanitizer";
  const support::AllocationCounter counter;
  const Vector from_eigen = Vector::Zero(100);
  const std::vector<double> from_library(100);
  // Compilers may leave out what nobody sees.
  const double* volatile seen = from_eigen.data();
  seen = from_library.data();
  EXPECT_EQ(counter.count(), 2) << *seen;
}

TEST(BlockLdlt, AllocatesNothingAfterTheFirstTime) {
  if (!support::AllocationCounter::available()) GTEST_SKIP() << "address sanitizer";
  for (const support::KktProblem& problem : support::mechanism_problems()) {
    SCOPED_TRACE(problem.name);
    BlockLdlt solver;
    solver.analyse(problem.matrix.pattern);
    Random random(1);
    const Vector right_side = random.values(problem.matrix.pattern->size());
    Vector solution;
    RefinedSolve refined;
    solver.factor(problem.matrix);
    refined(solver, problem.matrix, right_side, solution);
    const support::AllocationCounter counter;
    solver.factor(problem.matrix);
    solver.solve(right_side, solution);
    refined(solver, problem.matrix, right_side, solution);
    EXPECT_EQ(counter.count(), 0);
  }
}

// Large enough to be divided: a chain that is cut, and a tree of chains.
std::vector<std::pair<const char*, model::Description>> large_mechanisms() {
  constexpr int half = fewest_divided_blocks / 2;
  model::Description tree = support::chain(half, model::Space::planar);
  for (std::size_t i = 0; i < tree.joints.size(); ++i) {
    const bool branch = i % 500 == 0 && i > 0;  // on the first bar
    if (branch) tree.joints[i].attachments[0] = tree.bodies[0].name + ".right";
  }
  return {{"chain", support::taut_chain(half + 300)}, {"tree", tree}};
}

// Masses and rows as described.
KktMatrix mass_and_rows(model::ModelSystem& system) {
  system::Motion motion{.state = system.described_state()};
  motion.a.setZero(system.sizes().v);
  motion.lambda.setZero(system.sizes().multipliers());
  KktMatrix matrix(system.pattern());
  system.tangent(motion, {.acceleration = 1.0}, nullptr, matrix);
  return matrix;
}

TEST(BlockLdlt, SolvesInPartsAsWellAsAtOnce) {
  for (const auto& [what, description] : large_mechanisms()) {
    SCOPED_TRACE(what);
    Random random(17);
    const auto system = model::compile(description);
    const KktMatrix matrix = mass_and_rows(*system);
    ASSERT_FALSE(order_blocks(*matrix.pattern).parts.empty());
    const Vector exact = random.values(matrix.pattern->size());
    Vector right_side;
    matrix.multiply(exact, right_side);
    BlockLdlt solver;
    solver.analyse(matrix.pattern);
    const FactorReport report = solver.factor(matrix);
    EXPECT_TRUE(report.ok);
    EXPECT_EQ(report.wrong_signs, 0);
    EXPECT_EQ(report.dependent_rows, 0);
    EigenLdlt other;
    other.analyse(matrix.pattern);
    ASSERT_TRUE(other.factor(matrix).ok);
    Vector solution;
    Vector of_other;
    RefinedSolve refined;
    RefinedSolve again;
    // Both leave what round-off over thousands of links leaves.
    EXPECT_LT(refined(solver, matrix, right_side, solution),
              10.0 * again(other, matrix, right_side, of_other) + 1e-12);
    EXPECT_LT((solution - exact).norm(), 10.0 * (of_other - exact).norm() + 1e-9 * exact.norm());
  }
}

TEST(BlockLdlt, GivesTheSameBitsByAnyNumberOfThreads) {
  for (const auto& [what, description] : large_mechanisms()) {
    Random random(19);
    const auto system = model::compile(description);
    const KktMatrix matrix = mass_and_rows(*system);
    const Vector right_side = random.values(matrix.pattern->size());
    Vector first;
    for (const int threads : {1, 2, 3, 7}) {
      model::WorkerTeam team(threads);
      int pieces_seen = 0;
      const SolverScope scope([&](int pieces, const auto& work) {
        pieces_seen = pieces;
        team.run(pieces, work);
      });
      BlockLdlt solver;
      solver.analyse(matrix.pattern);
      ASSERT_TRUE(solver.factor(matrix).ok);
      Vector solution;
      solver.solve(right_side, solution);
      EXPECT_GT(pieces_seen, 1) << what;
      if (threads == 1) first = solution;
      EXPECT_EQ(std::memcmp(first.data(), solution.data(),
                            static_cast<std::size_t>(first.size()) * sizeof(double)),
                0)
          << what << " by " << threads << " threads";
    }
  }
}

TEST(BlockLdlt, FactorOfAChainGrowsByTheSameAmountPerLink) {
  for (const model::Space space : {model::Space::planar, model::Space::spatial}) {
    const std::size_t at_20 = factor_entries(support::chain(20, space));
    const std::size_t at_40 = factor_entries(support::chain(40, space));
    const std::size_t at_80 = factor_entries(support::chain(80, space));
    EXPECT_EQ(at_80 - at_40, 2 * (at_40 - at_20));
  }
}

TEST(BlockLdlt, FactorOfFourBarsGrowsLinearly) {
  const std::size_t at_20 = factor_entries(support::four_bars(20));
  const std::size_t at_200 = factor_entries(support::four_bars(200));
  // Ends differ from the middle; ten times the bars are ten times the numbers.
  EXPECT_LE(static_cast<double>(at_200), 10.5 * static_cast<double>(at_20));
}

// Two bodies that nothing joins: neither sees what happens to the other.
TEST(BlockLdlt, TellsWhatIsNotFiniteInEveryTree) {
  for (const int bad : {0, 1}) {
    KktPatternBuilder builder(2, 0);
    builder.add_block(0, 1);
    builder.add_block(1, 1);
    KktMatrix matrix(std::make_shared<const KktPattern>(builder.build()));
    for (double& value : matrix.values) value = 1.0;
    BlockLdlt solver;
    solver.analyse(matrix.pattern);
    EXPECT_TRUE(solver.factor(matrix).ok);
    const int position = matrix.pattern->diagonal[static_cast<std::size_t>(bad)];
    matrix.values[static_cast<std::size_t>(position)] = std::nan("");
    EXPECT_FALSE(solver.factor(matrix).ok) << bad;
  }
}

TEST(BlockLdlt, TellsWhenTheTangentIsNotPositiveDefinite) {
  Random random(5);
  support::KktProblem problem = support::random_graph(5, 3, 0, random);
  const KktPattern& pattern = *problem.matrix.pattern;
  for (int k = 0; k < pattern.velocities; ++k) {
    problem.matrix
        .values[static_cast<std::size_t>(pattern.diagonal[static_cast<std::size_t>(k)])] -= 100.0;
  }
  BlockLdlt block;
  EigenLdlt eigen;
  for (KktSolver* solver : std::initializer_list<KktSolver*>{&block, &eigen}) {
    solver->analyse(problem.matrix.pattern);
    const FactorReport report = solver->factor(problem.matrix);
    ASSERT_TRUE(report.ok);
    EXPECT_GT(report.wrong_signs, 0) << solver->name();
  }
}

// A row that the pattern ties to a hinge, but that does not depend on it (the
// height of a wheel on its spin), is carried by the body behind the hinge.
TEST(BlockLdlt, AHingeMayHaveNoPartInARow) {
  KktPatternBuilder builder(3, 1);
  for (int i = 0; i < 4; ++i) {
    for (int j = 0; j < 3; ++j) builder.add(i, j);
  }
  builder.add_block(0, 2);  // a body, then its hinge
  KktMatrix matrix(std::make_shared<const KktPattern>(builder.build()));
  const auto set = [&](int row, int column, double value) {
    matrix.values[static_cast<std::size_t>(matrix.pattern->find(row, column))] = value;
  };
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) set(i, j, i == j ? 3.0 : 1.0);
  }
  set(3, 0, 1.0);
  set(3, 1, 2.0);
  BlockLdlt solver;
  solver.analyse(matrix.pattern);
  ASSERT_TRUE(solver.factor(matrix).ok);
  // The right side that belongs to x = (1, 2, 3) and the multiplier 4.
  Vector right_side(4);
  right_side << 12.0, 18.0, 12.0, 5.0;
  Vector solution;
  RefinedSolve refined;
  refined(solver, matrix, right_side, solution);
  EXPECT_LE((solution - Eigen::Vector4d(1.0, 2.0, 3.0, 4.0)).norm(), 1e-12);
}

// Trees of hinges in relative coordinates: the mass matrix is full along paths,
// a drive of one hinge has entries for the whole path and is zero in all but
// one. Its rows are independent whatever the order of elimination; no pivot may
// be the regularisation's.
TEST(BlockLdlt, DrivesOfHingesHaveZerosInTheirPattern) {
  Random random(67);
  for (int time = 0; time < 30; ++time) {
    SCOPED_TRACE(time);
    const int hinges = 3 + time % 8;
    std::vector<int> driven;
    for (int i = 0; i < hinges; ++i) {
      if (random.coin()) driven.push_back(i);
    }
    const int rows = static_cast<int>(driven.size());
    KktPatternBuilder builder(hinges, rows);
    for (int j = 0; j < hinges; ++j) {
      for (int i = 0; i < hinges; ++i) builder.add(i, j);
      for (int i = 0; i < rows; ++i) builder.add(hinges + i, j);
    }
    KktMatrix matrix(std::make_shared<const KktPattern>(builder.build()));
    const auto set = [&](int row, int column, double value) {
      matrix.values[static_cast<std::size_t>(matrix.pattern->find(row, column))] = value;
    };
    Eigen::MatrixXd root(hinges, hinges);
    for (int j = 0; j < hinges; ++j) root.col(j) = random.values(hinges);
    const Eigen::MatrixXd mass =
        root * root.transpose() + 0.5 * Eigen::MatrixXd::Identity(hinges, hinges);
    for (int j = 0; j < hinges; ++j) {
      for (int i = 0; i < hinges; ++i) set(i, j, mass(i, j));
      for (int i = 0; i < rows; ++i) {
        set(hinges + i, j, driven[static_cast<std::size_t>(i)] == j ? 1.0 : 0.0);
      }
    }
    const Vector truth = random.values(hinges + rows);
    Vector right_side;
    matrix.multiply(truth, right_side);
    BlockLdlt solver;
    solver.analyse(matrix.pattern);
    const FactorReport report = solver.factor(matrix);
    EXPECT_TRUE(report.ok);
    EXPECT_EQ(report.wrong_signs, 0);
    EXPECT_EQ(report.dependent_rows, 0);
    Vector solution;
    // Without refinement: the regularisation of 1e-10 times the condition of
    // the mass matrix.
    solver.solve(right_side, solution);
    EXPECT_LE((solution - truth).lpNorm<Eigen::Infinity>(), 1e-7);
  }
}

// In relative coordinates one loop-closing joint meets all hinges of its loop;
// a row of it may be redundant although no other multiplier is near.
TEST(BlockLdlt, ALoopClosingJointMayHaveDependentRows) {
  KktPatternBuilder builder(3, 2);
  for (int i = 0; i < 5; ++i) {
    for (int j = 0; j < 3; ++j) builder.add(i, j);
  }
  builder.add_block(3, 2);
  KktMatrix matrix(std::make_shared<const KktPattern>(builder.build()));
  const auto set = [&](int row, int column, double value) {
    matrix.values[static_cast<std::size_t>(matrix.pattern->find(row, column))] = value;
  };
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) set(i, j, i == j ? 3.0 : 1.0);
    set(3, i, 1.0 + i);
    set(4, i, 2.0 + 2.0 * i);  // twice the first row
  }
  BlockLdlt solver;
  solver.analyse(matrix.pattern);
  const FactorReport report = solver.factor(matrix);
  EXPECT_TRUE(report.ok);
  EXPECT_EQ(report.dependent_rows, 1);
  // The right side that belongs to x = (1, 2, 3) and the load (1, 2, 3) of the
  // rows.
  Vector right_side(5);
  right_side << 9.0, 12.0, 15.0, 14.0, 28.0;
  Vector solution;
  RefinedSolve refined;
  refined(solver, matrix, right_side, solution);
  EXPECT_LE((solution.head(3) - Eigen::Vector3d(1.0, 2.0, 3.0)).norm(), 1e-12);
  EXPECT_NEAR(solution[3] + 2.0 * solution[4], 1.0, 1e-11);
}

}  // namespace
}  // namespace trammel::linear
