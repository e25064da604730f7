#include "trammel/report/chart.h"

#include <cmath>

#include <gtest/gtest.h>

namespace trammel::report {
namespace {

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) {
    ++found;
  }
  return found;
}

TEST(Chart, DrawsAMarkWithItsTextForEveryPointThatCanBeShown) {
  const Chart chart{"Error & step",
                    "h",
                    "error",
                    true,
                    true,
                    {{.label = "a < b",
                      .color = 2,
                      .dashes = 1,
                      .marker = 1,
                      .x = {1e-3, 1e-2, 0.1, 1.0},
                      .y = {1e-6, 1e-4, 0.0, std::nan("")},
                      .texts = {"first", "second", "third", "fourth"},
                      .classes = {"g-7"}}}};
  const std::string text = svg(chart);
  EXPECT_EQ(count(text, "class=\"mark\""), 2u);  // zero and NaN have no place on the axis
  EXPECT_NE(text.find("<title>second</title>"), std::string::npos);
  EXPECT_NE(text.find("class=\"line c2 d1 g-7\""), std::string::npos);
  EXPECT_NE(text.find("Error &amp; step"), std::string::npos);
  EXPECT_NE(text.find("a &lt; b"), std::string::npos);
  EXPECT_NE(text.find("10\u207B\u2076"), std::string::npos);  // a tick at 1e-6
  EXPECT_EQ(text.find("nan"), std::string::npos);
}

TEST(Chart, PutsEqualRatiosAtEqualDistancesOnLogarithmicAxes) {
  const std::string text =
      svg(Chart{"", "", "", true, true, {{.label = "", .x = {1, 10, 100}, .y = {1, 10, 100}}}});
  const std::size_t begin = text.find("<g class=\"line c0 d0\"><path d=\"M") + 32;
  double x[3];
  double y[3];
  ASSERT_EQ(std::sscanf(text.c_str() + begin, "%lf %lfL%lf %lfL%lf %lf", &x[0], &y[0], &x[1], &y[1],
                        &x[2], &y[2]),
            6);
  EXPECT_NEAR(x[1] - x[0], x[2] - x[1], 0.11);  // a tenth of a unit is written
  EXPECT_NEAR(y[0] - y[1], y[1] - y[2], 0.11);
}

// A slope below the smallest errors, and steps that are no round numbers of a decade.
TEST(Chart, HoldsItsGuidesAndMarksTheValuesAtWhichPointsStand) {
  Chart chart{"", "", "", true, true, {{.label = "", .x = {1e-3, 2e-3, 4e-3}, .y = {1, 4, 16}}}};
  chart.guides.push_back({.label = "h", .x = {1e-3, 2e-3}, .y = {1e-4, 4e-4}});
  const std::string text = svg(chart);
  for (const char* tick : {">0.001<", ">0.002<", ">0.004<"}) {
    EXPECT_NE(text.find(tick), std::string::npos) << tick;
  }
  EXPECT_EQ(text.find(">0.005<"), std::string::npos);
  const std::size_t begin = text.find("<path class=\"guide\" d=\"M") + 24;
  double x[2];
  double y[2];
  ASSERT_EQ(std::sscanf(text.c_str() + begin, "%lf %lfL%lf %lf", &x[0], &y[0], &x[1], &y[1]), 4);
  const double bottom = chart.height - 46.0;
  EXPECT_LT(y[0], bottom);
  EXPECT_LT(y[1], y[0]);
}

TEST(Chart, OfNothingIsStillAPicture) {
  const std::string text = svg(Chart{"empty", "x", "y", true, true, {}});
  EXPECT_NE(text.find("</svg>"), std::string::npos);
  EXPECT_EQ(text.find("nan"), std::string::npos);
}

}  // namespace
}  // namespace trammel::report
