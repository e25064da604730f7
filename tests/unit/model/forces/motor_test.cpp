#include "trammel/model/forces/motor.h"

#include <cmath>

#include "support/force_laws.h"
#include "support/reference_motion.h"
#include <gtest/gtest.h>

namespace trammel::model::motor_test {
namespace {

// A wheel with I = 0.02 about z.
Description wheel() {
  Description d;
  d.space = Space::planar;
  Body body;
  body.name = "wheel";
  body.mass = {.mass = 1.0, .inertia = 0.02 * Eigen::Matrix3d::Identity()};
  d.add_body(body);
  d.add_joint("revolute", "pin", "ground", "wheel");
  return d;
}

Values motor(double inductance) {
  return {{"coordinate", std::string("pin.angle")},
          {"voltage", std::string("12")},
          {"resistance", 2.0},
          {"inductance", inductance},
          {"torque_constant", 0.5}};
}

// I w' = c i, L i' = V - R i - c w: damped oscillation about the idle speed V/c; in closed form
// i = (V/(L W)) exp(-s t) sin(W t), s = R/2L, W^2 = c^2/(I L) - s^2.
TEST(DcMotor, RunsUpAsItsLinearEquationsSay) {
  const double L = 0.2;
  const double R = 2.0;
  const double c = 0.5;
  const double I = 0.02;
  Description d = wheel();
  d.add_force("dc_motor", "motor", {}, motor(L));
  const auto system = compile(d);
  const double t = 0.3;
  const system::Motion end = support::reference_motion(*system, system->described_state(), t, 600);
  const double s = R / (2.0 * L);
  const double W = std::sqrt(c * c / (I * L) - s * s);
  const double current = 12.0 / (L * W) * std::exp(-s * t) * std::sin(W * t);
  // w = (V - R i - L i')/c.
  const double slope =
      12.0 / (L * W) * std::exp(-s * t) * (W * std::cos(W * t) - s * std::sin(W * t));
  const auto seen = support::observe(*system, end);
  EXPECT_NEAR(seen.at("motor.current"), current, 1e-8);  // fourth order, 600 steps
  EXPECT_NEAR(seen.at("pin.angle_rate"), (12.0 - R * current - L * slope) / c, 1e-8);
  EXPECT_NEAR(seen.at("motor.load"), c * current, 1e-8);
  EXPECT_EQ(seen.at("motor.voltage"), 12.0);
}

// V i = R i^2 + L i i' + torque * speed [Sol1983 spec, acceptance test 12].
TEST(DcMotor, BalancesElectricalAndMechanicalPower) {
  Description d = wheel();
  d.bodies[0].angular_velocity = {0, 0, 3.0};
  Values values = motor(0.2);
  values["initial_current"] = 1.5;
  d.add_force("dc_motor", "motor", {}, values);
  const auto system = compile(d);
  const system::Motion motion = support::at_rest(*system, system->described_state());
  const system::Power power = system->power(motion);
  EXPECT_NEAR(power.loads, 12.0 * 1.5, 1e-13);
  EXPECT_NEAR(power.dissipated, 2.0 * 1.5 * 1.5, 1e-13);
  EXPECT_NEAR(system->energy(motion.state).potential, 0.1 * 1.5 * 1.5, 1e-14);
  system::Vector rates;
  system->first_order_states()->rates(motion.state, rates);
  const double torque = support::observe(*system, motion).at("motor.load");
  EXPECT_NEAR(12.0 * 1.5, 2.0 * 2.25 + 0.2 * 1.5 * rates[0] + torque * 3.0, 1e-12);
}

TEST(DcMotor, WithoutInductanceTheCurrentFollowsAtOnce) {
  Description d = wheel();
  d.bodies[0].angular_velocity = {0, 0, 3.0};
  d.add_force("dc_motor", "motor", {}, motor(0.0));
  const auto system = compile(d);
  EXPECT_EQ(system->sizes().z, 0);
  const auto seen = support::observe(*system, support::at_rest(*system, system->described_state()));
  const double current = (12.0 - 0.5 * 3.0) / 2.0;
  EXPECT_NEAR(seen.at("motor.current"), current, 1e-13);
  EXPECT_NEAR(seen.at("motor.load"), 0.5 * current, 1e-13);
  // I w' = c (V - c w)/R: from rest to V/c with the time constant I R/c^2.
  d.bodies[0].angular_velocity.setZero();
  const auto from_rest = compile(d);
  const system::Motion end =
      support::reference_motion(*from_rest, from_rest->described_state(), 0.2, 400);
  EXPECT_NEAR(end.state.v[2], 24.0 * (1.0 - std::exp(-0.2 * 0.25 / 0.04)), 1e-8);
}

// With the printed signs of the source the shaft would run away from the set point.
TEST(PositionServo, SettlesAtItsSetPoint) {
  Description d = wheel();
  d.add_force("position_servo", "servo", {},
              {{"coordinate", std::string("pin.angle")},
               {"set_point", std::string("0.7 rad")},
               {"gain", 4.0},
               {"resistance", 2.0},
               {"inductance", 0.01},
               {"torque_constant", 0.5}});
  const auto system = compile(d);
  const system::Motion end =
      support::reference_motion(*system, system->described_state(), 4.0, 4000);
  // The slowest eigenvalue of L I s^3 + R I s^2 + c^2 s + b c is about -3.1: exp(-12).
  EXPECT_NEAR(end.state.q[2], 0.7, 1e-4);
  EXPECT_NEAR(end.state.v[2], 0.0, 1e-3);
}

// V i = R i^2 + L i i' + torque * speed along the step response, with i' the slope of the currents
// that were computed; and what goes in is found again as heat and energy.
TEST(PositionServo, BalancesItsPowerAlongTheStepResponse) {
  Description d = wheel();
  d.add_force("position_servo", "servo", {},
              {{"coordinate", std::string("pin.angle")},
               {"set_point", std::string("0.7 rad")},
               {"gain", 4.0},
               {"resistance", 2.0},
               {"inductance", 0.01},
               {"torque_constant", 0.5}});
  const auto system = compile(d);
  const auto at = [&](double t) {
    const auto steps = static_cast<int>(std::lround(t / 1e-4));
    return support::reference_motion(*system, system->described_state(), t, steps);
  };
  const auto stored = [&](const system::Motion& motion) {
    const system::Energy energy = system->energy(motion.state);
    return energy.kinetic + energy.potential;
  };
  for (const double t : {0.02, 0.1, 0.4}) {
    const double h = 2e-3;
    const system::Motion now = at(t);
    const support::Observation seen = support::observe(*system, now);
    const double V = seen.at("servo.voltage");
    const double i = seen.at("servo.current");
    const double torque = seen.at("servo.load");
    const double speed = seen.at("pin.angle_rate");
    EXPECT_NEAR(V, 4.0 * (0.7 - seen.at("pin.angle")), 1e-12);
    // Differences of sixth order over 2 ms, in which the fastest mode decays by a third.
    const auto slope = [&](const auto& value) {
      return (45.0 * (value(at(t + h)) - value(at(t - h))) -
              9.0 * (value(at(t + 2 * h)) - value(at(t - 2 * h))) +
              (value(at(t + 3 * h)) - value(at(t - 3 * h)))) /
             (60.0 * h);
    };
    const double i_rate = slope([&](const system::Motion& motion) {
      return support::observe(*system, motion).at("servo.current");
    });
    const double size = std::abs(V * i) + std::abs(torque * speed) + 0.01;
    EXPECT_NEAR(V * i, 2.0 * i * i + 0.01 * i * i_rate + torque * speed, 1e-6 * size) << t;
    const system::Power power = system->power(now);
    EXPECT_NEAR(slope(stored), power.loads - power.dissipated, 1e-6 * size) << t;
    // Without differences: the slope of the current that its equation gives.
    system::Vector rates;
    system->first_order_states()->rates(now.state, rates);
    EXPECT_NEAR(V * i, 2.0 * i * i + 0.01 * i * rates[0] + torque * speed, 1e-8 * size) << t;
  }
}

// Other formulas read the current, whichever comes first in the model.
TEST(DcMotor, CurrentIsReadByOtherForces) {
  Description d = wheel();
  d.add_force(
      "actuator", "brake", {},
      {{"coordinate", std::string("pin.angle")}, {"formula", std::string("-0.1*motor.current")}});
  Values values = motor(0.2);
  values["initial_current"] = 2.0;
  d.add_force("dc_motor", "motor", {}, values);
  const auto system = compile(d);
  const auto seen = support::observe(*system, support::at_rest(*system, system->described_state()));
  EXPECT_NEAR(seen.at("brake.load"), -0.2, 1e-15);
}

}  // namespace
}  // namespace trammel::model::motor_test
