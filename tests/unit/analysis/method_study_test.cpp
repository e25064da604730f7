#include "trammel/analysis/method_study.h"

#include <cmath>

#include <gtest/gtest.h>

namespace trammel::analysis {
namespace {

using integrators::Family;

TEST(MethodStudy, AmplificationHasItsLimits) {
  const auto damped = amplification(gssss_parameters(Family::U0, {0.8, 0.8, 0.8}));
  EXPECT_NEAR(damped.front().radius, 1.0, 1e-5);  // resolved frequencies are kept
  // A triple root at infinity: eigenvalues have the cube root of what is left at w h = 1e4.
  EXPECT_NEAR(damped.back().radius, 0.8, 0.01);
  for (const Amplification& point : amplification(gssss_parameters(Family::V0, {1, 1, 0}))) {
    EXPECT_NEAR(point.radius, 1.0, 1e-6);
  }
}

TEST(MethodStudy, NewmarksPeriodIsTooLongByATwelfthOfTheSquaredStep) {
  // Average acceleration: tan(w' h/2) = w h/2, so that T'/T - 1 = (w h)^2/12 + O((w h)^4).
  const auto points = amplification(gssss_parameters(Family::U0, {1, 1, 0}), 0.0, 0.05, 0.1, 2);
  for (const Amplification& point : points) {
    const double exact = 0.5 * point.frequency / std::atan(0.5 * point.frequency) - 1.0;
    EXPECT_NEAR(point.period_error, exact, 1e-10);
    EXPECT_NEAR(point.damping, 0.0, 1e-9);
  }
}

TEST(MethodStudy, KnowsTheNamesOfMembers) {
  EXPECT_EQ(names_of(Family::V0, {1, 1, 0}), std::vector<std::string>{"mpr-mpa"});
  EXPECT_EQ(names_of(Family::U0, {0.8, 0.8, 0.8}),
            std::vector<std::string>{"generalized-alpha 0.8"});
  EXPECT_TRUE(names_of(Family::V0, {0.3, 0.7, 0.2}).empty());
  // U0 and V0 meet there.
  EXPECT_EQ(names_of(Family::V0, {0.5, 1, 0.5}), names_of(Family::U0, {0.5, 1, 0.5}));
}

TEST(MethodStudy, MeasuresOrderTwoOnTheHingedRod) {
  const comparison::Comparison c = measured_orders(Family::V0, {0.8, 0.8, 0.8});
  int measured = 0;
  for (const comparison::Row& row : c.rows) {
    if (row.result.step > 0.003) continue;
    ++measured;
    EXPECT_NEAR(row.order.position, 2.0, 0.2) << row.candidate.name();
    EXPECT_NEAR(row.order.velocity, 2.0, 0.2) << row.candidate.name();
    EXPECT_NEAR(row.order.acceleration, 2.0, 0.3) << row.candidate.name();
    EXPECT_NEAR(row.order.reaction, 2.0, 0.3) << row.candidate.name();
  }
  EXPECT_EQ(measured, 6);
}

TEST(MethodStudy, SaysWhatAMemberIsGoodFor) {
  const auto all = [](Family family, const integrators::SpectralRadii& radii) {
    std::string text;
    for (const std::string& use : uses_of(family, radii)) text += use + "\n";
    return text;
  };
  EXPECT_NE(all(Family::V0, {1, 1, 0}).find("conservation: energy"), std::string::npos);
  EXPECT_NE(all(Family::U0, {1, 1, 0}).find("not at index 3"), std::string::npos);
  EXPECT_NE(all(Family::U0, {0.6, 0.6, 0.6}).find("damps"), std::string::npos);
  EXPECT_NE(all(Family::U0, {0, 0, 0}).find("index 3 or 2 only"), std::string::npos);
}

}  // namespace
}  // namespace trammel::analysis
