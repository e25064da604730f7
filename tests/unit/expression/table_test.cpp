#include "trammel/expression/table.h"

#include <cmath>
#include <limits>
#include <numbers>

#include <gtest/gtest.h>

#include "trammel/expression/primitives.h"

namespace trammel::expression::table_test {
namespace {

constexpr double pi = std::numbers::pi;
constexpr double nan = std::numeric_limits<double>::quiet_NaN();
using Numbers = std::vector<double>;

const std::vector<Interpolation> all_kinds{Interpolation::linear, Interpolation::spline,
                                           Interpolation::pchip, Interpolation::akima};

TableOptions options(Interpolation interpolation,
                     Extrapolation extrapolation = Extrapolation::hold) {
  TableOptions result;
  result.interpolation = interpolation;
  result.extrapolation = extrapolation;
  return result;
}

/// x from `first` to `last` in `count` points, uneven unless told.
Numbers grid(double first, double last, std::size_t count, double uneven = 0.3) {
  Numbers x;
  for (std::size_t i = 0; i < count; ++i) {
    const double u = static_cast<double>(i) / static_cast<double>(count - 1);
    x.push_back(first + (last - first) * (u + uneven * u * (1.0 - u)));
  }
  return x;
}

Numbers mapped(const Numbers& x, double (*f)(double)) {
  Numbers y;
  for (const double each : x) y.push_back(f(each));
  return y;
}

std::string mistakes(Numbers x, Numbers y, TableOptions given = {}) {
  try {
    const Table table("lift", std::move(x), std::move(y), given);
  } catch (const core::InputError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(Table, PassesThroughItsPointsAndContinuesLines) {
  const Numbers x{0.0, 0.5, 2.0, 2.5, 7.0};
  const Numbers y{1.0, -2.0, 0.5, 0.6, 3.0};
  const Numbers line{1.0, 2.0, 5.0, 6.0, 15.0};  // 1 + 2 x
  for (const Interpolation kind : all_kinds) {
    const Table table("points", x, y, options(kind));
    const Table straight("line", x, line, options(kind, Extrapolation::extend));
    for (std::size_t i = 0; i < x.size(); ++i) EXPECT_NEAR(table.value(x[i]), y[i], 1e-14);
    for (const double place : {-3.0, 0.2, 1.7, 2.4, 6.0, 9.0}) {
      // A straight line through all points is the line itself, to round-off.
      EXPECT_NEAR(straight.value(place), 1.0 + 2.0 * place, 1e-13);
      EXPECT_NEAR(straight.at(place).first, 2.0, 1e-13);
    }
  }
}

TEST(Table, DerivativesAgreeWithDifferences) {
  const Numbers x = grid(0.0, 3.0, 9);
  const Numbers y = mapped(x, [](double s) { return std::sin(2.0 * s); });
  const double h = 1e-4;
  for (const Interpolation kind : all_kinds) {
    const Table table("wave", x, y, options(kind));
    for (const double place : {0.111, 0.777, 1.5, 2.9}) {
      const Derivatives at = table.at(place);
      const Derivatives left = table.at(place - h);
      const Derivatives right = table.at(place + h);
      // A cubic: central differences are wrong by h^2/6 y''' (y''' is below 100) and round-off.
      EXPECT_NEAR(at.first, (right.value - left.value) / (2.0 * h), 1e-6);
      EXPECT_NEAR(at.second, (right.first - left.first) / (2.0 * h), 1e-6);
      EXPECT_NEAR(at.third, (right.second - left.second) / (2.0 * h), 1e-6);
    }
  }
}

TEST(Table, IsAsSmoothAsPromised) {
  const Numbers x = grid(0.0, 3.0, 9);
  const Numbers y = mapped(x, [](double s) { return std::sin(2.0 * s); });
  for (const Interpolation kind : all_kinds) {
    const Table table("wave", x, y, options(kind, Extrapolation::none));
    double jump_first = 0.0;
    double jump_second = 0.0;
    for (std::size_t i = 1; i + 1 < x.size(); ++i) {
      const Derivatives left = table.at(std::nextafter(x[i], 0.0));
      const Derivatives right = table.at(x[i]);
      EXPECT_NEAR(left.value, right.value, 1e-12);
      jump_first = std::max(jump_first, std::abs(left.first - right.first));
      jump_second = std::max(jump_second, std::abs(left.second - right.second));
    }
    EXPECT_EQ(jump_first < 1e-11, table.smooth() >= 1) << jump_first;
    EXPECT_EQ(jump_second < 1e-10 && table.smooth() > 0, table.smooth() >= 2) << jump_second;
  }
}

TEST(Table, SplinesReproduceCubicsWithTheirEndSlopes) {
  const auto cubic = [](double s) { return 1.0 - s + 0.5 * s * s * s; };
  const Numbers x = grid(-1.0, 2.0, 6);
  TableOptions clamped = options(Interpolation::spline);
  clamped.first_slope = -1.0 + 1.5;
  clamped.last_slope = -1.0 + 6.0;
  const Table table("cubic", x, mapped(x, cubic), clamped);
  for (double s = -1.0; s <= 2.0; s += 0.1) {
    // Unique: the clamped spline of a cubic is the cubic.
    EXPECT_NEAR(table.value(s), cubic(s), 1e-13);
    EXPECT_NEAR(table.at(s).second, 3.0 * s, 1e-11);
  }
}

TEST(Table, NaturalSplinesEndWithoutCurvature) {
  const Table table("wave", {0.0, 1.0, 2.5, 3.0}, {0.0, 2.0, -1.0, 4.0},
                    options(Interpolation::spline, Extrapolation::extend));
  EXPECT_NEAR(table.at(0.0).second, 0.0, 1e-13);
  EXPECT_NEAR(table.at(3.0).second, 0.0, 1e-12);
  EXPECT_EQ(table.smooth(), 1);
}

TEST(Table, ErrorsFallWithTheirOrder) {
  const auto worst = [](Interpolation kind, std::size_t count) {
    const auto wave = [](double s) { return std::sin(s); };
    const Numbers x = grid(0.0, 2.0 * pi, count, 0.0);
    Numbers y = mapped(x, wave);
    y.back() = y.front();
    const Table table("wave", x, y, options(kind, Extrapolation::periodic));
    double error = 0.0;
    for (double s = -4.0; s < 12.0; s += 0.01) {
      error = std::max(error, std::abs(table.value(s) - std::sin(s)));
    }
    return error;
  };
  // Halving the intervals divides the error by 4 (linear; pchip is of second order at extrema) or
  // 16 (spline); Akima is between. A tenth of slack for the next terms.
  EXPECT_GT(worst(Interpolation::linear, 33) / worst(Interpolation::linear, 65), 3.6);
  EXPECT_GT(worst(Interpolation::spline, 33) / worst(Interpolation::spline, 65), 14.4);
  EXPECT_GT(worst(Interpolation::pchip, 33) / worst(Interpolation::pchip, 65), 3.6);
  EXPECT_GT(worst(Interpolation::akima, 33) / worst(Interpolation::akima, 65), 3.6);
  // The periodic spline: h^4 5/384 of the fourth derivative, which is 1.
  EXPECT_LT(worst(Interpolation::spline, 33), 1.1 * 5.0 / 384.0 * std::pow(2.0 * pi / 32.0, 4));
}

TEST(Table, PeriodsCloseSmoothly) {
  for (const std::size_t count : {3U, 4U, 9U}) {
    const Numbers x = grid(0.0, 2.0 * pi, count);
    Numbers y = mapped(x, [](double s) { return std::sin(s + 0.5); });
    y.back() = y.front();
    const Table table("cam", x, y, options(Interpolation::spline, Extrapolation::periodic));
    const Derivatives end = table.at(2.0 * pi - 1e-12);
    const Derivatives start = table.at(0.0);
    EXPECT_NEAR(end.value, start.value, 1e-11) << count;
    EXPECT_NEAR(end.first, start.first, 1e-10) << count;
    EXPECT_NEAR(end.second, start.second, 1e-9) << count;
    EXPECT_NEAR(table.value(1.0), table.value(1.0 + 40.0 * pi), 1e-12) << count;
  }
}

TEST(Table, PchipDoesNotOvershoot) {
  const Table table("stairs", {0.0, 1.0, 2.0, 3.0, 4.0}, {0.0, 0.0, 1.0, 1.0, 5.0},
                    options(Interpolation::pchip));
  double before = 0.0;
  for (double s = 0.0; s <= 4.0; s += 0.01) {
    const double value = table.value(s);
    EXPECT_GE(value, before - 1e-15) << s;
    before = value;
  }
  EXPECT_EQ(table.value(0.5), 0.0);
  EXPECT_EQ(table.value(2.5), 1.0);
}

TEST(Table, FollowsItsRuleOutside) {
  const auto outside = [](Extrapolation rule) {
    return Table("t", {0.0, 1.0, 2.0}, {0.0, 3.0, 0.0}, options(Interpolation::linear, rule));
  };
  EXPECT_EQ(outside(Extrapolation::hold).value(-1.0), 0.0);
  EXPECT_EQ(outside(Extrapolation::hold).at(9.0).first, 0.0);
  EXPECT_EQ(outside(Extrapolation::extend).value(-1.0), -3.0);
  EXPECT_EQ(outside(Extrapolation::extend).value(3.0), -3.0);
  EXPECT_EQ(outside(Extrapolation::periodic).value(3.0), 3.0);
  EXPECT_TRUE(std::isnan(outside(Extrapolation::none).value(2.1)));
  EXPECT_EQ(outside(Extrapolation::none).value(2.0), 0.0);
  EXPECT_TRUE(std::isnan(outside(Extrapolation::hold).value(nan)));
}

TEST(Table, EvenAndUnevenSearchAgree) {
  // The last point decides which search is used; the intervals before it are the same.
  const Numbers even{0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6};
  Numbers uneven = even;
  uneven.push_back(5.0);
  const Numbers y{1.0, 4.0, 2.0, 8.0, 5.0, 7.0, 6.0, 6.0};
  const Table fast("fast", even, Numbers(y.begin(), y.end() - 1), options(Interpolation::linear));
  const Table slow("slow", uneven, y, options(Interpolation::linear));
  for (const double x : even) {
    for (const double place : {x, std::nextafter(x, 0.0), std::nextafter(x, 0.6), x + 0.03}) {
      if (place < 0.0 || place >= 0.6) continue;
      EXPECT_EQ(fast.value(place), slow.value(place)) << place;
      EXPECT_EQ(fast.at(place).first, slow.at(place).first) << place;
    }
  }
}

TEST(Table, RefusesWrongPoints) {
  EXPECT_NE(mistakes({0.0, 1.0}, {0.0}).find("2 abscissae, but 1 values"), std::string::npos);
  EXPECT_NE(mistakes({0.0}, {0.0}).find("at least 2 points"), std::string::npos);
  EXPECT_NE(mistakes({}, {}).find("0 points"), std::string::npos);
  EXPECT_NE(mistakes({0.0, nan}, {0.0, 1.0}).find("row 2: the abscissa is nan"), std::string::npos);
  EXPECT_NE(mistakes({0.0, 1.0}, {HUGE_VAL, 1.0}).find("row 1: the value is inf"),
            std::string::npos);
  EXPECT_NE(mistakes({0.0, 2.0, 1.0}, {0.0, 1.0, 2.0}).find("row 3: the abscissa 1 is less than 2"),
            std::string::npos);
  EXPECT_NE(mistakes({0.0, 1.0, 1.0}, {0.0, 1.0, 2.0}).find("comes twice"), std::string::npos);
  EXPECT_NE(
      mistakes({0.0, 1.0}, {0.0, 1.0}, options(Interpolation::spline, Extrapolation::periodic))
          .find("differ"),
      std::string::npos);
  TableOptions sloped = options(Interpolation::linear);
  sloped.first_slope = 1.0;
  EXPECT_NE(mistakes({0.0, 1.0}, {0.0, 1.0}, sloped).find("end slopes"), std::string::npos);
  // All at once.
  const std::string both = mistakes({nan, 1.0}, {0.0, nan});
  EXPECT_NE(both.find("abscissa is nan"), std::string::npos);
  EXPECT_NE(both.find("value is nan"), std::string::npos);
}

TEST(Table, KindsHaveNames) {
  EXPECT_EQ(interpolation_named("akima"), Interpolation::akima);
  EXPECT_EQ(extrapolation_named("none"), Extrapolation::none);
  EXPECT_EQ(interpolation_names().size(), all_kinds.size());
  EXPECT_FALSE(interpolation_named("cubic"));
}

}  // namespace
}  // namespace trammel::expression::table_test
