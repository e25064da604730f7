#include "trammel/model/forces/viscoelastic.h"

#include <cmath>

#include "support/force_laws.h"
#include "support/reference_motion.h"
#include "support/refusal.h"
#include <gtest/gtest.h>

#include "trammel/model/forces/prony.h"

namespace trammel::model::viscoelastic_test {
namespace {

constexpr double k_inf = 40.0;
constexpr double k_1 = 60.0;
constexpr double tau = 0.3;

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

Values standard_solid() {
  return {{"coordinate", std::string("rail.displacement")},
          {"stiffness", k_inf},
          {"branch_stiffness", std::vector<double>{k_1}},
          {"branch_times", std::vector<double>{tau}}};
}

support::Observation seen_after(const Description& d, double t, int steps) {
  const auto system = compile(d);
  return support::observe(*system,
                          support::reference_motion(*system, system->described_state(), t, steps));
}

// Held at e from the start: F = -(k_inf + k_1 exp(-t/tau)) e.
TEST(Viscoelastic, RelaxesAsItsRelaxationFunction) {
  Description d = block();
  d.bodies[0].position = {0.1, 0, 0};
  d.add_drive("position", "hold",
              {{"coordinate", std::string("rail.displacement")}, {"motion", std::string("0.1 m")}});
  d.add_force("coordinate_viscoelastic", "pad", {}, standard_solid());
  EXPECT_NEAR(seen_after(d, 0.4, 200).at("pad.load"), -0.1 * (k_inf + k_1 * std::exp(-0.4 / tau)),
              1e-8);
}

// A steady load from the start, heavily damped motion: the standard linear solid creeps to F/k_inf
// with the retardation time tau (k_inf + k_1)/k_inf.
TEST(Viscoelastic, CreepsWithTheRetardationTime) {
  Description d = block();
  d.bodies[0].mass.mass = 1e-4;  // light: its oscillation dies out at once
  d.bodies[0].position = {5.0 / (k_inf + k_1), 0, 0};
  d.add_force("coordinate_viscoelastic", "pad", {}, standard_solid());
  d.add_force("actuator", "push", {},
              {{"coordinate", std::string("rail.displacement")}, {"formula", std::string("5 N")}});
  d.add_force("coordinate_spring", "calm", {},
              {{"coordinate", std::string("rail.displacement")}, {"damping", 0.02}});
  const double t = 0.5;
  const double retardation = tau * (k_inf + k_1) / k_inf;
  const double creep =
      5.0 / k_inf - (5.0 / k_inf - 5.0 / (k_inf + k_1)) * std::exp(-t / retardation);
  // The damper holds back by about 0.02 x'/k: x' is 0.04 m/s.
  EXPECT_NEAR(seen_after(d, t, 20000).at("rail.displacement"), creep, 5e-5);
}

// Both differential forms and the hereditary integral, summed up over the stored motion, agree.
TEST(Viscoelastic, FormsAndHereditaryIntegralAgree) {
  Description strains = block();
  strains.add_drive("position", "shake",
                    {{"coordinate", std::string("rail.displacement")},
                     {"motion", std::string("0.1 m * sin(4*time)")}});
  strains.bodies[0].velocity = {0.4, 0, 0};
  Description loads = strains;
  Values values = standard_solid();
  values["branch_stiffness"] = std::vector<double>{k_1, 25.0};
  values["branch_times"] = std::vector<double>{tau, 0.05};
  strains.add_force("coordinate_viscoelastic", "pad", {}, values);
  values["form"] = std::string("loads");
  loads.add_force("coordinate_viscoelastic", "pad", {}, values);
  const double t = 0.9;
  // F = -int k(t - s) e'(s) ds by Simpson's rule.
  const Prony series{k_inf, {k_1, 25.0}, {tau, 0.05}};
  constexpr int pieces = 4000;
  const double h = t / pieces;
  double integral = 0.0;
  for (int i = 0; i <= pieces; ++i) {
    const double s = i * h;
    const double weight = i == 0 || i == pieces ? 1.0 : (i % 2 == 1 ? 4.0 : 2.0);
    integral += weight * h / 3.0 * series.at(t - s) * 0.4 * std::cos(4.0 * s);
  }
  EXPECT_NEAR(seen_after(strains, t, 1000).at("pad.load"), -integral, 1e-7);
  EXPECT_NEAR(seen_after(loads, t, 1000).at("pad.load"), -integral, 1e-7);
}

TEST(Viscoelastic, BetweenFramesIsTheSameAlongTheDistance) {
  Description d = block();
  d.bodies[0].position = {0.7, 0, 0};
  Description along = d;
  Values values = standard_solid();
  values.erase("coordinate");
  values["reference"] = 0.5;
  d.add_force("viscoelastic_spring", "strut", {"ground", "block"}, values);
  values["coordinate"] = std::string("gap");
  along.add_sensor("distance", "gap", {"ground", "block"});
  along.add_force("coordinate_viscoelastic", "strut", {}, values);
  const auto one = seen_after(d, 0.3, 300);
  const auto other = seen_after(along, 0.3, 300);
  EXPECT_NEAR(one.at("strut.length"), other.at("gap"), 1e-14);
  EXPECT_NEAR(one.at("strut.load"), other.at("strut.load"), 1e-12);
}

TEST(Prony, RecoversASeriesFromItsPoints) {
  const Prony series{2.0, {3.0, 1.5}, {0.1, 2.0}};
  std::vector<double> times{0.0};
  std::vector<double> values{series.at(0.0)};
  for (int i = 0; i <= 60; ++i) {
    times.push_back(1e-3 * std::pow(10.0, i / 12.0));
    values.push_back(series.at(times.back()));
  }
  const PronyFit fit = fit_prony(times, values);
  EXPECT_LT(fit.error, 1e-3);
  for (const double t : {0.003, 0.07, 0.4, 3.3}) {
    EXPECT_NEAR(fit.series.at(t), series.at(t), 1e-3 * series.at(t));
  }
  for (const double k : fit.series.stiffnesses) EXPECT_GT(k, 0.0);
}

// A power law over four decades, as creep tests give it.
TEST(Prony, FitsAPowerLaw) {
  std::vector<double> times;
  std::vector<double> values;
  for (int i = 0; i <= 40; ++i) {
    times.push_back(1e-2 * std::pow(10.0, i / 10.0));
    values.push_back(std::pow(times.back(), -0.2));
  }
  EXPECT_LT(fit_prony(times, values).error, 0.02);
}

TEST(Viscoelastic, PointsOfTheRelaxationFunctionAreFitted) {
  Description d = block();
  d.bodies[0].position = {0.1, 0, 0};
  d.add_drive("position", "hold",
              {{"coordinate", std::string("rail.displacement")}, {"motion", std::string("0.1 m")}});
  std::vector<double> times{0.0};
  std::vector<double> values{k_inf + k_1};
  for (int i = 0; i <= 40; ++i) {
    times.push_back(1e-2 * std::pow(10.0, i / 13.0));
    values.push_back(k_inf + k_1 * std::exp(-times.back() / tau));
  }
  d.add_force("coordinate_viscoelastic", "pad", {},
              {{"coordinate", std::string("rail.displacement")},
               {"relaxation_times", times},
               {"relaxation_values", values}});
  const auto seen = seen_after(d, 0.4, 200);
  EXPECT_LT(seen.at("pad.fit_error"), 5e-3);
  const double exact = 0.1 * (k_inf + k_1 * std::exp(-0.4 / tau));
  EXPECT_NEAR(seen.at("pad.load"), -exact, 5e-3 * exact);
}

void expect_refused(const Values& values, const std::string& part) {
  Description d = block();
  d.add_force("coordinate_viscoelastic", "pad", {}, values);
  support::expect_refused(d, part);
}

TEST(Viscoelastic, WrongMaterialsAreRefused) {
  Values values = standard_solid();
  values["branch_times"] = std::vector<double>{0.1, 0.2};
  expect_refused(values, "'branch_times' has 2");
  expect_refused({{"coordinate", std::string("rail.displacement")}}, "no stiffness");
  // A function that rises is no relaxation.
  expect_refused({{"coordinate", std::string("rail.displacement")},
                  {"relaxation_times", std::vector<double>{0.0, 1.0, 2.0}},
                  {"relaxation_values", std::vector<double>{1.0, 2.0, 4.0}}},
                 "misses the relaxation function");
}

}  // namespace
}  // namespace trammel::model::viscoelastic_test
