// The laws of the contract, for systems in relative coordinates.
#include "trammel/formulation/relative_system.h"

#include <numbers>

#include "support/allocation_counter.h"
#include "support/mechanisms.h"
#include "support/system_laws.h"
#include "support/system_view.h"
#include <gtest/gtest.h>

#include "trammel/formulation/coordinates.h"

namespace trammel::formulation {
namespace {

using model::Space;
using support::Random;
using system::Vector;

class RelativeSystems : public testing::TestWithParam<Space> {
 protected:
  RelativeSystems() : random_(3) {
    system_ = compile_relative(support::random_mechanism(GetParam(), random_));
    motion_.state = system_->described_state();
    const Vector x = random_.values(system_->sizes().v, 0.2);
    system_->retract(motion_.state.q, x, motion_.state.q);
    motion_.state.v = random_.values(system_->sizes().v);
    motion_.a = random_.values(system_->sizes().v);
    motion_.lambda = random_.values(system_->sizes().multipliers());
  }

  Random random_;
  std::unique_ptr<RelativeModel> system_;
  system::Motion motion_;
};

TEST_P(RelativeSystems, TangentIsTheDerivativeOfTheResidual) {
  for (const system::Weights& weights :
       {system::Weights{1.0, 0.0, 0.0}, system::Weights{0.0, 1.0, 0.0},
        system::Weights{0.0, 0.0, 1.0}, system::Weights{0.4, 0.3, 2.0}}) {
    support::expect_tangent_is_derivative(*system_, motion_, weights, nullptr);
  }
}

TEST_P(RelativeSystems, TangentWithAStepIsTheDerivativeAlongTheStep) {
  const Vector step = random_.values(system_->sizes().v, 0.7);
  for (const system::Weights& weights :
       {system::Weights{0.0, 1.0, 0.0}, system::Weights{0.0, 0.0, 1.0},
        system::Weights{0.5, 0.7, 1.3}}) {
    support::expect_tangent_is_derivative(*system_, motion_, weights, &step);
  }
}

TEST_P(RelativeSystems, ManifoldAndParts) {
  support::expect_move_and_displacement_agree(*system_, motion_.state.q, random_);
  support::expect_inverse_tangent_is_derivative(*system_, motion_.state.q, random_);
  support::expect_residual_is_sum_of_parts(*system_, motion_.state, random_);
  support::expect_clone_is_independent(*system_, motion_.state, random_);
}

TEST_P(RelativeSystems, ConstraintRatesAreDerivatives) {
  // d/dt(G v) along q' = v: the velocity rows have the bias as their derivative when v' = 0.
  system::State state = motion_.state;
  Vector gamma;
  system_->acceleration_bias(state, gamma);
  const double h = 1e-4;
  const auto rate_at = [&](double s) {
    system::State moved = state;
    system_->retract(state.q, s * state.v, moved.q);
    Vector rate;
    system_->velocity_constraint(moved, rate);
    return rate;
  };
  const Vector difference =
      (8.0 * (rate_at(h) - rate_at(-h)) - (rate_at(2 * h) - rate_at(-2 * h))) / (12.0 * h);
  ASSERT_GT(gamma.size(), 0);
  // Fourth-order differences with steps of 1e-4: round-off 1e-16/1e-4 times the size of the rows.
  // Rheonomic rows would add their own time derivative; the mechanism has none.
  EXPECT_LE((difference - gamma).lpNorm<Eigen::Infinity>(),
            1e-9 * std::max(1.0, gamma.lpNorm<Eigen::Infinity>()));
}

TEST_P(RelativeSystems, AllocateNothingAfterTheFirstCall) {
  if (!support::AllocationCounter::available()) GTEST_SKIP() << "address sanitizer";
  Vector r;
  Vector g;
  Vector f;
  const Vector step = Vector::Constant(system_->sizes().v, 0.1);
  system::KktMatrix matrix(system_->pattern());
  const auto everything = [&] {
    system_->residual(motion_, r, g);
    system_->tangent(motion_, {1.0, 1.0, 1.0}, &step, matrix);
    system_->forces(motion_.state, f);
    system_->position_constraint(motion_.state, g);
    system_->velocity_constraint(motion_.state, g);
    system_->acceleration_bias(motion_.state, g);
    system_->energy(motion_.state);
    system_->power(motion_);
    system_->accept(motion_.state);
  };
  everything();
  const support::AllocationCounter counter;
  everything();
  EXPECT_EQ(counter.count(), 0);
}

INSTANTIATE_TEST_SUITE_P(Spaces,
                         RelativeSystems,
                         testing::Values(Space::planar, Space::spatial),
                         [](const auto& info) { return to_string(info.param); });

TEST(RelativeSystem, APendulumHasOneCoordinateAndNoRows) {
  const auto system = compile_relative(support::chain(1, Space::spatial));
  EXPECT_EQ(system->sizes().v, 1);
  EXPECT_EQ(system->sizes().multipliers(), 0);
}

TEST(RelativeSystem, AFourBarHasThreeCoordinatesAndTwoRows) {
  const auto system = compile_relative(support::four_bars(1));
  EXPECT_EQ(system->sizes().v, 3);
  EXPECT_EQ(system->sizes().multipliers(), 2);
  EXPECT_EQ(system->row_names().size(), 2U);
  EXPECT_EQ(system->joints().size(), 4U);
}

// The recursion takes them; their matrix would have 4e8 entries.
TEST(RelativeSystem, MatricesOfDeepTreesAreRefusedWithARemedy) {
  const auto system = compile_relative(support::chain(20000, Space::planar));
  const system::State state = system->described_state();
  system::Vector a;
  system::Vector lambda;
  EXPECT_TRUE(system->accelerations(state, a, lambda));
  EXPECT_TRUE(a.allFinite());
  try {
    system->pattern();
    FAIL();
  } catch (const core::InputError& error) {
    EXPECT_NE(std::string(error.diagnostics()[0].remedy).find("absolute"), std::string::npos);
  }
}

TEST(Coordinates, AutomaticChoiceIsByTopology) {
  const auto choice = [](const model::Description& d) {
    return choose_coordinates(d, topology_of(d));
  };
  EXPECT_TRUE(choice(support::four_bars(1)).relative);
  EXPECT_TRUE(choice(support::chain(5, Space::spatial)).relative);
  EXPECT_FALSE(choice(support::chain(1000, Space::spatial)).relative);
  EXPECT_FALSE(choice(support::chain(5, Space::spatial)).reason.empty());
  model::Description d = support::chain(5, Space::spatial);
  d.simulation.coordinates = "auto";
  EXPECT_EQ(compile_model(d).coordinates, "relative");
  d.simulation.coordinates = "relativ";
  EXPECT_THROW(compile_model(d), core::InputError);
}

// Freedoms that belong to no body are for absolute coordinates.
TEST(RelativeSystem, RefusesWhatIsNoRigidBody) {
  model::Description d = support::four_bars(1);
  d.amplitudes.push_back({"modes", Eigen::Vector2d::Zero(), Eigen::Vector2d::Zero()});
  d.simulation.coordinates = "relative";
  EXPECT_THROW(compile_model(d), core::InputError);
  d.simulation.coordinates = "auto";
  const CompiledModel compiled = compile_model(d);
  EXPECT_EQ(compiled.coordinates, "absolute");
  EXPECT_EQ(compiled.reason, "'modes' are freedoms of no body");
}

// A pin whose rows hold with its axes against each other: the hinge knows them parallel.
TEST(RelativeSystem, KnowsJointsThatStandHalfATurnAway) {
  for (const char* type : {"revolute", "prismatic", "fixed", "cylindrical", "planar"}) {
    model::Description d;
    model::Body body;
    body.name = "b";
    body.mass = {.mass = 2.0, .inertia = 0.1 * Eigen::Matrix3d::Identity()};
    d.add_body(body);
    d.add_joint(type, "j", "ground", "b");
    const auto upright = compile_relative(d);
    EXPECT_EQ(upright->flipped_joint(upright->absolute().described_state()), "") << type;
    d.bodies[0].orientation = Eigen::AngleAxisd(std::numbers::pi, Eigen::Vector3d::UnitX());
    const auto flipped = compile_relative(d);
    EXPECT_EQ(flipped->flipped_joint(flipped->absolute().described_state()), "j") << type;
    d.simulation.coordinates = "auto";
    EXPECT_EQ(compile_model(d).coordinates, "absolute") << type;
  }
}

}  // namespace
}  // namespace trammel::formulation
