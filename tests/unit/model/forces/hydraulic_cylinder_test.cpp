#include "trammel/model/forces/hydraulic_cylinder.h"

#include <cmath>

#include "support/force_laws.h"
#include "support/reference_motion.h"
#include <gtest/gtest.h>

namespace trammel::model::hydraulic_cylinder_test {
namespace {

// A block of 50 kg on a rail along x, pushed by a cylinder.
Description press(const std::string& opening) {
  Description d;
  d.space = Space::planar;
  Body body;
  body.name = "block";
  body.mass = {.mass = 50.0, .inertia = Eigen::Matrix3d::Identity()};
  d.add_body(body);
  d.add_joint("prismatic", "rail", "ground", "block", {{"axis", Eigen::Vector3d(1, 0, 0)}});
  d.add_force("hydraulic_cylinder", "jack", {},
              {{"coordinate", std::string("rail.displacement")},
               {"opening", opening},
               {"area_a", 2e-3},
               {"area_b", 1.2e-3},
               {"volume_a", 1e-3},
               {"volume_b", 1e-3},
               {"bulk_modulus", 1e9},
               {"supply_pressure", 1e7},
               {"tank_pressure", 0.0},
               {"valve_coefficient", 1e-7},
               {"initial_pressure_a", 3e6},
               {"initial_pressure_b", 5e6}});
  return d;
}

support::Observation seen_after(const Description& d, double t, int steps) {
  const auto system = compile(d);
  return support::observe(*system,
                          support::reference_motion(*system, system->described_state(), t, steps));
}

// A closed valve makes a spring of oil: p V = const to first order, K (A_a^2/V_a + A_b^2/V_b).
TEST(HydraulicCylinder, ClosedValveIsAnOilSpring) {
  Description d = press("0");
  d.bodies[0].velocity = {1e-4, 0, 0};
  const double k = 1e9 * (2e-3 * 2e-3 + 1.2e-3 * 1.2e-3) / 1e-3;
  const double w = std::sqrt(k / 50.0);
  const double quarter = 0.5 * 3.14159265358979 / w;
  const auto seen = seen_after(d, quarter, 500);
  // A quarter period later it stands at v0/w; both chambers held the load 2e-3*3e6 - 1.2e-3*5e6 = 0
  // at the start. The volumes change by 1e-6 of themselves.
  EXPECT_NEAR(seen.at("rail.displacement"), 1e-4 / w, 1e-5 * 1e-4 / w);
  EXPECT_NEAR(seen.at("rail.displacement_rate"), 0.0, 1e-5 * 1e-4);
  EXPECT_NEAR(seen.at("jack.load"), -k * 1e-4 / w, 1e-5 * k * 1e-4 / w);
}

// Steady motion without load: A_a p_a = A_b p_b, the flows are those of the piston, and
// A_a v = k u sqrt(p_s - p_a), A_b v = k u sqrt(p_b).
TEST(HydraulicCylinder, RunsAtTheSpeedThatTheValveGives) {
  Description d = press("0.5*step5(time, 0, 0, 0.05, 1)");
  d.forces[0].values["volume_b"] = 3e-3;
  const double ratio = 1.2e-3 / 2e-3;
  // p_b = (A_b/k u)^2 v^2, p_a = ratio p_b, p_s - p_a = (A_a/k u)^2 v^2.
  const double ku = 0.5e-7;
  const double v = std::sqrt(1e7 / (std::pow(2e-3 / ku, 2) + ratio * std::pow(1.2e-3 / ku, 2)));
  const auto seen = seen_after(d, 1.0, 8000);
  EXPECT_NEAR(seen.at("rail.displacement_rate"), v, 2e-3 * v);  // the oil still compresses a little
  EXPECT_NEAR(seen.at("jack.pressure_a"), ratio * seen.at("jack.pressure_b"),
              1e-2 * seen.at("jack.pressure_b"));
  EXPECT_NEAR(seen.at("jack.flow_a"), 2e-3 * v, 5e-3 * 2e-3 * v);
  EXPECT_LT(seen.at("jack.flow_b"), 0.0);
}

// The other way round chamber b is fed.
TEST(HydraulicCylinder, NegativeOpeningPullsBack) {
  const auto seen = seen_after(press("-0.5*step5(time, 0, 0, 0.05, 1)"), 0.4, 4000);
  EXPECT_LT(seen.at("rail.displacement_rate"), 0.0);
  EXPECT_GT(seen.at("jack.flow_b"), 0.0);
}

}  // namespace
}  // namespace trammel::model::hydraulic_cylinder_test
