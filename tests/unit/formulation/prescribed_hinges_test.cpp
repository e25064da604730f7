// Coordinates of the tree that drives prescribe: the laws of the contract for the partitioned
// system, and its equality with the system that has the drives as rows.
#include "trammel/formulation/prescribed_hinges.h"

#include <algorithm>

#include "random_tree.h"
#include "support/finite_differences.h"
#include "support/system_laws.h"
#include "support/system_view.h"
#include <gtest/gtest.h>

#include "trammel/formulation/coordinates.h"
#include "trammel/linear/block_ldlt.h"

namespace trammel::formulation::prescribed_hinges_test {
namespace {

using model::Space;
using support::Random;
using system::Vector;

void drive(model::Description& d,
           const std::string& coordinate,
           const std::string& type = "position",
           const std::string& motion = "0.2 + 0.4 * sin(3 * time + 1)") {
  d.add_drive(type, coordinate + ".drive", {{"coordinate", coordinate}, {"motion", motion}});
}

template <class S>
void drive_joints(model::Description& d) {
  core::Diagnostics diagnostics;
  model::check(d, diagnostics);
  const auto mechanism = model::build_mechanism<S>(d);
  for (std::size_t i = 0; i < mechanism->joints.size(); i += 2) {
    const model::MechanismJoint<S>& joint = mechanism->joints[i];
    if (!model::find_joint_kind(S::space, joint.type)->allows.is_chain()) continue;
    for (const auto& named : joint.coordinates) drive(d, joint.name + "." + named.name);
  }
}

// Every second joint has all its coordinates driven. Those that are no coordinates of a hinge
// (angles of a ball, lengths of rods) are taken away again.
model::Description driven_tree(Space space, bool loops, Random& random) {
  model::Description d = random_tree(space, loops, random);
  if (space == Space::planar) {
    drive_joints<Planar>(d);
  } else {
    drive_joints<Spatial>(d);
  }
  const std::vector<std::string> prescribed = compile_relative(d)->prescribed_by();
  const auto other = [&](const model::Item& item) {
    return std::find(prescribed.begin(), prescribed.end(), item.name) == prescribed.end();
  };
  d.drives.erase(std::remove_if(d.drives.begin(), d.drives.end(), other), d.drives.end());
  return d;
}

system::Motion random_motion(RelativeModel& system, Random& random) {
  system::Motion motion;
  motion.state = system.described_state();
  motion.state.t = 0.3;
  const Vector x = random.values(system.sizes().v, 0.5);
  system.retract(motion.state.q, x, motion.state.q);
  motion.state.v = random.values(system.sizes().v);
  motion.a = random.values(system.sizes().v);
  motion.lambda = random.values(system.sizes().multipliers());
  return motion;
}

// Accelerations and multipliers by a sparse solution of the whole system. Its rows are independent,
// and the solver must not think otherwise.
void solve(system::MechanicalSystem& system, system::Motion& motion) {
  system::KktMatrix matrix(system.pattern());
  system.tangent(support::at_rest(system, motion.state), {.acceleration = 1.0}, nullptr, matrix);
  Vector f;
  Vector gamma;
  system.forces(motion.state, f);
  system.acceleration_bias(motion.state, gamma);
  Vector right(f.size() + gamma.size());
  right << f, -gamma;
  linear::BlockLdlt solver;
  solver.analyse(system.pattern());
  const linear::FactorReport report = solver.factor(matrix);
  EXPECT_TRUE(report.ok);
  EXPECT_EQ(report.wrong_signs, 0);
  EXPECT_EQ(report.dependent_rows, 0);
  Vector solution;
  linear::RefinedSolve refined;
  EXPECT_LE(refined(solver, matrix, right, solution), 1e-14);  // round-off of the products
  motion.a = solution.head(f.size());
  motion.lambda = solution.tail(gamma.size());
}

class PrescribedTrees : public testing::TestWithParam<Space> {};

TEST_P(PrescribedTrees, SatisfyTheContract) {
  Random random(31);
  const auto system = compile_relative(driven_tree(GetParam(), true, random));
  ASSERT_GE(system->prescribed_by().size(), 2U);
  const system::Motion motion = random_motion(*system, random);
  for (const system::Weights& weights :
       {system::Weights{1.0, 0.0, 0.0}, system::Weights{0.0, 1.0, 0.0},
        system::Weights{0.0, 0.0, 1.0}, system::Weights{0.4, 0.3, 2.0}}) {
    support::expect_tangent_is_derivative(*system, motion, weights, nullptr);
  }
  const Vector step = random.values(system->sizes().v, 0.7);
  support::expect_tangent_is_derivative(*system, motion, {0.5, 0.7, 1.3}, &step);
  support::expect_move_and_displacement_agree(*system, motion.state.q, random);
  support::expect_inverse_tangent_is_derivative(*system, motion.state.q, random);
  support::expect_residual_is_sum_of_parts(*system, motion.state, random);
  support::expect_clone_is_independent(*system, motion.state, random);
}

// Rates of the cut joints have the bias as their derivative in time, with the motion of the drives.
TEST_P(PrescribedTrees, ConstraintRatesAreDerivatives) {
  Random random(32);
  const auto system = compile_relative(driven_tree(GetParam(), true, random));
  const system::State state = random_motion(*system, random).state;
  const auto later = [&](double s) {
    system::State moved = state;
    moved.t += s;
    system->retract(state.q, s * state.v, moved.q);
    return moved;
  };
  Vector rate;
  system->velocity_constraint(state, rate);
  const Vector slope = support::first_derivative([&](double s) {
    Vector g;
    system->position_constraint(later(s), g);
    return g;
  });
  Vector gamma;
  system->acceleration_bias(state, gamma);
  const Vector curvature = support::first_derivative([&](double s) {
    Vector g_dot;
    system->velocity_constraint(later(s), g_dot);
    return g_dot;
  });
  ASSERT_GT(gamma.size(), 0);
  // Round-off of the differences, 1e-12 times the size of the rows' derivatives.
  EXPECT_LE((slope - rate).lpNorm<Eigen::Infinity>(),
            1e-9 * std::max(1.0, rate.lpNorm<Eigen::Infinity>()));
  EXPECT_LE((curvature - gamma).lpNorm<Eigen::Infinity>(),
            1e-9 * std::max(1.0, gamma.lpNorm<Eigen::Infinity>()));
}

// The power of the drives makes up the balance of energy.
TEST_P(PrescribedTrees, DrivesBringInTheirPower) {
  Random random(33);
  const auto system = compile_relative(driven_tree(GetParam(), false, random));
  ASSERT_EQ(system->sizes().multipliers(), 0);
  support::expect_energy_balance(*system, random_motion(*system, random).state);
}

// Partition (6.3.8) against constraint rows: accelerations of all bodies, and all multipliers,
// those of the drives (the loads Q_s) and of the joints among them. Recursion and matrices.
TEST_P(PrescribedTrees, GiveTheAccelerationsAndLoadsOfRows) {
  int compared = 0;
  for (unsigned seed = 34; seed < 42; ++seed) {
    Random random(seed);
    model::Description d;
    std::unique_ptr<RelativeModel> partitioned;
    try {
      d = driven_tree(GetParam(), seed % 2 == 0, random);
      partitioned = compile_relative(d);
    } catch (const core::InputError& refused) {  // angles driven through their singular position
      EXPECT_NE(std::string(refused.what()).find("they are singular at"), std::string::npos);
      continue;
    }
    const auto rows = compile_relative(d, HingeDrives::rows);
    system::Motion motion = random_motion(*partitioned, random);
    // Rods whose whole path is driven contradict the drives.
    const Eigen::MatrixXd G = support::constraint_jacobian(*partitioned, motion.state);
    if (support::rank_of(G) < G.rows()) continue;
    solve(*partitioned, motion);
    Vector a;
    Vector lambda;
    ASSERT_TRUE(partitioned->accelerations(motion.state, a, lambda));
    const double size = std::max(1.0, a.lpNorm<Eigen::Infinity>());
    EXPECT_LE((a - motion.a).lpNorm<Eigen::Infinity>(), 1e-9 * size);
    const system::Motion here = partitioned->to_absolute(motion);

    system::Motion other{rows->from_absolute(here.state), {}, {}};
    solve(*rows, other);
    const system::Motion there = rows->to_absolute(other);
    EXPECT_LE((here.a - there.a).lpNorm<Eigen::Infinity>(),
              1e-9 * std::max(1.0, there.a.lpNorm<Eigen::Infinity>()));
    EXPECT_LE((here.lambda - there.lambda).lpNorm<Eigen::Infinity>(),
              1e-9 * std::max(1.0, there.lambda.lpNorm<Eigen::Infinity>()));
    ++compared;
  }
  EXPECT_GE(compared, 4) << "of eight, four of them without rods";
}

INSTANTIATE_TEST_SUITE_P(Spaces,
                         PrescribedTrees,
                         testing::Values(Space::planar, Space::spatial),
                         [](const auto& info) { return to_string(info.param); });

// What becomes a rheonomic hinge, and what stays a row.
class ChosenDrives : public testing::Test {
 protected:
  ChosenDrives() {
    d_.space = Space::planar;
    Random random(35);
    d_.add_body(support::random_body("arm", Space::planar, random));
    d_.add_body(support::random_body("block", Space::planar, random));
    d_.add_joint("revolute", "pin", "ground", "arm");
    d_.add_joint("pin_in_slot", "slot", "arm", "block");
  }
  std::vector<std::string> prescribed() const { return compile_relative(d_)->prescribed_by(); }

