// Couplings, drives, force laws, sensors and states: rows and loads written as formulas.
#include "support/joint_laws.h"
#include "support/mechanisms.h"
#include "support/system_laws.h"
#include <gtest/gtest.h>

#include "trammel/core/diagnostic.h"

namespace trammel::model {
namespace {

using support::Random;

// Two turning bodies on the ground and a free one, with a formula of every sort.
Description formulas(Space space) {
  Description d;
  d.space = space;
  d.gravity = {0.3, -9.81, 0.0};
  for (const char* name : {"one", "two", "three"}) {
    Body body = support::bar(name, 0.8, 1.5, space);
    body.position = {0.4 * static_cast<double>(d.bodies.size()), 0.2, 0.0};
    body.velocity = {0.3, -0.2, 0.0};
    body.angular_velocity = {0.0, 0.0, 0.7};
    d.bodies.push_back(body);
  }
  d.add_joint("revolute", "pin", "ground", "one.left");
  d.add_joint("revolute", "hinge", "one.right", "two.left");
  d.parameters["stiffness"] = {.value = 12.0, .dimension = core::dimension::stiffness};
  d.add_sensor("distance", "gap", {"one.left", "three.right"});
  d.add_sensor("angle", "turn", {"two", "three"});
  d.add_coupling("gear", "mesh",
                 {{"coordinates", std::vector<std::string>{"pin.angle", "turn"}}, {"ratio", -2.5}});
  d.add_coupling("equation", "curve",
                 {{"equation", std::string("three.position.y - 0.3*three.position.x^2 + "
                                           "0.1*sin(2*two.left.position.x*gap) + 0.2*time^2")}});
  d.add_coupling(
      "pfaff", "skate",
      {{"equation", std::string("sin(turn)*three.velocity.x - cos(turn)*three.velocity.y + "
                                "0.2*hinge.angle*pin.angle_rate - 0.1*time")}});
  d.add_drive("position", "motor",
              {{"coordinate", std::string("hinge.angle")},
               {"motion", std::string("0.4*sin(3*time) + 0.1")}});
  d.add_drive("velocity", "feed",
              {{"coordinate", std::string("gap")}, {"motion", std::string("0.2*cos(2*time)")}});
  d.add_state({.name = "filter", .rate = "3*(turn - filter) + 0.1*gap_rate", .initial = 0.2});
  d.add_force("actuator", "controller", {},
              {{"coordinate", std::string("turn")},
               {"formula", std::string("4*filter - 0.5*turn_rate*gap + stiffness*gap*turn*0.01")}});
  return d;
}

class Formulas : public testing::TestWithParam<Space> {
 protected:
  Formulas() : system_(compile(formulas(GetParam()))), random_(7), state_(disturbed()) {}

  system::State disturbed() {
    system::State state = system_->described_state();
    state.t = 0.7;
    system_->retract(state.q, random_.values(state.v.size(), 0.2), state.q);
    state.v += random_.values(state.v.size(), 0.5);
    system_->accept(state);
    return state;
  }

