#include "trammel/analysis/comparison/verdict.h"

#include <cmath>
#include <functional>

#include <gtest/gtest.h>

namespace trammel::analysis::comparison {
namespace {

SawToothWatch watched(const std::function<double(int)>& signal, int steps = 1000) {
  SawToothWatch watch(steps);
  for (int i = 0; i < steps; ++i) watch.add(system::Vector::Constant(1, signal(i)));
  return watch;
}

TEST(SawToothWatch, MeasuresTheAmplitudeOverTheRange) {
  // A sine of amplitude 1 at 100 steps in a period, with a saw-tooth of 0.05 on top: the third
  // difference of the sine is (2 pi/100)^3/8 = 3e-5.
  const auto watch =
      watched([](int i) { return std::sin(2.0 * M_PI * i / 100.0) + (i % 2 == 0 ? 0.05 : -0.05); });
  EXPECT_NEAR(watch.relative(), 0.05 / 2.1, 1e-3);
  EXPECT_FALSE(watch.grew());
  EXPECT_FALSE(watch.oscillates({.saw_tooth = 0.03}));
  EXPECT_TRUE(watch.oscillates({.saw_tooth = 0.02}));
}

TEST(SawToothWatch, IsQuietOnSmoothSignalsAndSharpPeaks) {
  const auto peak = watched([](int i) {
    const double x = (i - 500) / 2.5;  // a peak five steps wide
    return std::exp(-x * x);
  });
  EXPECT_LT(peak.relative(), 1e-3);
  EXPECT_FALSE(peak.oscillates(Limits{}));
  const auto jump = watched([](int i) { return i < 500 ? 0.0 : 1.0; });
  EXPECT_EQ(jump.relative(), 0.0);
}

TEST(SawToothWatch, SeesASawToothThatGrows) {
  const auto watch = watched([](int i) {
    const double amplitude = 1e-3 + 2e-2 * i / 1000.0;
    return std::sin(2.0 * M_PI * i / 100.0) + (i % 2 == 0 ? amplitude : -amplitude);
  });
  EXPECT_FALSE(watch.grew());  // from 5e-3 to 2e-2 it is less than tenfold
  const auto tenfold = watched([](int i) {
    const double amplitude = 2e-2 * std::pow(i / 1000.0, 3.0);
    return std::sin(2.0 * M_PI * i / 100.0) + (i % 2 == 0 ? amplitude : -amplitude);
  });
  EXPECT_TRUE(tenfold.grew());
  EXPECT_TRUE(tenfold.oscillates(Limits{}));
}

TEST(Verdict, HasTheWordsOfTheSource) {
  for (const Verdict v : {Verdict::stable, Verdict::oscillates, Verdict::drifts, Verdict::fails}) {
    EXPECT_EQ(verdict_from_string(to_string(v)), v);
  }
  EXPECT_EQ(to_string(Verdict::drifts), "drifts");
  EXPECT_EQ(verdict_from_string("unheard of"), Verdict::fails);
}

}  // namespace
}  // namespace trammel::analysis::comparison
