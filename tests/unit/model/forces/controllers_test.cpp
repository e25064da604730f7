#include "trammel/model/forces/controllers.h"

#include <cmath>

#include "support/force_laws.h"
#include "support/reference_motion.h"
#include "support/refusal.h"
#include <gtest/gtest.h>

namespace trammel::model::controllers_test {
namespace {

// A block of 2 kg on a rail along x.
Description block() {
  Description d;
  d.space = Space::planar;
  Body body;
  body.name = "block";
  body.mass = {.mass = 2.0, .inertia = 0.1 * Eigen::Matrix3d::Identity()};
  d.add_body(body);
  d.add_joint("prismatic", "rail", "ground", "block", {{"axis", Eigen::Vector3d(1, 0, 0)}});
  return d;
}

support::Observation seen_after(const Description& d, double t, int steps) {
  const auto system = compile(d);
  return support::observe(*system,
                          support::reference_motion(*system, system->described_state(), t, steps));
}

// kp and kd alone are a spring and a damper: m x'' = kp (s - x) - kd x'.
TEST(Pid, ProportionalAndDerivativePartAreASpringAndADamper) {
  Description d = block();
  d.add_force("pid", "control", {},
              {{"coordinate", std::string("rail.displacement")},
               {"set_point", std::string("0.3 m")},
               {"proportional_gain", 50.0},
               {"derivative_gain", 8.0}});
  const double t = 0.4;
  const double a = 2.0;  // kd/2m
  const double w = std::sqrt(25.0 - a * a);
  const double x = 0.3 * (1.0 - std::exp(-a * t) * (std::cos(w * t) + a / w * std::sin(w * t)));
  const auto seen = seen_after(d, t, 800);
  EXPECT_NEAR(seen.at("rail.displacement"), x, 1e-10);  // fourth order, h w = 2.5e-3
  EXPECT_NEAR(seen.at("control.error"), 0.3 - x, 1e-10);
}

// Against a steady load only the integral part brings the error to zero.
TEST(Pid, IntegralTakesOverASteadyLoad) {
  Description d = block();
  d.add_force("actuator", "push", {},
              {{"coordinate", std::string("rail.displacement")}, {"formula", std::string("6 N")}});
  d.add_force("pid", "control", {},
              {{"coordinate", std::string("rail.displacement")},
               {"set_point", std::string("0.3 m")},
               {"proportional_gain", 80.0},
               {"integral_gain", 120.0},
               {"derivative_gain", 20.0},
               {"filter_time", 0.01}});
  const auto seen = seen_after(d, 8.0, 8000);
  EXPECT_NEAR(seen.at("rail.displacement"), 0.3, 1e-5);
  EXPECT_NEAR(seen.at("control.integral"), -6.0, 1e-3);
}

// The filtered derivative is that of the error: kd times the low-passed rate.
TEST(Pid, FilterFollowsASteadyRate) {
  Description d = block();
  d.bodies[0].velocity = {0.5, 0, 0};
  d.add_force("pid", "control", {},
              {{"coordinate", std::string("rail.displacement")},
               {"set_point", std::string("0 m")},
               {"derivative_gain", 1e-9},
               {"filter_time", 0.05}});
  // e = -0.5 t: (e - y)/T_f goes to -0.5.
  EXPECT_NEAR(seen_after(d, 1.0, 400).at("control.load"), -0.5e-9, 1e-16);
}

TEST(Pid, LimitsHoldTheLoadAndTheIntegralGivesWay) {
  Description d = block();
  d.bodies[0].fixed_pose = {true, true, true, true, true, true};
  d.joints[0].type = "fixed";
  d.joints[0].values.clear();
  d.add_sensor("displacement", "place", {"ground", "block"});
  d.add_force("pid", "control", {},
              {{"coordinate", std::string("place")},
               {"set_point", std::string("1 m")},
               {"proportional_gain", 3.0},
               {"integral_gain", 10.0},
               {"upper", 4.0},
               {"tracking_time", 0.1}});
  const auto seen = seen_after(d, 3.0, 600);
  EXPECT_NEAR(seen.at("control.load"), 4.0, 1e-12);
  // At rest: ki e + (4 - 3 - z)/T_t = 0.
  EXPECT_NEAR(seen.at("control.integral"), 4.0 - 3.0 + 10.0 * 0.1, 1e-9);
}

// A first-order lag as a state space model: z' = (u - z)/T, F = k z.
TEST(StateSpace, LagFollowsAStep) {
  Description d = block();
  d.add_force("state_space", "lag", {},
              {{"coordinates", std::vector<std::string>{"rail.displacement"}},
               {"inputs", std::vector<std::string>{"2", "rail.displacement"}},
               {"A", std::vector<double>{-5.0}},
               {"B", std::vector<double>{5.0, 0.0}},
               {"C", std::vector<double>{3.0}},
               {"D", std::vector<double>{0.0, 0.0}}});
  const auto seen = seen_after(d, 0.5, 500);
  EXPECT_NEAR(seen.at("lag.state_1"), 2.0 * (1.0 - std::exp(-2.5)), 1e-9);
  EXPECT_NEAR(seen.at("lag.load"), 6.0 * (1.0 - std::exp(-2.5)), 1e-9);
  // Twice integrated: x' = (6/m)(t - (1 - exp(-5t))/5).
  EXPECT_NEAR(seen.at("rail.displacement_rate"), 3.0 * (0.5 - (1.0 - std::exp(-2.5)) / 5.0), 1e-9);
}

// The same controller as pid and as state_space gives the same load.
TEST(StateSpace, IsThePidWithFilter) {
  Description one = block();
  one.bodies[0].position = {0.1, 0, 0};
  Description other = one;
  one.add_force("pid", "c", {},
                {{"coordinate", std::string("rail.displacement")},
                 {"set_point", std::string("0.3 m")},
                 {"proportional_gain", 30.0},
                 {"integral_gain", 20.0},
                 {"derivative_gain", 5.0},
                 {"filter_time", 0.02}});
  other.add_force("state_space", "c", {},
                  {{"coordinates", std::vector<std::string>{"rail.displacement"}},
                   {"inputs", std::vector<std::string>{"0.3 m - rail.displacement"}},
                   {"A", std::vector<double>{-50.0, 0.0, 0.0, 0.0}},
                   {"B", std::vector<double>{50.0, 20.0}},
                   {"C", std::vector<double>{-250.0, 1.0}},
                   {"D", std::vector<double>{280.0}}});
  const double a = seen_after(one, 0.5, 500).at("c.load");
  EXPECT_NEAR(seen_after(other, 0.5, 500).at("c.load"), a, 1e-10 * std::abs(a));
}

void expect_refused(const char* kind, const Values& values, const std::string& part) {
  Description d = block();
  d.add_force(kind, "control", {}, values);
  support::expect_refused(d, part);
}

TEST(StateSpace, WrongSizesAreRefused) {
  expect_refused("state_space",
                 {{"coordinates", std::vector<std::string>{"rail.displacement"}},
                  {"inputs", std::vector<std::string>{"1"}},
                  {"A", std::vector<double>{1.0, 2.0, 3.0}}},
                 "'A' has 3 numbers");
  expect_refused("pid",
                 {{"coordinate", std::string("rail.displacement")},
                  {"set_point", std::string("1")},
                  {"lower", 2.0},
                  {"upper", 1.0}},
                 "not below");
}

}  // namespace
}  // namespace trammel::model::controllers_test