  std::unique_ptr<ModelSystem> system_;
  Random random_;
  system::State state_;
};

TEST_P(Formulas, RowsComeInTheirPlaces) {
  EXPECT_EQ(system_->sizes().nonholonomic, 2);
  EXPECT_EQ(system_->sizes().z, 1);
  const auto names = system_->row_names();
  ASSERT_EQ(names.size(), static_cast<std::size_t>(system_->sizes().multipliers()));
  EXPECT_EQ(names[names.size() - 2].joint, "skate");
  EXPECT_EQ(names.back().joint, "feed");
}

TEST_P(Formulas, JacobianIsTheDerivativeOfPositionRows) {
  // The rows of velocity level have no g; all others are compared.
  const Eigen::MatrixXd G = support::constraint_jacobian(*system_, state_);
  const int rows = system_->sizes().holonomic;
  for (Eigen::Index i = 0; i < G.cols(); ++i) {
    const double h = 1e-6;
    system::State plus = state_;
    system::State minus = state_;
    const system::Vector x = h * system::Vector::Unit(G.cols(), i);
    system_->retract(state_.q, x, plus.q);
    system_->retract(state_.q, -x, minus.q);
    system::Vector up;
    system::Vector down;
    system_->position_constraint(plus, up);
    system_->position_constraint(minus, down);
    const system::Vector expected = ((up - down) / (2.0 * h)).head(rows);
    // Truncation of the difference.
    EXPECT_LT((G.col(i).head(rows) - expected).cwiseAbs().maxCoeff(), 1e-8) << "freedom " << i;
  }
}

TEST_P(Formulas, BiasIsTheSecondDerivative) {
  support::expect_bias_is_second_derivative(*system_, state_, random_);
}

TEST_P(Formulas, TangentIsTheDerivative) {
  system::Motion motion = support::at_rest(*system_, state_);
  motion.a = random_.values(state_.v.size());
  motion.lambda = random_.values(system_->sizes().multipliers());
  const system::Vector step = random_.values(state_.v.size(), 0.1);
  support::expect_tangent_is_derivative(*system_, motion, {1.0, 0.0, 0.0}, nullptr);
  support::expect_tangent_is_derivative(*system_, motion, {0.3, 0.7, 1.1}, nullptr);
  support::expect_tangent_is_derivative(*system_, motion, {1.0, 0.7, 1.1}, &step);
}

TEST_P(Formulas, ResidualIsTheSumOfItsParts) {
  support::expect_residual_is_sum_of_parts(*system_, state_, random_);
  support::expect_clone_is_independent(*system_, state_, random_);
}

TEST_P(Formulas, EnergyBalanceCloses) {
  support::expect_energy_balance(*system_, support::assembled(*system_));
}

TEST_P(Formulas, SensorsReadEnergiesAndPowers) {
  Description d = formulas(GetParam());
  d.add_sensor("formula", "share", {}, {{"formula", std::string("energy.kinetic/energy.total")}});
  d.add_sensor("formula", "power", {},
               {{"formula", std::string("power.loads + power.drives - power.dissipated")}});
  const auto system = compile(d);
  const system::Motion motion = support::at_rest(*system, state_);
  const auto seen = support::observe(*system, motion);
  const system::Energy energy = system->energy(motion.state);
  const system::Power power = system->power(motion);
  EXPECT_DOUBLE_EQ(seen.at("share"), energy.kinetic / (energy.kinetic + energy.potential));
  EXPECT_DOUBLE_EQ(seen.at("power"), power.loads + power.drives - power.dissipated);
  EXPECT_NE(power.loads, 0.0);
}

TEST_P(Formulas, RatesOfStatesHaveTheirTangent) {
  system::FirstOrderStates* states = system_->first_order_states();
  ASSERT_NE(states, nullptr);
  Eigen::MatrixXd tangent;
  states->rate_tangent(state_, tangent);
  EXPECT_DOUBLE_EQ(tangent(0, 0), -3.0);
  system::Vector rates;
  states->rates(state_, rates);
  const auto observed = support::observe(*system_, support::at_rest(*system_, state_));
  EXPECT_NEAR(rates[0],
              3.0 * (observed.at("turn") - observed.at("filter")) + 0.1 * observed.at("gap_rate"),
              1e-13);
}

INSTANTIATE_TEST_SUITE_P(Spaces,
                         Formulas,
                         testing::Values(Space::planar, Space::spatial),
                         [](const auto& info) { return to_string(info.param); });

TEST(FormulaMistakes, AreToldAllAtOnceWithTheirNames) {
  Description d = formulas(Space::planar);
  d.add_coupling("gear", "none",
                 {{"coordinates", std::vector<std::string>{"pin.angel", "turn"}}, {"ratio", 1.0}});
  d.add_coupling("equation", "unit", {{"equation", std::string("gap + turn")}});
  d.add_coupling("pfaff", "square", {{"equation", std::string("pin.angle_rate^2")}});
  d.add_drive("position", "fast",
              {{"coordinate", std::string("gap")}, {"motion", std::string("3 m/s")}});
  d.add_force("actuator", "broken", {},
              {{"coordinate", std::string("gap")}, {"formula", std::string("1/time")}});
  try {
    compile(d);
    FAIL() << "nothing was found";
  } catch (const core::InputError& error) {
    std::string all;
    for (const auto& diagnostic : error.diagnostics()) all += to_string(diagnostic) + "\n";
    for (const char* part : {"couplings.none", "pin.angle", "couplings.unit", "couplings.square",
                             "not linear", "drives.fast.motion", "forces.broken"}) {
      EXPECT_NE(all.find(part), std::string::npos) << part << " is missing in:\n" << all;
    }
  }
}

}  // namespace
}  // namespace trammel::model
