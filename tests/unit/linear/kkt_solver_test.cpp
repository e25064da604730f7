// registry: solvers
// Every registered solver gives the same answer on the same KKT system.
#include "trammel/linear/kkt_solver.h"

#include <limits>

#include "support/kkt_systems.h"
#include "support/mechanisms.h"
#include "support/system_view.h"
#include <gtest/gtest.h>

namespace trammel::linear {
namespace {

using support::KktProblem;
using support::Random;

class KktSolvers : public testing::TestWithParam<std::size_t> {
 protected:
  const SolverKind& kind() const { return solver_kinds()[GetParam()]; }

  /// Solves A x = A x_true and compares x in the velocities; multipliers of redundant rows are
  /// free.
  void expect_solves(const KktProblem& problem, Random& random) const {
    SCOPED_TRACE(problem.name);
    const KktPattern& pattern = *problem.matrix.pattern;
    const Vector truth = random.values(pattern.size());
    Vector right_side;
    problem.matrix.multiply(truth, right_side);
    const auto solver = kind().make();
    solver->analyse(problem.matrix.pattern);
    const FactorReport report = solver->factor(problem.matrix);
    ASSERT_TRUE(report.ok);
    EXPECT_EQ(report.wrong_signs, 0);
    Vector solution;
    RefinedSolve refined;
    const double residual = refined(*solver, problem.matrix, right_side, solution);
    EXPECT_LE(residual, 1e-13);
    // The residual's round-off times the condition of the constrained mass matrix: light long
    // chains reach 1e4.
    EXPECT_LE((solution - truth).head(pattern.velocities).lpNorm<Eigen::Infinity>(), 1e-10);
    // The force of the constraints, G^T y, is unique too.
    Vector force;
    Vector difference = solution - truth;
    difference.head(pattern.velocities).setZero();
    problem.matrix.multiply(difference, force);
    EXPECT_LE(force.lpNorm<Eigen::Infinity>(), 1e-10);
  }
};

TEST_P(KktSolvers, SolveMechanisms) {
  Random random(41);
  for (const KktProblem& problem : support::mechanism_problems()) expect_solves(problem, random);
}

TEST_P(KktSolvers, SolveRandomGraphs) {
  Random random(43);
  for (const int bodies : {2, 5, 20}) {
    expect_solves(support::random_graph(bodies, bodies - 1, 0, random), random);
    expect_solves(support::random_graph(bodies, 2 * bodies, 0, random), random);
  }
}

// A body with next to no moment of inertia is a well-posed part of a loop: its mass holds what its
// turning does not. With 1e-9 m l^2 the size of its rows is 1e9 times what they need.
TEST_P(KktSolvers, SmallInertiasInLoopsAreWellPosed) {
  Random random(59);
  for (const double share : {1e-4, 1e-8, 1e-10}) {
    model::Description d = support::four_bars(2);
    for (model::Body& body : d.bodies) body.mass.inertia *= share;
    const KktProblem problem = support::mass_and_jacobian(d, random);
    SCOPED_TRACE(testing::Message() << "share " << share);
    // Accelerations of given loads: G x = 0.
    const KktPattern& pattern = *problem.matrix.pattern;
    Vector right_side = Vector::Zero(pattern.size());
    right_side.head(pattern.velocities) = random.values(pattern.velocities);
    const auto solver = kind().make();
    solver->analyse(problem.matrix.pattern);
    ASSERT_TRUE(solver->factor(problem.matrix).ok);
    Vector solution;
    RefinedSolve refined;
    EXPECT_LE(refined(*solver, problem.matrix, right_side, solution), 1e-9);
  }
}

// Along a chain nothing fills: twice the links, twice the memory.
TEST_P(KktSolvers, FactorsOfLongChainsStaySparse) {
  if (kind().name == "dense") return;
  const auto bytes = [&](int links) {
    model::Description d = support::chain(links, model::Space::spatial);
    for (model::Body& body : d.bodies) body.mass.inertia = 1e-6 * Eigen::Matrix3d::Identity();
    const auto system = model::compile(d);
    system::Motion motion;
    motion.state = system->described_state();
    motion.a.setZero(system->sizes().v);
    motion.lambda.setZero(system->sizes().multipliers());
    KktMatrix matrix(system->pattern());
    system->tangent(motion, {.acceleration = 1.0}, nullptr, matrix);
    const auto solver = kind().make();
    solver->analyse(matrix.pattern);
    EXPECT_TRUE(solver->factor(matrix).ok);
    return static_cast<double>(solver->memory_bytes());
  };
  EXPECT_LT(bytes(800), 2.5 * bytes(400));
}

TEST_P(KktSolvers, ExactlyRepeatedRowsAreHarmless) {
  Random random(47);
  for (const int bodies : {4, 15}) {
    expect_solves(support::random_graph(bodies, bodies - 1, 2, random), random);
    expect_solves(support::random_graph(bodies, bodies - 1, bodies / 2, random), random);
  }
}

TEST_P(KktSolvers, SolveInPlaceAndAgainWithNewNumbers) {
  Random random(53);
  KktProblem problem = support::random_graph(6, 6, 0, random);
  const auto solver = kind().make();
  solver->analyse(problem.matrix.pattern);
  EXPECT_GT(solver->memory_bytes(), 0U);  // before there are factors, too
  for (int time = 0; time < 3; ++time) {
    for (double& value : problem.matrix.values) value *= 1.5;
    ASSERT_TRUE(solver->factor(problem.matrix).ok);
    const Vector right_side = random.values(problem.matrix.pattern->size());
    Vector apart;
    Vector in_place = right_side;
    solver->solve(right_side, apart);
    solver->solve(in_place, in_place);
    EXPECT_LE((apart - in_place).lpNorm<Eigen::Infinity>(), 1e-12);
    Vector product;
    problem.matrix.multiply(apart, product);
    // Without refinement the regularisation of 1e-8 shows, amplified by the condition.
    EXPECT_LE((product - right_side).lpNorm<Eigen::Infinity>(), 1e-5);
  }
  EXPECT_GT(solver->memory_bytes(), 0U);
}

// The full tangent of a model with damping, spin and follower forces is not symmetric.
TEST_P(KktSolvers, UnsymmetricSolversTakeTheFullTangent) {
  if (kind().make()->symmetric()) return;
  Random random(59);
  const auto system = model::compile(support::random_mechanism(model::Space::spatial, random));
  system::Motion motion = support::at_rest(*system, system->described_state());
  motion.lambda = random.values(motion.lambda.size());
  KktProblem problem{"full tangent", KktMatrix(system->pattern())};
  system->tangent(motion, {1e-2, 5e-2, 1.0}, nullptr, problem.matrix);
  EXPECT_GT(problem.matrix.asymmetry(), 1e-4);
  expect_solves(problem, random);
}

// Numbers that are not finite are refused, or show in the solution; they never give a good answer.
TEST_P(KktSolvers, NanDoesNotPassSilently) {
  Random random(61);
  KktProblem problem = support::random_graph(5, 3, 0, random);
  problem.matrix.values[static_cast<std::size_t>(problem.matrix.pattern->diagonal[1])] =
      std::numeric_limits<double>::quiet_NaN();
  const auto solver = kind().make();
  solver->analyse(problem.matrix.pattern);
  if (!solver->factor(problem.matrix).ok) return;
  Vector solution;
  solver->solve(Vector::Ones(problem.matrix.pattern->size()), solution);
  EXPECT_FALSE(solution.allFinite());
}

INSTANTIATE_TEST_SUITE_P(Kinds,
                         KktSolvers,
                         testing::Range<std::size_t>(0, solver_kinds().size()),
                         [](const testing::TestParamInfo<std::size_t>& info) {
                           std::string name = solver_kinds()[info.param].name;
                           for (char& c : name) c = c == '-' ? '_' : c;
                           return name;
                         });

TEST(KktSolver, IsFoundByName) {
  for (const SolverKind& kind : solver_kinds()) {
    const auto solver = make_solver(kind.name);
    ASSERT_NE(solver, nullptr) << kind.name;
    EXPECT_EQ(solver->name(), kind.name);
  }
  EXPECT_EQ(make_solver("gauss"), nullptr);
}

TEST(Regularisation, IsTheSizeOfTheRowsOwnSchurComplement) {
  // K = diag(2, 4), G = [3 0.5], a row that touches nothing, and one of round-off.
  system::KktPatternBuilder builder(2, 3);
  builder.add(2, 0);
  builder.add(2, 1);
  builder.add(4, 0);
  KktMatrix matrix(std::make_shared<const KktPattern>(builder.build()));
  const auto set = [&](int row, int column, double value) {
    matrix.values[static_cast<std::size_t>(matrix.pattern->find(row, column))] = value;
  };
  set(0, 0, 2.0);
  set(1, 1, 4.0);
  set(0, 2, 3.0);
  set(1, 2, 0.5);
  set(0, 4, 1e-16);
  Vector result;
  regularisation(matrix, 1e-3, result);
  EXPECT_NEAR(result[0], 1e-3 * (9.0 / 2.0 + 0.25 / 4.0), 1e-18);
  EXPECT_EQ(result[1], result[0]);
  EXPECT_EQ(result[2], result[0]);
}

}  // namespace
}  // namespace trammel::linear
