#include "trammel/results/summary.h"

#include <cmath>
#include <vector>

#include <gtest/gtest.h>

namespace trammel::results {
namespace {

TEST(Summary, OfASine) {
  // A whole period in uneven steps: rows that lie close together do not count for more.
  std::vector<double> time;
  std::vector<double> values;
  for (int i = 0; i <= 2000; ++i) {
    const double s = i / 2000.0;
    time.push_back(2.0 * M_PI * s * s);
    values.push_back(1.0 + 2.0 * std::sin(time.back()));
  }
  const Summary s = summary(time, values);
  EXPECT_NEAR(s.least, -1.0, 1e-5);
  EXPECT_NEAR(s.least_time, 1.5 * M_PI, 1e-2);
  EXPECT_NEAR(s.largest, 3.0, 1e-5);
  EXPECT_NEAR(s.largest_time, 0.5 * M_PI, 1e-2);
  EXPECT_NEAR(s.mean, 1.0, 1e-5);
  EXPECT_NEAR(s.rms, std::sqrt(3.0), 1e-5);
  EXPECT_EQ(s.last, values.back());
}

TEST(Summary, NamesTheFirstOfSeveralExtremes) {
  const std::vector<double> time{0, 1, 2, 3};
  const std::vector<double> values{2, 1, 2, 1};
  EXPECT_EQ(summary(time, values).least_time, 1.0);
  EXPECT_EQ(summary(time, values).largest_time, 0.0);
}

TEST(Summary, OfOneRowIsThatRow) {
  const std::vector<double> time{3};
  const std::vector<double> values{-2};
  const Summary s = summary(time, values);
  EXPECT_EQ(s.mean, -2.0);
  EXPECT_EQ(s.rms, 2.0);
  EXPECT_EQ(s.last, -2.0);
}

TEST(Summary, OfNothingOrNotANumberSaysSo) {
  EXPECT_TRUE(std::isnan(summary({}, {}).mean));
  const std::vector<double> time{0, 1};
  const std::vector<double> values{1, NAN};
  EXPECT_TRUE(std::isnan(summary(time, values).largest));
}

TEST(Summary, OfHugeValuesDoesNotOverflow) {
  const std::vector<double> time{0, 1};
  const std::vector<double> values{1e200, 1e200};
  EXPECT_NEAR(summary(time, values).rms / 1e200, 1.0, 1e-12);
}

}  // namespace
}  // namespace trammel::results
