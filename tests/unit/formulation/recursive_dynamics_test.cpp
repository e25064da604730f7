// The recursions against the matrix form of the source [Sol1983, chapters 5 and 6].
#include "trammel/formulation/recursive_dynamics.h"

#include "random_tree.h"
#include "support/allocation_counter.h"
#include "support/finite_differences.h"
#include "support/mechanisms.h"
#include "support/random_models.h"
#include "support/system_view.h"
#include <gtest/gtest.h>

#include "trammel/formulation/coordinates.h"
#include "trammel/formulation/tree_motion.h"

namespace trammel::formulation {
namespace {

using Eigen::MatrixXd;
using model::Space;
using support::Random;
using system::Vector;

struct Sample {
  std::unique_ptr<RelativeModel> system;
  system::State state;
};

Sample random_sample(const model::Description& description, Random& random) {
  Sample sample{compile_relative(description), {}};
  sample.state = sample.system->described_state();
  const Vector x = random.values(sample.system->sizes().v, 0.8);
  sample.system->retract(sample.state.q, x, sample.state.q);
  sample.state.v = random.values(sample.system->sizes().v, 1.5);
  return sample;
}

// Z of the source: absolute velocities per unit of each Lagrange velocity.
MatrixXd velocity_matrix(Sample& sample) {
  system::Motion motion = support::at_rest(*sample.system, sample.state);
  const Eigen::Index n = motion.a.size();
  MatrixXd Z(sample.system->absolute().sizes().v, n);
  for (Eigen::Index i = 0; i < n; ++i) {
    motion.state.v = Vector::Unit(n, i);
    Z.col(i) = sample.system->to_absolute(motion).state.v;
  }
  return Z;
}

// A = Z^T M Z and Q = Z^T (f - M z00): equation (6.2.11) with the mass matrix of the bodies.
struct MatrixForm {
  MatrixXd A;
  Vector Q;
  MatrixXd P;
  Vector P_00;

