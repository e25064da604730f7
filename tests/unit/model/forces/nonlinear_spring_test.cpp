#include "trammel/model/forces/nonlinear_spring.h"

#include <cmath>
#include <limits>

#include "support/force_laws.h"
#include <gtest/gtest.h>

namespace trammel::model::nonlinear_spring_test {
namespace {

using support::Random;
using support::Side;

// A ball at x on the x axis, tied to the origin.
Description tied_ball(double x, double v, const char* kind, Values values) {
  Description d;
  Body ball;
  ball.name = "ball";
  ball.kind = BodyKind::point;
  ball.mass.mass = 1.0;
  ball.position = {x, 0, 0};
  ball.velocity = {v, 0, 0};
  d.add_body(ball);
  d.add_force(kind, "item", {"ground", "ball"}, std::move(values));
  return d;
}

double tension(double x, double v, const char* kind, const Values& values) {
  const auto system = compile(tied_ball(x, v, kind, values));
  system::Vector f;
  system->forces(system->described_state(), f);
  return -f[0];
}

TEST(NonlinearSpring, LinearOnesAreTheSpring) {
  const std::vector<double> ends{-1.0, 1.0};
  for (unsigned seed = 1; seed <= 5; ++seed) {
    Random random(seed);
    const support::RandomPair pair =
        support::random_pair(Space::spatial, Side::body, Side::body, 1.0, random);
    const auto forces = [&](const char* kind, const Values& values) {
      Description d = pair.description;
      d.add_force(kind, "item", {pair.mark_a, pair.mark_b}, values);
      const auto system = compile(d);
      system::Vector f;
      system->forces(system->described_state(), f);
      return f;
    };
    const system::Vector expected =
        forces("spring", {{"stiffness", 7.0}, {"damping", 2.0}, {"length", 0.4}, {"preload", 1.5}});
    const system::Vector polynomial =
        forces("polynomial_spring", {{"stiffness", std::vector<double>{7.0}},
                                     {"damping", std::vector<double>{2.0}},
                                     {"length", 0.4},
                                     {"preload", 1.5}});
    const system::Vector table =
        forces("table_spring", {{"extensions", ends},
                                {"forces", std::vector<double>{-7.0, 7.0}},
                                {"rates", ends},
                                {"damping_forces", std::vector<double>{-2.0, 2.0}},
                                {"length", 0.4},
                                {"preload", 1.5}});
    EXPECT_LE((polynomial - expected).norm(), 1e-13 * (1.0 + expected.norm()));
    EXPECT_LE((table - expected).norm(), 1e-13 * (1.0 + expected.norm()));
  }
}

TEST(NonlinearSpring, PolynomialOfExtensionAndRate) {
  const Values values{{"stiffness", std::vector<double>{2.0, 3.0, 4.0}},
                      {"damping", std::vector<double>{1.0, 5.0}},
                      {"length", 1.0}};
  const double e = 0.5;
  const double v = -0.2;
  EXPECT_NEAR(tension(1.5, v, "polynomial_spring", values),
              2 * e + 3 * e * e + 4 * e * e * e + v + 5 * v * std::abs(v), 1e-14);
}

TEST(NonlinearSpring, RopePullsAndNeverPushes) {
  const Values rope{{"stiffness", std::vector<double>{100.0}},
                    {"damping", std::vector<double>{10.0}},
                    {"length", 1.0},
                    {"acts", std::string("tension")}};
  EXPECT_EQ(tension(0.9, 5.0, "polynomial_spring", rope), 0.0);
  EXPECT_NEAR(tension(1.1, 0.5, "polynomial_spring", rope), 10.0 + 5.0, 1e-12);
  EXPECT_EQ(tension(1.1, -5.0, "polynomial_spring", rope), 0.0);
  Values stop = rope;
  stop["acts"] = std::string("compression");
  EXPECT_EQ(tension(1.1, -5.0, "polynomial_spring", stop), 0.0);
  EXPECT_NEAR(tension(0.9, -0.5, "polynomial_spring", stop), -10.0 - 5.0, 1e-12);
}

TEST(NonlinearSpring, SmoothedRopeJoinsBothSides) {
  // At the ends of the smoothing, slack and the full law; the potential is the integral throughout.
  const NonlinearSpringLaw law({.length = 1.0,
                                .elastic = ForceCurve::polynomial({100.0}),
                                .side = ActsIn::tension,
                                .smoothing = 0.2});
  EXPECT_EQ(law.tension(0.899, 0.0).total, 0.0);
  EXPECT_NEAR(law.tension(1.1, 0.0).total, 10.0, 1e-12);
  EXPECT_NEAR(law.tension(1.3, 0.0).total, 30.0, 1e-12);
  double work = 0.0;
  constexpr int steps = 2000;
  for (int i = 0; i < steps; ++i) {
    work += law.tension(0.85 + 0.4 * (i + 0.5) / steps, 0.0).total * 0.4 / steps;
  }
  // Midpoint rule: h^2/24 of the change of slope, 100 * 0.4^2 / steps^2.
  EXPECT_NEAR(law.potential(1.25), work, 1e-5);
}

TEST(ForceCurve, IntegralOfATableIsThatOfItsCubics) {
  for (const auto interpolation :
       {expression::Interpolation::linear, expression::Interpolation::spline,
        expression::Interpolation::pchip, expression::Interpolation::akima}) {
    const ForceCurve curve = ForceCurve::table(
        "points", {-1.0, -0.2, 0.5, 1.0, 2.0}, {-3.0, 0.5, 1.0, 4.0, 2.0},
        {.interpolation = interpolation, .extrapolation = expression::Extrapolation::extend});
    // Central differences of the integral, away from the points where cubics change.
    for (const double x : {-1.5, -0.6, 0.1, 0.8, 1.7, 2.6}) {
      constexpr double h = 1e-4;
      const double slope = (curve.integral(x + h) - curve.integral(x - h)) / (2.0 * h);
      // h^2/6 of a second derivative of some 100.
      EXPECT_NEAR(slope, curve.at(x).value, 1e-6) << x;
    }
    EXPECT_EQ(curve.integral(0.0), 0.0);
  }
}

void expect_refused(const Values& values, const std::string& part) {
  try {
    compile(tied_ball(1.0, 0.0, "table_spring", values));
    FAIL() << "not refused: " << part;
  } catch (const core::InputError& error) {
    const std::string text = core::to_string(error.diagnostics().front());
    EXPECT_NE(text.find("forces.item"), std::string::npos) << text;
    EXPECT_NE(text.find(part), std::string::npos) << text;
  }
}

TEST(NonlinearSpring, WrongTablesAreRefused) {
  using List = std::vector<double>;
  const double nan = std::numeric_limits<double>::quiet_NaN();
  expect_refused({{"extensions", List{0, 2, 1}}, {"forces", List{0, 1, 2}}},
                 "2 does not come before 1");
  expect_refused({{"extensions", List{0, 1}}, {"forces", List{0, nan}}}, "nan");
  expect_refused({{"extensions", List{0, 1}}}, "only one of extensions and forces");
  expect_refused({{"extensions", List{0, 1, 2}}, {"forces", List{0, 1}}}, "forces over extensions");
  expect_refused({{"rates", List{-1, 1}}, {"damping_forces", List{1, -1}}}, "would drive");
}

}  // namespace
}  // namespace trammel::model::nonlinear_spring_test