  model::Description d_;
};

TEST_F(ChosenDrives, AreThoseOfTreeHinges) {
  drive(d_, "pin.angle");
  drive(d_, "slot.displacement");
  EXPECT_EQ(prescribed().size(), 2U);
  EXPECT_EQ(compile_relative(d_)->sizes().v, 1);
}

// The angle of a body that hangs on the ground is its hinge's angle; a position of it is not.
TEST_F(ChosenDrives, MayNameTheBody) {
  drive(d_, "arm.angle");
  EXPECT_EQ(prescribed().size(), 1U);
  d_.drives.clear();
  drive(d_, "arm.position.x");
  EXPECT_TRUE(prescribed().empty());
}

TEST_F(ChosenDrives, StayRowsOnRequest) {
  drive(d_, "pin.angle");
  d_.drives.back().values["eliminate"] = false;
  EXPECT_TRUE(prescribed().empty());
  EXPECT_EQ(compile_relative(d_)->sizes().multipliers(), 1);
}

TEST_F(ChosenDrives, OfVelocitiesStayRows) {
  drive(d_, "pin.angle", "velocity", "1 * sin(2 * time)");
  EXPECT_TRUE(prescribed().empty());
}

// Two drives of one coordinate contradict or repeat each other; the rank of rows tells.
TEST_F(ChosenDrives, OfOneCoordinateStayRows) {
  drive(d_, "pin.angle");
  drive(d_, "arm.angle");
  drive(d_, "slot.displacement");
  EXPECT_EQ(prescribed(), std::vector<std::string>{"slot.displacement.drive"});
}

}  // namespace
}  // namespace trammel::formulation::prescribed_hinges_test
