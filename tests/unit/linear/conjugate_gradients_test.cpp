// Conjugate gradients on cut joints: the laws of all solvers run in kkt_solver_test.cpp; here what
// is theirs alone.
#include "trammel/linear/conjugate_gradients.h"

#include <cstring>

#include "support/allocation_counter.h"
#include "support/kkt_systems.h"
#include "support/mechanisms.h"
#include "support/system_view.h"
#include <gtest/gtest.h>

#include "trammel/linear/block_order.h"
#include "trammel/linear/body_groups.h"
#include "trammel/linear/dense_solver.h"
#include "trammel/model/assembly/worker_team.h"

namespace trammel::linear {
namespace {

using support::Random;

ConjugateGradientOptions with(Preconditioner preconditioner, int bodies_per_group = 0) {
  return {.preconditioner = preconditioner, .bodies_per_group = bodies_per_group};
}

const std::vector<Preconditioner> all_preconditioners{
    Preconditioner::groups, Preconditioner::joints, Preconditioner::diagonal,
    Preconditioner::scaled};

KktMatrix tangent_of(model::ModelSystem& system, const system::Weights& weights, Random& random) {
  system::Motion motion = support::at_rest(system, support::assembled(system));
  motion.lambda = random.values(motion.lambda.size());
  KktMatrix matrix(system.pattern());
  system.tangent(motion, weights, nullptr, matrix);
  return matrix;
}

/// Most iterations of one solution with a random right side.
int iterations(const KktMatrix& matrix, const ConjugateGradientOptions& options, int seed = 3) {
  ConjugateGradients solver(options);
  solver.analyse(matrix.pattern);
  EXPECT_TRUE(solver.factor(matrix).ok);
  Random random(static_cast<unsigned>(seed));
  Vector solution;
  solver.solve(random.values(matrix.pattern->size()), solution);
  EXPECT_EQ(solver.iterations().unfinished, 0);
  EXPECT_EQ(solver.iterations().direct, 0);
  return solver.iterations().most;
}

TEST(BodyGroups, CutATreeAtOneJointForEachGroupAndANetInStrips) {
  const auto system = model::compile(support::chain(100, model::Space::spatial));
  const KktPattern& pattern = *system->pattern();
  const BodyGroups chain = group_bodies(pattern, 10, false);
  EXPECT_EQ(chain.count, 10);
  EXPECT_EQ(chain.cut_rows, 9 * 5);
  // Every body is in a group, joints between groups in none.
  int cut = 0;
  for (int block = 0; block < pattern.blocks(); ++block) {
    const int group = chain.group[static_cast<std::size_t>(block)];
    const bool body = pattern.block_start[static_cast<std::size_t>(block)] < pattern.velocities;
    if (body) {
      EXPECT_TRUE(group >= 0 && group < chain.count);
    }
    if (!body && group < 0) ++cut;
  }
  EXPECT_EQ(cut, 9);
  const BodyGroups all = group_bodies(pattern, 10, true);
  EXPECT_EQ(all.cut_rows, pattern.multipliers);
}

// Implicit methods solve with the whole tangent: springs and curved constraints couple bodies of
// different groups.
TEST(ConjugateGradients, SolveCoupledTangentsLikeTheDenseSolver) {
  Random random(11);
  for (const model::Space space : {model::Space::planar, model::Space::spatial}) {
    for (int time = 0; time < 4; ++time) {
      const auto system = model::compile(support::random_mechanism(space, random));
      KktMatrix matrix = tangent_of(*system, {1e-4, 1e-2, 1.0}, random);
      // The symmetric part is what symmetric solvers take.
      const KktMatrix full = matrix;
      const KktPattern& pattern = *matrix.pattern;
      for (int column = 0; column < pattern.velocities; ++column) {
        const auto c = static_cast<std::size_t>(column);
        for (int k = pattern.column_start[c]; k < pattern.column_start[c + 1]; ++k) {
          const int row = pattern.row[static_cast<std::size_t>(k)];
          if (row >= pattern.velocities) break;
          const auto image = static_cast<std::size_t>(pattern.find(column, row));
          matrix.values[static_cast<std::size_t>(k)] =
              0.5 * (full.values[static_cast<std::size_t>(k)] + full.values[image]);
        }
      }
      Vector right_side = random.values(pattern.size());
      Vector expected;
      DenseSolver dense;
      dense.analyse(matrix.pattern);
      ASSERT_TRUE(dense.factor(matrix).ok);
      matrix.multiply(random.values(pattern.size()), right_side);  // consistent
      dense.solve(right_side, expected);
      for (const Preconditioner preconditioner : all_preconditioners) {
        ConjugateGradients solver(with(preconditioner, 2));
        SCOPED_TRACE(solver.name());
        solver.analyse(matrix.pattern);
        ASSERT_TRUE(solver.factor(full).ok);
        Vector solution;
        RefinedSolve refined;
        EXPECT_LE(refined(solver, matrix, right_side, solution), 1e-12);
        // Round-off times the condition of the constrained tangent.
        EXPECT_LE((solution - expected).head(pattern.velocities).lpNorm<Eigen::Infinity>(),
                  1e-9 * (1.0 + expected.lpNorm<Eigen::Infinity>()));
      }
    }
  }
}

// [M G^T; G -eps/rho^2] of penalty stabilisation: its Schur complement is (eps + rho^2 G M^-1 G^T)
// / rho^2, here built as a dense matrix. The diagonal holds whatever the rank of G.
TEST(ConjugateGradients, SolveTheArrowheadOfPenaltyStabilisation) {
  Random random(13);
  for (support::KktProblem& problem : support::mechanism_problems()) {
    SCOPED_TRACE(problem.name);
    KktMatrix& matrix = problem.matrix;
    const KktPattern& pattern = *matrix.pattern;
    const int n = pattern.velocities;
    const int m = pattern.multipliers;
    Eigen::MatrixXd dense = Eigen::MatrixXd::Zero(n + m, n + m);
    for (int i = 0; i < n + m; ++i) {
      Vector column;
      matrix.multiply(Vector::Unit(n + m, i), column);
      dense.col(i) = column;
    }
    const double rho = 5e-3;
    const double eps = 1e-6;
    for (int i = 0; i < m; ++i) {
      matrix.values[static_cast<std::size_t>(pattern.diagonal[static_cast<std::size_t>(n + i)])] =
          -eps / (rho * rho);
    }
    const Eigen::MatrixXd M = dense.topLeftCorner(n, n);
    const Eigen::MatrixXd B = dense.bottomLeftCorner(m, n);
    const Eigen::MatrixXd S = B * M.ldlt().solve(B.transpose());
    const Vector right_side = random.values(n + m);
    const Vector c = right_side.head(n);
    const Vector d = right_side.tail(m);
    // (eps + rho^2 S) lambda = rho^2 (B M^-1 c - d)   [Chiou1990, eq. 6.2.7]
    const Vector lambda = (eps * Eigen::MatrixXd::Identity(m, m) + rho * rho * S)
                              .ldlt()
                              .solve(rho * rho * (B * M.ldlt().solve(c) - d));
    // Where rows are redundant, eps alone tells their multipliers apart: ten times the round-off
    // times rho^2 S / eps.
    const double tolerance = 1e-10 + 2e-15 * rho * rho * S.norm() / eps;
    for (const Preconditioner preconditioner : all_preconditioners) {
      ConjugateGradients solver(with(preconditioner));
      SCOPED_TRACE(solver.name());
      solver.analyse(matrix.pattern);
      ASSERT_TRUE(solver.factor(matrix).ok);
      Vector solution;
      RefinedSolve refined;
      refined(solver, matrix, right_side, solution);
      EXPECT_LE((solution.tail(m) - lambda).norm(), tolerance * lambda.norm());
    }
  }
}

// Counts do not depend on the machine. Of a chain of N the condition grows with N^2, iterations
// with N, unless the joints that are iterated on are far apart.
TEST(ConjugateGradients, NeedTheIterationsOfTheirPreconditioner) {
  Random random(17);
  const auto system = model::compile(support::chain(100, model::Space::spatial));
  const KktMatrix matrix = tangent_of(*system, {.acceleration = 1.0}, random);
  const int diagonal = iterations(matrix, with(Preconditioner::diagonal));
  const int joints = iterations(matrix, with(Preconditioner::joints));
  const int scaled = iterations(matrix, with(Preconditioner::scaled));
  const int groups = iterations(matrix, with(Preconditioner::groups, 25));
  EXPECT_LT(scaled, diagonal);
  EXPECT_LE(joints, diagonal);
  EXPECT_LT(groups, 20);
  EXPECT_LT(groups, scaled);
}

TEST(ConjugateGradients, GatherTheInterfaceWhereTheyLosePatience) {
  Random random(19);
  const auto system = model::compile(support::chain(60, model::Space::spatial));
  const KktMatrix matrix = tangent_of(*system, {.acceleration = 1.0}, random);
  ConjugateGradientOptions options = with(Preconditioner::groups, 3);
  options.patience = 2;
  ConjugateGradients solver(options);
  solver.analyse(matrix.pattern);
  ASSERT_TRUE(solver.factor(matrix).ok);
  const Vector truth = random.values(matrix.pattern->size());
  Vector right_side;
  matrix.multiply(truth, right_side);
  Vector solution;
  solver.solve(right_side, solution);
  EXPECT_TRUE(solver.iterations().gathered);
  const long before = solver.iterations().iterations;
  ASSERT_TRUE(solver.factor(matrix).ok);
  RefinedSolve refined;
  EXPECT_LE(refined(solver, matrix, right_side, solution, 3), 1e-13);
  // Of four solutions: by exact factors each takes one iteration, or a few by round-off.
  EXPECT_LE(solver.iterations().iterations - before, 12);
}

TEST(ConjugateGradients, LeaveIndefiniteTangentsToDirectFactors) {
  Random random(23);
  support::KktProblem problem = support::random_graph(8, 6, 0, random);
  const KktPattern& pattern = *problem.matrix.pattern;
  for (int k = 0; k < pattern.velocities; ++k) {
    problem.matrix
        .values[static_cast<std::size_t>(pattern.diagonal[static_cast<std::size_t>(k)])] -= 100.0;
  }
  const Vector truth = random.values(pattern.size());
  Vector right_side;
  problem.matrix.multiply(truth, right_side);
  for (const Preconditioner preconditioner : all_preconditioners) {
    ConjugateGradients solver(with(preconditioner));
    SCOPED_TRACE(solver.name());
    solver.analyse(problem.matrix.pattern);
    const FactorReport report = solver.factor(problem.matrix);
    ASSERT_TRUE(report.ok);
    EXPECT_GT(report.wrong_signs, 0);
    Vector solution;
    RefinedSolve refined;
    EXPECT_LE(refined(solver, problem.matrix, right_side, solution), 1e-10);
    EXPECT_EQ(solver.iterations().direct, solver.iterations().solutions);
  }
}

TEST(ConjugateGradients, GiveTheSameBitsByAnyNumberOfThreads) {
  Random random(29);
  const auto system = model::compile(support::chain(700, model::Space::spatial));
  const KktMatrix matrix = tangent_of(*system, {1e-5, 1e-3, 1.0}, random);
  const Vector right_side = random.values(matrix.pattern->size());
  for (const Preconditioner preconditioner : {Preconditioner::groups, Preconditioner::scaled}) {
    Vector first;
    for (const int threads : {1, 2, 3, 7}) {
      ConjugateGradients solver(with(preconditioner, 50));
      model::WorkerTeam team(threads);
      solver.set_team([&](int pieces, const auto& work) { team.run(pieces, work); });
      solver.analyse(matrix.pattern);
      ASSERT_TRUE(solver.factor(matrix).ok);
      Vector solution;
      solver.solve(right_side, solution);
      if (threads == 1) first = solution;
      ASSERT_EQ(first.size(), solution.size());
      EXPECT_EQ(std::memcmp(first.data(), solution.data(),
                            static_cast<std::size_t>(first.size()) * sizeof(double)),
                0)
          << solver.name() << " by " << threads << " threads";
    }
  }
}

// Groups so large that their own factors are divided among threads, within a scope with a team.
TEST(ConjugateGradients, WorkOnGroupsThatWouldBeDivided) {
  constexpr int bodies = fewest_divided_blocks / 2 + 200;
  const auto system = model::compile(support::taut_chain(2 * bodies));
  system::Motion motion{.state = system->described_state()};
  motion.a.setZero(system->sizes().v);
  motion.lambda.setZero(system->sizes().multipliers());
  KktMatrix matrix(system->pattern());
  system->tangent(motion, {.acceleration = 1.0}, nullptr, matrix);
  const Vector right_side = Vector::Ones(matrix.pattern->size());
  Vector first;
  for (const int threads : {1, 2}) {
    model::WorkerTeam team(threads);
    const SolverScope scope([&](int pieces, const auto& work) { team.run(pieces, work); });
    ConjugateGradients solver(with(Preconditioner::groups, bodies));
    solver.analyse(matrix.pattern);
    ASSERT_TRUE(solver.factor(matrix).ok);
    Vector solution;
    solver.solve(right_side, solution);
    if (threads == 1) first = solution;
    EXPECT_EQ(std::memcmp(first.data(), solution.data(),
                          static_cast<std::size_t>(first.size()) * sizeof(double)),
              0);
  }
}

TEST(ConjugateGradients, AllocateNothingAfterTheFirstTime) {
  if (!support::AllocationCounter::available()) GTEST_SKIP() << "address sanitizer";
  Random random(31);
  const auto system = model::compile(support::chain(40, model::Space::spatial));
  const KktMatrix matrix = tangent_of(*system, {1e-5, 1e-3, 1.0}, random);
  for (const Preconditioner preconditioner : all_preconditioners) {
    ConjugateGradients solver(with(preconditioner));
    SCOPED_TRACE(solver.name());
    solver.analyse(matrix.pattern);
    const Vector right_side = random.values(matrix.pattern->size());
    Vector solution;
    solver.factor(matrix);
    solver.solve(right_side, solution);
    const support::AllocationCounter counter;
    solver.factor(matrix);
    solver.solve(right_side, solution);
    EXPECT_EQ(counter.count(), 0);
  }
}

TEST(SolverScope, CountsTheSolversThatAreMadeInIt) {
  EXPECT_EQ(SolverScope::current(), nullptr);
  Random random(37);
  const support::KktProblem problem = support::random_graph(9, 8, 0, random);
  const auto use = [&] {
    ConjugateGradients solver;
    solver.analyse(problem.matrix.pattern);
    solver.factor(problem.matrix);
    Vector solution;
    solver.solve(Vector::Ones(problem.matrix.pattern->size()), solution);
  };
  const SolverScope outer;
  use();
  {
    const SolverScope inner;
    use();
    use();
    EXPECT_EQ(inner.iterations().solutions, 2);
  }
  EXPECT_EQ(outer.iterations().solutions, 1);
  EXPECT_GT(outer.iterations().iterations, 0);
  EXPECT_GT(outer.iterations().groups, 1);
  EXPECT_EQ(SolverScope::current(), &outer);
}

}  // namespace
}  // namespace trammel::linear
