// The two faces of a joint agree: whatever the hinge allows, the constraint rows find nothing to
// forbid, for positions (g = 0), velocities (G S v = 0) and accelerations (gamma + G S' v = 0).
#include "support/random_models.h"
#include "support/system_view.h"
#include <gtest/gtest.h>

#include "trammel/formulation/coordinates.h"

namespace trammel::formulation::hinge_faces_test {
namespace {

using support::Random;
using support::Side;
using system::Vector;

// A joint between bodies or with the ground at either end; the last two are read in both
// directions.
const std::vector<std::pair<Side, Side>> ends{
    {Side::body, Side::body}, {Side::ground, Side::body}, {Side::body, Side::ground}};

system::Motion random_motion(RelativeModel& system, Random& random) {
  system::Motion motion;
  motion.state = system.described_state();
  const Vector x = random.values(system.sizes().v, 1.2);
  system.retract(motion.state.q, x, motion.state.q);
  motion.state.v = random.values(system.sizes().v, 2.0);
  motion.a = random.values(system.sizes().v, 2.0);
  motion.lambda.setZero(system.sizes().multipliers());
  return motion;
}

std::vector<model::JointKind> hinges() {
  std::vector<model::JointKind> kinds = model::joint_kinds();
  std::erase_if(kinds, [](const model::JointKind& kind) { return !kind.allows.is_chain(); });
  return kinds;
}

class HingeFaces : public testing::TestWithParam<model::JointKind> {};

TEST_P(HingeFaces, AllowWhatTheRowsDoNotForbid) {
  const model::JointKind& kind = GetParam();
  Random random(11);
  for (const auto& [a, b] : ends) {
    for (int round = 0; round < 5; ++round) {
      const auto system = compile_relative(support::random_joint(kind, a, b, random));
      const int free =
          a == Side::body && b == Side::body ? (kind.space == model::Space::planar ? 3 : 6) : 0;
      ASSERT_EQ(system->sizes().v, kind.freedoms + free);
      ASSERT_EQ(system->sizes().multipliers(), 0);
      const system::Motion motion = random_motion(*system, random);
      system::Motion absolute = system->to_absolute(motion);
      Vector rows;
      system->absolute().position_constraint(absolute.state, rows);
      // Positions and velocities are of size one: round-off.
      EXPECT_LE(rows.lpNorm<Eigen::Infinity>(), 2e-12) << kind.name << " g";
      system->absolute().velocity_constraint(absolute.state, rows);
      EXPECT_LE(rows.lpNorm<Eigen::Infinity>(), 1e-12) << kind.name << " G S v";
      system->absolute().acceleration_bias(absolute.state, rows);
      const Eigen::MatrixXd G = support::constraint_jacobian(system->absolute(), absolute.state);
      // Accelerations are of the size of velocities squared.
      EXPECT_LE((G * absolute.a + rows).lpNorm<Eigen::Infinity>(), 1e-11) << kind.name << " bias";
    }
  }
}

TEST_P(HingeFaces, CoordinatesAreFoundFromThePlacesOfTheBodies) {
  const model::JointKind& kind = GetParam();
  Random random(12);
  for (const auto& [a, b] : ends) {
    for (int round = 0; round < 5; ++round) {
      const auto system = compile_relative(support::random_joint(kind, a, b, random));
      const system::Motion motion = random_motion(*system, random);
      const system::State absolute = system->to_absolute(motion).state;
      const system::State found = system->from_absolute(absolute);
      system::Motion again = motion;
      again.state = found;
      const system::State back = system->to_absolute(again).state;
      EXPECT_LE((back.q - absolute.q).lpNorm<Eigen::Infinity>(), 2e-12) << kind.name;
      EXPECT_LE((back.v - absolute.v).lpNorm<Eigen::Infinity>(), 1e-12) << kind.name;
      // The coordinates themselves come back, but for whole turns.
      EXPECT_LE((found.v - motion.state.v).lpNorm<Eigen::Infinity>(), 1e-11) << kind.name;
    }
  }
}

// Coordinates are independent: S has full rank (3.3.36).
TEST_P(HingeFaces, CoordinatesAreIndependent) {
  const model::JointKind& kind = GetParam();
  Random random(13);
  const auto system =
      compile_relative(support::random_joint(kind, Side::ground, Side::body, random));
  system::Motion motion = random_motion(*system, random);
  const int n = system->sizes().v;
  Eigen::MatrixXd S(system->absolute().sizes().v, n);
  for (int i = 0; i < n; ++i) {
    motion.state.v = Vector::Unit(n, i);
    S.col(i) = system->to_absolute(motion).state.v;
  }
  if (n > 0) {
    EXPECT_EQ(support::rank_of(S), n) << kind.name;
  }
}

std::string test_name(const testing::TestParamInfo<model::JointKind>& info) {
  return std::string(info.param.space == model::Space::planar ? "planar_" : "spatial_") +
         info.param.name;
}

INSTANTIATE_TEST_SUITE_P(Hinges, HingeFaces, testing::ValuesIn(hinges()), test_name);

// A joint that is no chain of elementary joints keeps all its rows, and its body is tied by a free
// hinge.
TEST(HingeRegistry, EveryOtherJointIsACutJoint) {
  for (const model::JointKind& kind : model::joint_kinds()) {
    if (kind.allows.is_chain()) continue;
    Random random(14);
    const auto system =
        compile_relative(support::random_joint(kind, Side::ground, Side::body, random));
    // All rows are left, and the body is free.
    EXPECT_EQ(system->sizes().multipliers(), system->absolute().sizes().multipliers()) << kind.name;
    EXPECT_EQ(system->sizes().v, system->absolute().sizes().v) << kind.name;
  }
}

}  // namespace
}  // namespace trammel::formulation::hinge_faces_test
