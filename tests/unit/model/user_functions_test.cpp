// Forces, constraints, drives and states by functions of the user's: the laws of all formulas hold,
// and the numbers are those of the same formula as text.
#include <cmath>

#include "support/joint_laws.h"
#include "support/mechanisms.h"
#include "support/system_laws.h"
#include <gtest/gtest.h>

#include "trammel/core/diagnostic.h"

namespace trammel::model {
namespace {

using expression::UserFunction;
using support::Random;
using Arguments = UserFunction::Arguments;

// wire(x, y, t) = y - 0.3 x^2 + 0.2 t^2
UserFunction wire() {
  return {"wire", 3, [](Arguments a) { return a[1] - 0.3 * a[0] * a[0] + 0.2 * a[2] * a[2]; },
          [](Arguments a, std::span<double> out) {
            out[0] = -0.6 * a[0];
            out[1] = 1.0;
            out[2] = 0.4 * a[2];
          },
          [](Arguments, std::span<double> out) {
            std::fill(out.begin(), out.end(), 0.0);
            out[0] = -0.6;
            out[8] = 0.4;
          }};
}

// swing(t) = 0.4 sin(3 t)
UserFunction swing() {
  return {"swing", 1, [](Arguments a) { return 0.4 * std::sin(3.0 * a[0]); },
          [](Arguments a, std::span<double> out) { out[0] = 1.2 * std::cos(3.0 * a[0]); },
          [](Arguments a, std::span<double> out) { out[0] = -3.6 * std::sin(3.0 * a[0]); }};
}

// control(z, gap, rate) = 4 z - 0.5 rate gap^2, its derivatives by differences.
UserFunction control() {
  return {"control", 3, [](Arguments a) { return 4.0 * a[0] - 0.5 * a[2] * a[1] * a[1]; }};
}

struct Texts {
  std::string wire;
  std::string swing;
  std::string control;
};

// Two bodies on hinges and a free one on a wire, with a drive and a controller.
Description described(Space space, const Texts& texts) {
  Description d;
  d.space = space;
  d.gravity = {0.3, -9.81, 0.0};
  for (const char* name : {"one", "two", "three"}) {
    Body body = support::bar(name, 0.8, 1.5, space);
    body.position = {0.4 * static_cast<double>(d.bodies.size()), 0.2, 0.0};
    body.velocity = {0.3, -0.2, 0.0};
    d.bodies.push_back(body);
  }
  d.add_joint("revolute", "pin", "ground", "one.left");
  d.add_joint("revolute", "hinge", "one.right", "two.left");
  d.add_sensor("distance", "gap", {"one.left", "three.right"});
  d.add_sensor("angle", "turn", {"two", "three"});
  d.add_coupling("equation", "curve", {{"equation", texts.wire}});
  d.add_drive("position", "motor",
              {{"coordinate", std::string("hinge.angle")}, {"motion", texts.swing}});
  d.add_state({.name = "filter", .rate = "3*(turn - filter) + 0.1*gap_rate", .initial = 0.2});
  d.add_force("actuator", "controller", {},
              {{"coordinate", std::string("turn")}, {"formula", texts.control}});
  return d;
}

Description by_functions(Space space) {
  Description d = described(space, {"wire(three.position.x, three.position.y, time)", "swing(time)",
                                    "control(filter, gap, turn_rate)"});
  d.add_function(wire());
  d.add_function(swing());
  d.add_function(control());
  return d;
}

Description by_text(Space space) {
  return described(space, {"three.position.y - 0.3*three.position.x^2 + 0.2*time^2",
                           "0.4*sin(3*time)", "4*filter - 0.5*turn_rate*gap^2"});
}

class UserFunctionModels : public testing::TestWithParam<Space> {
 protected:
  UserFunctionModels()
      : system_(compile(by_functions(GetParam()))), random_(7), state_(disturbed()) {}

  system::State disturbed() {
    system::State state = system_->described_state();
    state.t = 0.7;
    system_->retract(state.q, random_.values(state.v.size(), 0.2), state.q);
    state.v += random_.values(state.v.size(), 0.5);
    system_->accept(state);
    return state;
  }

  system::Motion any_motion() {
    system::Motion motion = support::at_rest(*system_, state_);
    motion.a = random_.values(state_.v.size());
    motion.lambda = random_.values(system_->sizes().multipliers());
    return motion;
  }

  std::unique_ptr<ModelSystem> system_;
  Random random_;
  system::State state_;
};

TEST_P(UserFunctionModels, BiasIsTheSecondDerivative) {
  support::expect_bias_is_second_derivative(*system_, state_, random_);
}

TEST_P(UserFunctionModels, TangentIsTheDerivative) {
  const system::Motion motion = any_motion();
  const system::Vector step = random_.values(state_.v.size(), 0.1);
  support::expect_tangent_is_derivative(*system_, motion, {1.0, 0.0, 0.0}, nullptr);
  support::expect_tangent_is_derivative(*system_, motion, {0.3, 0.7, 1.1}, nullptr);
  support::expect_tangent_is_derivative(*system_, motion, {1.0, 0.7, 1.1}, &step);
}

TEST_P(UserFunctionModels, LawsOfSystemsHold) {
  support::expect_residual_is_sum_of_parts(*system_, state_, random_);
  support::expect_clone_is_independent(*system_, state_, random_);
  support::expect_energy_balance(*system_, support::assembled(*system_));
}

TEST_P(UserFunctionModels, EqualTheSameFormulasAsText) {
  const std::unique_ptr<ModelSystem> text = compile(by_text(GetParam()));
  text->accept(state_);
  const system::Motion motion = any_motion();
  const Eigen::MatrixXd difference = support::tangent_matrix(*system_, motion, {0.3, 0.7, 1.1}) -
                                     support::tangent_matrix(*text, motion, {0.3, 0.7, 1.1});
  // The controller's derivatives are differences: 4e-11 times numbers of the size 10.
  EXPECT_LT(difference.cwiseAbs().maxCoeff(), 1e-9);
  system::Vector own;
  system::Vector expected;
  system_->forces(state_, own);
  text->forces(state_, expected);
  EXPECT_LT((own - expected).cwiseAbs().maxCoeff(), 1e-13);  // round-off
  system_->acceleration_bias(state_, own);
  text->acceleration_bias(state_, expected);
  EXPECT_LT((own - expected).cwiseAbs().maxCoeff(), 1e-12);  // round-off
}

INSTANTIATE_TEST_SUITE_P(Spaces,
                         UserFunctionModels,
                         testing::Values(Space::planar, Space::spatial),
                         [](const auto& info) { return to_string(info.param); });

TEST(UserFunctionMistakes, UnknownFunctionsAreToldWithTheNearest) {
  Description d = by_functions(Space::planar);
  d.couplings.front().values["equation"] = std::string("wires(three.position.x, 1, time)");
  try {
    compile(d);
    FAIL() << "compiled";
  } catch (const core::InputError& error) {
    ASSERT_EQ(error.diagnostics().size(), 1U);
    EXPECT_EQ(error.diagnostics().front().path, "couplings.curve.equation");
    EXPECT_NE(error.diagnostics().front().remedy.find("wire"), std::string::npos);
  }
}

TEST(UserFunctionMistakes, ValuesThatAreNotFiniteAreToldAtTheStart) {
  Description d = by_functions(Space::planar);
  d.functions.back() =
      std::make_shared<const UserFunction>("control", 3, [](Arguments) { return std::nan(""); });
  EXPECT_THROW(compile(d), core::InputError);
}

}  // namespace
}  // namespace trammel::model
