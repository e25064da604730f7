#include "trammel/results/plotting/axis.h"

#include <cmath>
#include <limits>
#include <random>

#include <gtest/gtest.h>

namespace trammel::results::plotting {
namespace {

std::vector<std::string> labels(const Axis& axis) {
  std::vector<std::string> texts;
  for (const Tick& tick : axis.ticks) texts.push_back(tick.label);
  return texts;
}

using Texts = std::vector<std::string>;

TEST(Axis, HasRoundTicks) {
  EXPECT_EQ(labels(make_axis({0.0, 2.0}, 5, 0.0)), (Texts{"0.0", "0.5", "1.0", "1.5", "2.0"}));
  EXPECT_EQ(labels(make_axis({-30.0, 42.0}, 4, 0.0)), (Texts{"\u221220", "0", "20", "40"}));
}

TEST(Axis, TakesOutPowersOfTen) {
  const Axis small = make_axis({0.0, 4e-6}, 4, 0.0);
  EXPECT_EQ(labels(small), (Texts{"0", "1", "2", "3", "4"}));
  EXPECT_EQ(small.note, "\u00D710\u207B\u2076");
  const Axis large = make_axis({-4e5, 4e5}, 4, 0.0);
  EXPECT_EQ(labels(large), (Texts{"\u2212400", "\u2212200", "0", "200", "400"}));
  EXPECT_EQ(large.note, "\u00D710\u00B3");
}

TEST(Axis, TakesOutWhatAllLabelsWouldBeginWith) {
  const Axis axis = make_axis({1.23456701, 1.23456708}, 4, 0.0);
  EXPECT_EQ(axis.note, "\u00D710\u207B\u2079 + 1.234567");
  EXPECT_EQ(labels(axis), (Texts{"20", "40", "60", "80"}));
}

TEST(Axis, WidensARangeWithoutWidth) {
  const Axis constant = make_axis({7.0, 7.0}, 5, 0.0);
  EXPECT_LT(constant.low, 7.0);
  EXPECT_GT(constant.high, 7.0);
  const Axis noise = make_axis({1.0, 1.0 + 1e-15}, 5, 0.0);
  EXPECT_GT(noise.high - noise.low, 0.1);
  const Axis nothing = make_axis({}, 5, 0.0);
  EXPECT_LT(nothing.low, nothing.high);
}

// Whatever the range: at least one tick, not many more than asked for, all inside, evenly spaced.
TEST(Axis, IsReasonableForEveryRange) {
  std::mt19937 random(3);
  std::uniform_real_distribution<double> exponent(-250.0, 250.0);
  std::uniform_real_distribution<double> mantissa(-1.0, 1.0);
  for (int trial = 0; trial < 5000; ++trial) {
    Range range;
    const double scale = std::pow(10.0, exponent(random));
    range.include(mantissa(random) * scale);
    range.include(range.low + std::abs(mantissa(random)) * scale * std::pow(10.0, -trial % 11));
    const Axis axis = make_axis(range, 6, 0.05);
    ASSERT_LT(axis.low, axis.high);
    ASSERT_GE(axis.ticks.size(), 1U) << range.low << " to " << range.high;
    ASSERT_LE(axis.ticks.size(), 8U);
    const double slack = 1e-6 * (axis.high - axis.low);
    for (const Tick& tick : axis.ticks) {
      ASSERT_GE(tick.value, axis.low - slack);
      ASSERT_LE(tick.value, axis.high + slack);
      ASSERT_LE(tick.label.size(), 12U) << tick.label << " in " << range.low << " " << range.high;
    }
  }
}

TEST(Range, LeavesOutWhatIsNotFinite) {
  Range range;
  range.include(std::numeric_limits<double>::quiet_NaN());
  range.include(std::numeric_limits<double>::infinity());
  EXPECT_TRUE(range.empty());
  range.include(3.0);
  EXPECT_EQ(range.low, 3.0);
  EXPECT_EQ(range.high, 3.0);
}

TEST(Superscripts, AreMadeFromPowers) {
  EXPECT_EQ(with_superscripts("m/s^2"), "m/s\u00B2");
  EXPECT_EQ(with_superscripts("kg m^2 s^-1"), "kg m\u00B2 s\u207B\u00B9");
  EXPECT_EQ(with_superscripts("a^b^"), "a^b^");
}

TEST(LogAxis, HasPowersOfTenAndOneTwoFiveBetweenThem) {
  const Axis wide = make_log_axis({-3.0, 0.0}, 0.0);  // 0.001 to 1
  EXPECT_EQ(labels(wide),
            (Texts{"10\u207B\u00B3", "10\u207B\u00B2", "10\u207B\u00B9", "10\u2070"}));
  const Axis narrow = make_log_axis({std::log10(0.9), std::log10(6.0)}, 0.0);
  EXPECT_EQ(labels(narrow), (Texts{"1", "2", "5"}));
  EXPECT_NEAR(narrow.ticks[1].value, std::log10(2.0), 1e-15);
  const Axis huge = make_log_axis({-40.0, 40.0}, 0.0);
  EXPECT_LE(huge.ticks.size(), 9u);
  EXPECT_TRUE(make_log_axis({}, 0.1).ticks.empty());
}

}  // namespace
}  // namespace trammel::results::plotting
