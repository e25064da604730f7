#include "trammel/results/plotting/decimate.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <gtest/gtest.h>

namespace trammel::results::plotting {
namespace {

constexpr Map unchanged{{0.0, 0.0}, {1.0, 1.0}};

TEST(VisibleLines, KeepEveryPeakOfAMillionSamples) {
  constexpr std::size_t count = 1000000;
  std::vector<double> x(count);
  std::vector<double> y(count);
  for (std::size_t i = 0; i < count; ++i) {
    x[i] = 900.0 * static_cast<double>(i) / count;
    y[i] = 100.0 * std::sin(0.01 * static_cast<double>(i));
  }
  y[123456] = 400.0;
  y[765432] = -400.0;
  const auto lines = visible_lines(x, y, unchanged, 0.5);
  ASSERT_EQ(lines.size(), 1U);
  EXPECT_LE(lines[0].size(), 4U * 1801U);
  const auto [low, high] = std::minmax_element(
      lines[0].begin(), lines[0].end(), [](const Point& a, const Point& b) { return a.y < b.y; });
  EXPECT_EQ(high->y, 400.0);
  EXPECT_EQ(high->x, x[123456]);
  EXPECT_EQ(low->y, -400.0);
  EXPECT_EQ(lines[0].back().x, x.back());
  EXPECT_TRUE(std::is_sorted(lines[0].begin(), lines[0].end(),
                             [](const Point& a, const Point& b) { return a.x < b.x; }));
}

TEST(VisibleLines, BreakWhereNumbersAreMissing) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const std::vector<double> x{0, 10, 20, 30, 40, 50};
  const std::vector<double> y{nan, 1, 2, nan, 4, std::numeric_limits<double>::infinity()};
  const auto lines = visible_lines(x, y, unchanged, 0.5);
  ASSERT_EQ(lines.size(), 2U);
  EXPECT_EQ(lines[0].size(), 2U);
  EXPECT_EQ(lines[1].size(), 1U);
}

TEST(VisibleLines, FollowAPathToWithinTheResolution) {
  // Three turns of a circle, far more densely sampled than can be seen.
  std::vector<double> x;
  std::vector<double> y;
  for (int i = 0; i < 300000; ++i) {
    x.push_back(100.0 * std::cos(6.0 * std::acos(-1.0) * i / 299999.0));
    y.push_back(100.0 * std::sin(6.0 * std::acos(-1.0) * i / 299999.0));
  }
  const auto lines = visible_lines(x, y, unchanged, 0.5);
  ASSERT_EQ(lines.size(), 1U);
  EXPECT_LT(lines[0].size(), 10000U);
  // The circumferences of three circles, short by chords of 1/4 unit: relatively (0.25/200)^2/6.
  double length = 0.0;
  for (std::size_t i = 1; i < lines[0].size(); ++i) {
    length += std::hypot(lines[0][i].x - lines[0][i - 1].x, lines[0][i].y - lines[0][i - 1].y);
  }
  EXPECT_NEAR(length, 600.0 * std::acos(-1.0), 0.01);
}

}  // namespace
}  // namespace trammel::results::plotting
