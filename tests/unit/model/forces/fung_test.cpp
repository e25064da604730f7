#include "trammel/model/forces/fung.h"

#include <cmath>

#include "support/force_laws.h"
#include "support/reference_motion.h"
#include "support/refusal.h"
#include <gtest/gtest.h>

namespace trammel::model::fung_test {
namespace {

using Eigen::Matrix2d;
using Eigen::Vector2d;

// A block of 2 kg on a cross table that is driven: x = 0.1 sin(4 t), y = 0.05 (1 - cos(3 t)).
Description driven_block() {
  Description d;
  d.space = Space::planar;
  Body body;
  body.name = "block";
  body.mass = {.mass = 2.0, .inertia = 0.1 * Eigen::Matrix3d::Identity()};
  body.velocity = {0.4, 0, 0};
  d.add_body(body);
  d.add_joint("free", "table", "ground", "block", {});
  const auto drive = [&](const char* name, const char* coordinate, const char* motion) {
    d.add_drive("position", name,
                {{"coordinate", std::string(coordinate)}, {"motion", std::string(motion)}});
  };
  drive("across", "table.x", "0.1 m * sin(4*time)");
  drive("along", "table.y", "0.05 m * (1 - cos(3*time))");
  drive("upright", "table.angle", "0");
  return d;
}

// Exponential in x, with a term of both.
const std::vector<std::string> responses{"5*(exp(8*table.x) - 1) + 20*table.x*table.y",
                                         "30*table.y + 400*table.y^3 + 10*(1*table.x)^2"};

Vector2d response(const Vector2d& e) {
  return {5.0 * (std::exp(8.0 * e[0]) - 1.0) + 20.0 * e[0] * e[1],
          30.0 * e[1] + 400.0 * std::pow(e[1], 3) + 10.0 * e[0] * e[0]};
}

Matrix2d response_slope(const Vector2d& e) {
  Matrix2d slope;
  slope << 40.0 * std::exp(8.0 * e[0]) + 20.0 * e[1], 20.0 * e[0], 20.0 * e[0],
      30.0 + 1200.0 * e[1] * e[1];
  return slope;
}

support::Observation seen_after(const Description& d, double t, int steps) {
  const auto system = compile(d);
  return support::observe(*system,
                          support::reference_motion(*system, system->described_state(), t, steps));
}

// The hereditary integral, summed up over the stored motion, with a matrix of relaxation functions
// and a response of two variables [Sol1983, (3.4.3)].
TEST(FungElement, IsTheHereditaryIntegral) {
  Description d = driven_block();
  d.add_force("fung_element", "tissue", {},
              {{"coordinates", std::vector<std::string>{"table.x", "table.y"}},
               {"response", responses},
               {"branch_times", std::vector<double>{0.3, 0.05}},
               {"branch_weights", std::vector<double>{0.4, 0.1, 0.1, 0.3, 0.2, 0.0, -0.05, 0.25}}});
  Matrix2d slow;
  Matrix2d fast;
  slow << 0.4, 0.1, 0.1, 0.3;
  fast << 0.2, 0.0, -0.05, 0.25;
  const auto G = [&](double t) -> Matrix2d {
    return Matrix2d::Identity() - slow - fast + slow * std::exp(-t / 0.3) +
           fast * std::exp(-t / 0.05);
  };
  const double t = 0.9;
  constexpr int pieces = 4000;
  const double h = t / pieces;
  Vector2d integral = Vector2d::Zero();
  for (int i = 0; i <= pieces; ++i) {
    const double s = i * h;
    const double weight = i == 0 || i == pieces ? 1.0 : (i % 2 == 1 ? 4.0 : 2.0);
    const Vector2d e(0.1 * std::sin(4.0 * s), 0.05 * (1.0 - std::cos(3.0 * s)));
    const Vector2d rate(0.4 * std::cos(4.0 * s), 0.15 * std::sin(3.0 * s));
    integral += weight * h / 3.0 * G(t - s) * response_slope(e) * rate;
  }
  // Error of the reference motion: fourth order, h = 0.9 ms.
  const auto seen = seen_after(d, t, 1000);
  EXPECT_NEAR(seen.at("tissue.load_1"), -integral[0], 1e-8);
  EXPECT_NEAR(seen.at("tissue.load_2"), -integral[1], 1e-8);
  // It is neither elastic nor linear: both would be told.
  const Vector2d e(0.1 * std::sin(3.6), 0.05 * (1.0 - std::cos(2.7)));
  EXPECT_GT((response(e) - integral).norm(), 0.1 * integral.norm());
}

// One variable, one branch and a linear response: the element that coordinate_viscoelastic is.
TEST(FungElement, OfALinearResponseIsTheLinearElement) {
  Description d = driven_block();
  Description linear = d;
  d.add_force("fung_element", "pad", {},
              {{"coordinates", std::vector<std::string>{"table.x"}},
               {"response", std::vector<std::string>{"100*table.x"}},
               {"branch_times", std::vector<double>{0.3}},
               {"branch_weights", std::vector<double>{0.6}}});
  linear.add_force("coordinate_viscoelastic", "pad", {},
                   {{"coordinate", std::string("table.x")},
                    {"stiffness", 40.0},
                    {"branch_stiffness", std::vector<double>{60.0}},
                    {"branch_times", std::vector<double>{0.3}}});
  EXPECT_NEAR(seen_after(d, 0.7, 300).at("pad.load_1"), seen_after(linear, 0.7, 300).at("pad.load"),
              1e-12);
}

// A strain that was held before the start has relaxed; one put on at the start has not.
TEST(FungElement, StartsFreshOrRelaxed) {
  Description d = driven_block();
  d.bodies[0].position = {0.1, 0, 0};
  d.drives[0].values["motion"] = std::string("0.1 m");
  d.bodies[0].velocity.setZero();
  const double E = 5.0 * (std::exp(0.8) - 1.0);
  Values values{{"coordinates", std::vector<std::string>{"table.x"}},
                {"response", std::vector<std::string>{"5*(exp(8*table.x) - 1)"}},
                {"branch_times", std::vector<double>{0.5}},
                {"branch_weights", std::vector<double>{0.7}}};
  Description relaxed = d;
  d.add_force("fung_element", "pad", {}, values);
  values["initial_response"] = std::vector<double>{E};
  relaxed.add_force("fung_element", "pad", {}, values);
  for (const double t : {0.0, 0.2, 1.0}) {
    const int steps = t > 0.0 ? 200 : 1;
    EXPECT_NEAR(seen_after(d, std::max(t, 1e-9), steps).at("pad.load_1"),
                -E * (0.3 + 0.7 * std::exp(-t / 0.5)), 2e-8);
    EXPECT_NEAR(seen_after(relaxed, std::max(t, 1e-9), steps).at("pad.load_1"), -0.3 * E, 1e-12);
  }
}

// Closed form of the spectrum by its definition: G = (1 + int S exp(-t/tau) dtau)/(1 + int S dtau),
// S = c/tau from tau_1 to tau_2.
TEST(FungElement, SpectrumIsItsIntegral) {
  const double c = 0.4;
  const double tau_1 = 0.02;
  const double tau_2 = 5.0;
  for (const double t : {1e-3, 0.05, 0.7, 20.0}) {
    constexpr int pieces = 2000;  // of ln(tau), Simpson's rule
    const double h = std::log(tau_2 / tau_1) / pieces;
    double sum = 0.0;
    for (int i = 0; i <= pieces; ++i) {
      const double weight = i == 0 || i == pieces ? 1.0 : (i % 2 == 1 ? 4.0 : 2.0);
      sum += weight * h / 3.0 * std::exp(-t / (tau_1 * std::exp(i * h)));
    }
    EXPECT_NEAR(relaxation_of_spectrum(c, tau_1, tau_2, t),
                (1.0 + c * sum) / (1.0 + c * std::log(tau_2 / tau_1)), 1e-10);
  }
  EXPECT_DOUBLE_EQ(relaxation_of_spectrum(c, tau_1, tau_2, 0.0), 1.0);
}

TEST(FungElement, FollowsTheSpectrumAsWellAsItsFit) {
  Description d = driven_block();
  d.bodies[0].position = {0.1, 0, 0};
  d.bodies[0].velocity.setZero();
  d.drives[0].values["motion"] = std::string("0.1 m");
  d.add_force("fung_element", "pad", {},
              {{"coordinates", std::vector<std::string>{"table.x"}},
               {"response", std::vector<std::string>{"5*(exp(8*table.x) - 1)"}},
               {"spectrum", std::vector<double>{0.4, 0.02, 5.0}}});
  const auto seen = seen_after(d, 0.5, 4000);
  EXPECT_LT(seen.at("pad.fit_error"), 5e-3);
  const double exact = 5.0 * (std::exp(0.8) - 1.0) * relaxation_of_spectrum(0.4, 0.02, 5.0, 0.5);
  EXPECT_NEAR(seen.at("pad.load_1"), -exact, 5e-3 * exact);
}

// The energy that is told is booked; the balance closes with it and without it.
TEST(FungElement, BalancesItsWork) {
  for (const bool told : {false, true}) {
    Description d = driven_block();
    d.drives.clear();
    d.bodies[0].position = {0.07, 0.04, 0};
    d.bodies[0].velocity = {0.4, -0.3, 0};
    Values values{{"coordinates", std::vector<std::string>{"table.x", "table.y"}},
                  {"response", responses},
                  {"branch_times", std::vector<double>{0.3}},
                  {"branch_weights", std::vector<double>{0.4}},
                  {"initial_response", std::vector<double>{0.3, -0.2}}};
    if (told) {
      values["energy"] = std::string(
          "0.6*(5*(exp(8*table.x)/8 - 1*table.x) + 10*(1*table.x)^2*table.y + 15*(1*table.y)^2 + "
          "100*(1*table.y)^4)");
    }
    d.add_force("fung_element", "tissue", {}, values);
    const auto system = compile(d);
    support::expect_force_tangent_is_derivative(*system, system->described_state());
    support::expect_energy_rate_is_power(*system, system->described_state());
    EXPECT_EQ(system->energy(system->described_state()).potential > 0.0, told);
  }
}

void expect_refused(const Values& values, const std::string& part) {
  Description d = driven_block();
  d.add_force("fung_element", "pad", {}, values);
  support::expect_refused(d, part);
}

TEST(FungElement, WrongMaterialsAreRefused) {
  const Values values{{"coordinates", std::vector<std::string>{"table.x", "table.y"}},
                      {"response", responses}};
  const auto with = [&](const char* key, std::vector<double> numbers) {
    Values changed = values;
    changed[key] = std::move(numbers);
    return changed;
  };
  expect_refused({{"coordinates", std::vector<std::string>{"table.x"}}, {"response", responses}},
                 "'response' has 2 entries for 1 coordinates");
  expect_refused(with("branch_weights", {0.1}), "'branch_weights' has 1 numbers for 0 times");
  expect_refused(with("remaining", {0.1, 0.2}), "'remaining' has 2 numbers for 2 coordinates");
  expect_refused(with("spectrum", {0.1, 2.0, 1.0}), "tau_1 < tau_2");
  expect_refused(with("initial_response", {0.1}), "'initial_response' has 1 entries");
  Values both = with("spectrum", {0.1, 1.0, 2.0});
  both["remaining"] = std::vector<double>{0.1};
  expect_refused(both, "both 'spectrum' and 'remaining'");
}

}  // namespace
}  // namespace trammel::model::fung_test