  explicit MatrixForm(Sample& sample) {
    const MatrixXd Z = velocity_matrix(sample);
    const system::Motion absolute =
        sample.system->to_absolute(support::at_rest(*sample.system, sample.state));
    model::ModelSystem& bodies = sample.system->absolute();
    const Eigen::Index n = absolute.a.size();
    const MatrixXd M =
        support::tangent_matrix(bodies, absolute, {.acceleration = 1.0}).topLeftCorner(n, n);
    Vector f;
    bodies.forces(absolute.state, f);
    A = Z.transpose() * M * Z;
    Q = Z.transpose() * (f - M * absolute.a);
    const MatrixXd G = support::constraint_jacobian(bodies, absolute.state);
    Vector gamma;
    bodies.acceleration_bias(absolute.state, gamma);
    // Rows of tree joints vanish on Z; the others are found by their names.
    const std::vector<model::RowName> all = bodies.row_names();
    const std::vector<model::RowName> cut_joints = sample.system->row_names();
    P.resize(static_cast<Eigen::Index>(cut_joints.size()), Z.cols());
    P_00.resize(P.rows());
    for (std::size_t i = 0, row = 0; i < cut_joints.size(); ++i, ++row) {
      while (all[row].joint != cut_joints[i].joint || all[row].label != cut_joints[i].label) ++row;
      const auto target = static_cast<Eigen::Index>(i);
      const auto source = static_cast<Eigen::Index>(row);
      P.row(target) = G.row(source) * Z;
      P_00[target] = gamma[source] + G.row(source).dot(absolute.a);
    }
  }
};

double relative_error(const MatrixXd& actual, const MatrixXd& expected) {
  return (actual - expected).lpNorm<Eigen::Infinity>() /
         std::max(1.0, expected.lpNorm<Eigen::Infinity>());
}

class Recursions : public testing::TestWithParam<Space> {};

TEST_P(Recursions, OfTreesGiveTheMatrixForm) {
  Random random(21);
  for (int round = 0; round < 3; ++round) {
    Sample sample = random_sample(random_tree(GetParam(), false, random), random);
    ASSERT_EQ(sample.system->sizes().multipliers(), 0);
    const MatrixForm matrix(sample);
    // Composite bodies: the mass matrix.
    const MatrixXd M = support::tangent_matrix(
        *sample.system, support::at_rest(*sample.system, sample.state), {.acceleration = 1.0});
    EXPECT_LE(relative_error(M, matrix.A), 1e-12);
    Vector f;
    sample.system->forces(sample.state, f);
    EXPECT_LE(relative_error(f, matrix.Q), 1e-12);
    // Articulated bodies: the accelerations. Masses of one and random trees: condition below 1e5.
    Vector a;
    Vector lambda;
    ASSERT_TRUE(sample.system->accelerations(sample.state, a, lambda));
    EXPECT_LE(relative_error(a, matrix.A.ldlt().solve(matrix.Q)), 1e-10);
  }
}

TEST_P(Recursions, OfLoopsGiveTheMatrixForm) {
  Random random(22);
  for (int round = 0; round < 3; ++round) {
    Sample sample = random_sample(random_tree(GetParam(), true, random), random);
    const Eigen::Index rows = sample.system->sizes().multipliers();
    ASSERT_GT(rows, 0);
    const MatrixForm matrix(sample);
    const Eigen::Index n = matrix.Q.size();
    MatrixXd K = MatrixXd::Zero(n + rows, n + rows);
    K << matrix.A, matrix.P.transpose(), matrix.P, MatrixXd::Zero(rows, rows);
    Vector right(n + rows);
    right << matrix.Q, -matrix.P_00;
    const Vector expected = K.fullPivLu().solve(right);
    Vector a;
    Vector lambda;
    ASSERT_TRUE(sample.system->accelerations(sample.state, a, lambda));
    EXPECT_LE(relative_error(a, expected.head(n)), 1e-10);
    // Rods may be redundant, which leaves multipliers open but not the loads they stand for.
    EXPECT_LE(
        relative_error(matrix.P.transpose() * lambda, matrix.P.transpose() * expected.tail(rows)),
        1e-10);
  }
}

// The least change that closes the rows: P x = -residual, and no mass moved along what they allow.
TEST_P(Recursions, ChangeVelocitiesByWhatRowsAskFor) {
  Random random(24);
  Sample sample = random_sample(random_tree(GetParam(), true, random), random);
  const MatrixForm matrix(sample);
  Vector a;
  Vector lambda;
  ASSERT_TRUE(sample.system->accelerations(sample.state, a, lambda));
  Vector rows;
  Vector x;
  system::State state = sample.state;
  sample.system->velocity_constraint(state, rows);
  ASSERT_GT(rows.norm(), 1e-3);
  sample.system->constrain(rows, x);
  state.v += x;
  sample.system->velocity_constraint(state, rows);
  EXPECT_LT(rows.norm(), 1e-9);
  const MatrixXd allowed = matrix.P.fullPivLu().kernel();
  EXPECT_LT((allowed.transpose() * matrix.A * x).norm(), 1e-9 * (matrix.A * x).norm());
}

// Absolute accelerations of the recursion are the derivatives of its velocities in time.
TEST_P(Recursions, AccelerationsAreDerivativesOfVelocities) {
  Random random(23);
  Sample sample = random_sample(random_tree(GetParam(), false, random), random);
  system::Motion motion = support::at_rest(*sample.system, sample.state);
  motion.a = random.values(motion.a.size(), 2.0);
  const Vector expected = sample.system->to_absolute(motion).a;
  const Vector rate = support::first_derivative([&](double s) {
    system::Motion later = motion;
    sample.system->retract(motion.state.q, s * motion.state.v, later.state.q);
    later.state.v += s * motion.a;
    return Vector(sample.system->to_absolute(later).state.v);
  });
  EXPECT_LE(relative_error(rate, expected), 1e-8);
}

// Hinge loads do no work along free directions: each body's Newton-Euler balance holds with the
// recovered multipliers (acceptance test 3 of the source).
TEST_P(Recursions, ReactionsOfTreeJointsBalanceEveryBody) {
  Random random(24);
  Sample sample = random_sample(random_tree(GetParam(), true, random), random);
  system::Motion motion{sample.state, {}, {}};
  ASSERT_TRUE(sample.system->accelerations(sample.state, motion.a, motion.lambda));
  const system::Motion absolute = sample.system->to_absolute(motion);
  Vector r;
  Vector g;
  sample.system->absolute().residual(absolute, r, g);
  EXPECT_LE(r.lpNorm<Eigen::Infinity>(),
            1e-10 * std::max(1.0, absolute.lambda.lpNorm<Eigen::Infinity>()));
}

TEST_P(Recursions, AllocateNothing) {
  if (!support::AllocationCounter::available()) GTEST_SKIP() << "address sanitizer";
  Random random(25);
  Sample sample = random_sample(random_tree(GetParam(), false, random), random);
  Vector a;
  Vector lambda;
  sample.system->accelerations(sample.state, a, lambda);
  const support::AllocationCounter counter;
  sample.system->accelerations(sample.state, a, lambda);
  EXPECT_EQ(counter.count(), 0);
}

INSTANTIATE_TEST_SUITE_P(Spaces,
                         Recursions,
                         testing::Values(Space::planar, Space::spatial),
                         [](const auto& info) { return to_string(info.param); });

// A chain far too deep for a matrix: the first link of a released chain starts with the
// acceleration of the falling chain; action of neighbours decays within a few links.
TEST(RecursiveDynamics, LongChains) {
  const int n = 5000;
  model::Description d = support::chain(n, Space::planar);
  core::Diagnostics diagnostics;
  model::check(d, diagnostics);
  const auto mechanism = model::build_mechanism<Planar>(d);
  const auto tree = std::make_shared<const HingeTree<Planar>>(
      build_hinge_tree(d, *mechanism, topology::spanning_tree(graph_of(d))));
  RecursiveDynamics<Planar> recursion(tree, mechanism);
  Vector q;
  tree->coordinates_of(*mechanism, mechanism->described.q, q);
  Vector a;
  recursion.accelerations(q, Vector::Zero(n), a);
  ASSERT_TRUE(a.allFinite());
  // M a = f by the other recursion: residual of the absolute motion, pulled back.
  TreeMotion<Planar> motion(tree, mechanism);
  motion.set_positions(q);
  motion.set_velocities(Vector::Zero(n));
  motion.set_accelerations(Vector::Zero(n), a);
  Vector absolute = Vector::Zero(mechanism->sizes.v);
  motion.write_accelerations(absolute);
  Vector r(mechanism->sizes.v);
  for (const auto& node : mechanism->nodes) {
    if (node.freedoms == 0) continue;
    r.segment<2>(node.v) = node.mass * (absolute.segment<2>(node.v) - mechanism->gravity);
    r[node.v + 2] = node.inertia * absolute[node.v + 2];
  }
  Vector pulled;
  motion.pull_back(r, pulled);
  // Weight times length is 5 N m at the first hinge.
  EXPECT_LE(pulled.lpNorm<Eigen::Infinity>(), 1e-10);
}

}  // namespace
}  // namespace trammel::formulation
