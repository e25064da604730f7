#include "trammel/io/expression.h"

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

namespace trammel::io::expression_test {
namespace {

namespace d = core::dimension;
constexpr double pi = std::numbers::pi;

Quantities some_parameters() {
  return {{"crank_length", Quantity{0.15, d::length, false}},
          {"omega", Quantity{100.0, d::angular_velocity, false}},
          {"ratio", Quantity{3.0, {}, false}},
          {"broken", std::nullopt}};
}

Quantity value_of(std::string_view text) {
  return evaluate(text, some_parameters());
}

void expect_value(std::string_view text, double value, const core::Dimension& dimension) {
  SCOPED_TRACE(std::string(text));
  try {
    const Quantity quantity = value_of(text);
    // The same operations in the same order: equal to the last digits.
    EXPECT_NEAR(quantity.value, value, 1e-14 * std::abs(value));
    EXPECT_EQ(quantity.dimension, dimension) << core::si_unit(quantity.dimension);
  } catch (const ExpressionError& error) {
    FAIL() << error.message;
  }
}

ExpressionError error_of(std::string_view text) {
  try {
    value_of(text);
  } catch (const ExpressionError& error) {
    return error;
  }
  ADD_FAILURE() << text << " was accepted";
  return {};
}

void expect_error(std::string_view text, std::size_t position, std::string_view message) {
  const ExpressionError error = error_of(text);
  EXPECT_EQ(error.position, position) << text;
  EXPECT_NE(error.message.find(message), std::string::npos) << text << ": " << error.message;
  EXPECT_FALSE(error.remedy.empty()) << text;
}

TEST(Expression, ReadsNumbersExactly) {
  for (const char* text :
       {"0.1", "-2.5e-3", "1e300", ".5", "5.", "  7 ", "+3", "123456789012345678"}) {
    EXPECT_EQ(value_of(text).value, std::strtod(text, nullptr)) << text;
    EXPECT_EQ(value_of(text).dimension, core::Dimension{}) << text;
  }
}

TEST(Expression, ConvertsUnits) {
  expect_value("25 mm", 0.025, d::length);
  expect_value("25mm", 0.025, d::length);
  expect_value("90 deg", pi / 2, d::angle);
  expect_value("1500 rpm", 50 * pi, d::angular_velocity);
  expect_value("10 N m/rad", 10, d::rotational_stiffness);
  expect_value("9.81 m/s^2", 9.81, d::acceleration);
  expect_value("2 N*s/m", 2, d::damping);
  expect_value("2 N s/mm", 2000, d::damping);
  expect_value("7.85 g/cm^3", 7850, d::density);
  expect_value("3 kg m^2", 3, d::inertia);
  expect_value("100 N/(m)", 100, d::stiffness);
  expect_value("5 min", 300, d::time);
  expect_value("2 J", 2, d::torque);
  expect_value("1 m^-2", 1, {-2, 0, 0, 0});
}

TEST(Expression, FollowsThePrecedenceOfArithmetic) {
  expect_value("1 + 2 * 3 ^ 2", 19, {});
  expect_value("2 ^ 3 ^ 2", 512, {});
  expect_value("-2 ^ 2", -4, {});
  expect_value("8 / 4 / 2", 1, {});
  expect_value("(1 + 2) * 3", 9, {});
  expect_value("2 * -3", -6, {});
  expect_value("1 - 2 - 3", -4, {});
  expect_value("1 N / 2 mm", 500, d::stiffness);
  expect_value("(1 + 2) mm", 0.003, d::length);
}

TEST(Expression, CarriesDimensionsThroughArithmetic) {
  expect_value("crank_length / 2 + 5 mm", 0.08, d::length);
  expect_value("crank_length * 20 mm", 0.003, {2, 0, 0, 0});
  expect_value("sqrt(crank_length ^ 2)", 0.15, d::length);
  expect_value("crank_length * sin(30 deg)", 0.15 * std::sin(pi / 6), d::length);
  expect_value("max(1 mm, 2 cm, 0)", 0.02, d::length);
  expect_value("min(ratio, 2)", 2, {});
  expect_value("abs(-2 kg)", 2, d::mass);
  expect_value("atan2(-1 m, 0 m)", -pi / 2, d::angle);
  expect_value("acos(0)", pi / 2, d::angle);
  expect_value("log(exp(2))", 2, {});
}

TEST(Expression, RadiansAreStrictForUnitsAndFreeInProducts) {
  EXPECT_FALSE(value_of("10 Hz").fits(d::angular_velocity));
  EXPECT_FALSE(value_of("2 * pi * 10 Hz").fits(d::angular_velocity));
  EXPECT_FALSE(value_of("10 N m").fits(d::rotational_stiffness));
  EXPECT_TRUE(value_of("10 N m/rad").fits(d::rotational_stiffness));
  EXPECT_FALSE(value_of("3 rad m/s").fits(d::velocity));
  EXPECT_TRUE(value_of("omega * crank_length").fits(d::velocity));
  EXPECT_TRUE(value_of("omega * crank_length + 1 m/s").fits(d::velocity));
  EXPECT_TRUE(value_of("3 m/s / crank_length").fits(d::angular_velocity));
  EXPECT_FALSE(value_of("omega * crank_length").fits(d::length));
}

TEST(Expression, PlainNumbersFitEverywhere) {
  EXPECT_TRUE(value_of("2 * ratio").fits(d::stiffness));
  EXPECT_FALSE(value_of("2 mm").fits({}));
}

TEST(Expression, RefusesWrongDimensions) {
  expect_error("3 mm + 2 kg", 5, "cannot add");
  expect_error("30 mm - 2", 6, "cannot subtract");
  expect_error("sin(2 m)", 0, "sin()");
  expect_error("exp(2 m)", 0, "exp()");
  expect_error("max(1 m, 2 s)", 0, "compare");
  expect_error("sqrt(2 m)", 0, "root");
  expect_error("2 ^ (1 m)", 9, "without unit");
  expect_error("(1 m) ^ 0.5", 11, "whole power");
}

TEST(Expression, RefusesWrongSyntaxWithItsPlace) {
  expect_error("", 0, "no value");
  expect_error("2 +", 3, "too early");
  expect_error("2 * (1 + 3", 10, "')'");
  expect_error("1,5", 1, "','");
  expect_error("2 crank_length", 2, "not a unit");
  expect_error("ratio crank_length", 6, "unexpected");
  expect_error("30\u00b0", 2, "special character");
  expect_error("25 mmm", 3, "not a unit");
  expect_error("crank_lenght", 0, "not a parameter");
  expect_error("sinus(2)", 0, "no function");
  expect_error("sin(1, 2)", 0, "got 2");
  expect_error("3 N/m s", 6, "not clear");
  expect_error(".inf", 0, "unexpected");
  expect_error("nan", 0, "not a parameter");
  expect_error("0x10", 1, "not a unit");
}

TEST(Expression, RefusesResultsThatAreNotFinite) {
  expect_error("1 / 0", 2, "finite");
  expect_error("1e400", 0, "too large");
  expect_error("1e300 * 1e300", 6, "finite");
  expect_error("sqrt(-1)", 0, "real");
  expect_error("asin(2)", 0, "real");
  expect_error("log(0)", 0, "real");
  EXPECT_NO_THROW(value_of("m^9"));
  expect_error("((m^9)^9)^9", 11, "absurd");
}

TEST(Expression, SuggestsWhatWasMeant) {
  EXPECT_EQ(error_of("crank_lenght").remedy, "did you mean 'crank_length'?");
  EXPECT_EQ(error_of("2 kgs").remedy, "did you mean 'kg'?");
}

TEST(Expression, KeepsQuietAboutConsequences) {
  EXPECT_TRUE(error_of("2 * broken").reported);
}

TEST(Expression, IsBoundedInLengthAndDepth) {
  EXPECT_NO_THROW(value_of(std::string(60, '(') + "1" + std::string(60, ')')));
  EXPECT_THROW(value_of(std::string(2000, '(') + "1" + std::string(2000, ')')), ExpressionError);
  EXPECT_THROW(value_of(std::string(4000, '-') + "1"), ExpressionError);
  EXPECT_THROW(value_of(std::string(100000, '1')), ExpressionError);
  std::string tower = "1";
  for (int i = 0; i < 1000; ++i) tower += "^1";
  EXPECT_THROW(value_of(tower), ExpressionError);
}

TEST(Expression, FindsTheNamesItNeeds) {
  EXPECT_EQ(names_in("2 * a + sin(b_2) mm - 1e3 * pi"),
            (std::vector<std::string_view>{"a", "sin", "b_2"}));
  EXPECT_TRUE(names_in("1e5 N m/rad").empty());
}

}  // namespace
}  // namespace trammel::io::expression_test
