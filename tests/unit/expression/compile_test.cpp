#include "trammel/expression/compile.h"

#include <cmath>
#include <random>

#include <gtest/gtest.h>

#include "trammel/expression/callables.h"
#include "trammel/expression/scanner.h"
#include "trammel/expression/units.h"

namespace trammel::expression::compile_test {
namespace {

namespace d = core::dimension;

Scope machine() {
  Scope scope;
  scope.add_constant("arm", {0.2, d::length, false});
  scope.add_constant("gain", {3.0, {}, false});
  scope.add_input("time", d::time);
  scope.add_input("rod.angle", d::angle);
  scope.add_input("rod.rate", d::angular_velocity);
  scope.add_input("wheel.position.x", d::length);
  scope.add_input("link[3].angle", d::angle);
  scope.add_table(std::make_shared<Table>(
      "lift", std::vector<double>{0.0, 1.0, 2.0}, std::vector<double>{0.0, 0.1, 0.0},
      TableOptions{.abscissa = d::angle, .ordinate = d::length}));
  scope.add_table(std::make_shared<Table>("plain", std::vector<double>{0.0, 1.0},
                                          std::vector<double>{0.0, 5.0}));
  return scope;
}

Type type_of(std::string_view text) {
  try {
    return compile(text, machine()).type();
  } catch (const ExpressionError& error) {
    ADD_FAILURE() << text << ": " << error.message;
    return {};
  }
}

ExpressionError error_of(std::string_view text) {
  try {
    compile(text, machine());
  } catch (const ExpressionError& error) {
    return error;
  }
  ADD_FAILURE() << text << " was accepted";
  return {};
}

void expect_error(std::string_view text, std::size_t position, std::string_view message) {
  const ExpressionError error = error_of(text);
  EXPECT_EQ(error.position, position) << text << ": " << error.message;
  EXPECT_NE(error.message.find(message), std::string::npos) << text << ": " << error.message;
  EXPECT_FALSE(error.remedy.empty()) << text;
}

TEST(Compile, ListsInputsOnceInTheirOrder) {
  const Program program =
      compile("wheel.position.x * time + arm * link[3].angle * time", machine());
  ASSERT_EQ(program.inputs().size(), 3U);
  EXPECT_EQ(program.inputs()[0].name, "wheel.position.x");
  EXPECT_EQ(program.inputs()[0].id, 3U);
  EXPECT_EQ(program.inputs()[1].name, "time");
  EXPECT_EQ(program.inputs()[2].name, "link[3].angle");
  EXPECT_EQ(program.time_input(), 1U);
  EXPECT_TRUE(compile("2 * arm", machine()).is_constant());
}

TEST(Compile, SharesEqualPartsAndDropsUnusedOnes) {
  EXPECT_EQ(compile("sin(rod.angle) + sin(rod.angle)", machine()).instruction_count(), 2U);
  const Program chosen = compile("if(1 > 2, rod.angle, wheel.position.x * 0 / arm)", machine());
  EXPECT_EQ(chosen.inputs().size(), 1U);
}

TEST(Compile, CarriesDimensions) {
  EXPECT_EQ(type_of("rod.rate * time").dimension, d::angle);
  EXPECT_EQ(type_of("wheel.position.x + arm").dimension, d::length);
  EXPECT_EQ(type_of("wheel.position.x^2").dimension, (core::Dimension{2, 0, 0, 0}));
  EXPECT_EQ(type_of("arm * sin(rod.angle)").dimension, d::length);
  EXPECT_EQ(type_of("if(time > 1, arm, 0)").dimension, d::length);
  EXPECT_EQ(type_of("step5(time, 0, 0, 2, 30 deg)").dimension, d::angle);
  EXPECT_EQ(type_of("table(lift, rod.angle)").dimension, d::length);
  EXPECT_TRUE(type_of("rod.rate * arm").fits(d::velocity));
  EXPECT_TRUE(type_of("time > 1").truth);
  EXPECT_FALSE(type_of("time > 1").fits({}));
}

TEST(Compile, CoefficientsWithoutUnitAreInSiUnits) {
  EXPECT_TRUE(type_of("-100 * rod.angle - 5 * rod.rate").fits(d::torque));
  EXPECT_TRUE(type_of("2 * sin(3 * time) * rod.angle + 0.1 * rod.rate^2").open);
  EXPECT_EQ(type_of("3 * time + arm").dimension, d::length);
  EXPECT_TRUE(type_of("exp(-gain * time)").fits({}));
  EXPECT_TRUE(type_of("5 N m/rad * rod.angle").fits(d::torque));
  EXPECT_FALSE(type_of("5 N m/rad * rod.angle").fits(d::force));
  EXPECT_FALSE(type_of("rod.angle").fits(d::length));
  EXPECT_TRUE(type_of("table(plain, rod.angle)").fits(d::torque));
}

TEST(Compile, RefusesWrongDimensionsWithTheirPlace) {
  expect_error("wheel.position.x + rod.angle", 17, "cannot add a value in m and a value in rad");
  expect_error("rod.angle - 1", 10, "cannot subtract");
  expect_error("max(0, arm, time)", 0, "cannot compare a value in m and a value in s");
  expect_error("1 + arm", 2, "cannot add a number without unit and a value in m");
  expect_error("time > arm", 5, "cannot compare");
  expect_error("2 + sin(time)", 4, "sin() got a value in s");
  expect_error("exp(time)", 0, "exp() got");
  expect_error("2 ^ rod.angle", 13, "without unit");
  expect_error("arm ^ gain ^ time", 17, "without unit");
  expect_error("arm ^ sin(rod.angle)", 20, "whole power");
  expect_error("if(time > 1, arm, 2 s)", 0, "cannot choose between");
  expect_error("table(lift, time)", 0, "table 'lift' got a value in s");
  expect_error("step5(time, 0, 0, 2 m, 1)", 0, "cannot compare");
}

TEST(Compile, KeepsConditionsAndNumbersApart) {
  expect_error("(time > 1) * 5", 11, "condition");
  expect_error("(time > 1) + 5", 11, "condition");
  expect_error("-(time > 1)", 0, "condition");
  expect_error("sin(time > 1)", 0, "condition");
  expect_error("(time > 1) ^ 2", 14, "condition");
  expect_error("if(time, 1, 2)", 0, "needs a condition");
  expect_error("time and time > 1", 5, "join conditions");
  expect_error("not time", 0, "join conditions");
  expect_error("if(time > 1, 2)", 0, "got 2");
  EXPECT_THROW(compile("time > 1", machine(), {}), ExpressionError);
}

TEST(Compile, RefusesWrongSyntaxWithItsPlace) {
  expect_error("rod.angel + 1", 0, "'rod.angel' is not a known name");
  expect_error("2 rod.angle", 2, "not a unit");
  expect_error("time = 1", 5, "unexpected '='");
  expect_error("time > 1 && time < 2", 9, "unexpected '&'");
  expect_error("time % 2", 5, "unexpected '%'");
  expect_error("1 < 2 < 3", 6, "unexpected '<'");
  expect_error("table(lfit, 1)", 6, "not a table");
  expect_error("table(3, 1)", 6, "name of a table");
  expect_error("table(lift)", 10, "place to look up");
  expect_error("time.", 4, "unexpected '.'");
  expect_error("system('ls')", 7, "unexpected");
  expect_error("time +", 6, "too early");
}

TEST(Compile, SuggestsWhatWasMeant) {
  EXPECT_EQ(error_of("rod.angel").remedy, "did you mean 'rod.angle'?");
  EXPECT_EQ(error_of("table(lfit, 1)").remedy, "did you mean 'lift'?");
  EXPECT_EQ(error_of("stp5(1)").remedy, "did you mean 'step5'?");
  EXPECT_EQ(error_of("2 rod.angle").remedy, "put an operator such as * before it");
}

TEST(Compile, ConstantsCannotDependOnInputs) {
  EXPECT_EQ(evaluate("2 * arm", machine()).value, 0.4);
  EXPECT_THROW(evaluate("2 * time", machine()), ExpressionError);
  EXPECT_THROW(evaluate("1 > 2", machine()), ExpressionError);
  try {
    evaluate("2 * time", Scope{});
    FAIL();
  } catch (const ExpressionError& error) {
    EXPECT_NE(error.remedy.find("give a constant"), std::string::npos);
  }
}

TEST(Compile, RefusesResultsOfAnotherDimension) {
  EXPECT_NO_THROW(compile("arm", machine(), d::length));
  try {
    compile("arm", machine(), d::force);
    FAIL();
  } catch (const ExpressionError& error) {
    EXPECT_EQ(error.message, "the result is a value in m");
    EXPECT_EQ(error.remedy, "a value in N is wanted");
  }
}

TEST(Compile, DiagnosticsQuoteTheText) {
  const core::Diagnostic diagnostic =
      to_diagnostic(error_of("2 * rod.angel"), "2 * rod.angel", "forces.motor.torque");
  EXPECT_EQ(core::to_string(diagnostic),
            "error: forces.motor.torque: in '2 * rod.angel', column 5: 'rod.angel' is not a known "
            "name; did you mean 'rod.angle'?");
}

TEST(Compile, IsBoundedInLengthAndDepth) {
  const Scope scope = machine();
  const auto repeated = [](std::string_view part, int times) {
    std::string text;
    for (int i = 0; i < times; ++i) text += part;
    return text;
  };
  EXPECT_THROW(compile(repeated("not ", 1000) + "time > 1", scope), ExpressionError);
  EXPECT_THROW(compile(repeated("sin(", 600) + "1" + repeated(")", 600), scope), ExpressionError);
  EXPECT_THROW(compile(repeated("if(time > 1, 1, ", 200) + "1" + repeated(")", 200), scope),
               ExpressionError);
  EXPECT_THROW(compile(repeated("time + ", 1000) + "time", scope), ExpressionError);
  // As long as allowed, and the program is not longer than the text.
  const std::string longest = repeated("time + ", 584) + "time";
  const Program program = compile(longest, scope);
  EXPECT_LT(program.instruction_count(), longest.size());
}

/// Strings of random tokens: whatever comes, there is an answer, and every program evaluates.
TEST(Compile, RandomTokensNeitherCrashNorHang) {
  const Scope scope = machine();
  std::vector<std::string> tokens{"(",           ")",     ",",    "+",         "-",    "*",   "/",
                                  "^",           "<",     "<=",   "==",        "!=",   ">",   "and",
                                  "or",          "not",   "1",    "2.5",       "1e3",  ".",   "..5",
                                  "0",           "\xc3",  "'",    "[",         "]",    "=",   "&",
                                  "time",        "arm",   "gain", "rod.angle", "lift", "if(", "pi",
                                  "table(lift,", "1e999", "rod.", "nan",       "inf"};
  for (const std::string& name : function_names()) tokens.push_back(name + "(");
  for (const Unit& unit : units()) tokens.emplace_back(unit.name);
  std::mt19937 random(20240611);
  Workspace workspace;
  int compiled = 0;
  for (int trial = 0; trial < 100'000; ++trial) {
    std::string text;
    const std::size_t length = 1 + random() % 12;
    for (std::size_t i = 0; i < length; ++i) {
      text += tokens[random() % tokens.size()];
      if (random() % 4 == 0) text += ' ';
    }
    try {
      const Program program = compile(text, scope);
      ++compiled;
      const std::size_t n = program.inputs().size();
      const std::vector<double> inputs(n, 0.5);
      std::vector<double> gradient(n);
      std::vector<double> hessian(n * n);
      const double value = program.hessian(inputs, gradient, hessian, workspace);
      EXPECT_EQ(program.failure(inputs, workspace).has_value(), !std::isfinite(value)) << text;
    } catch (const ExpressionError& error) {
      ASSERT_LE(error.position, text.size()) << text;
      ASSERT_FALSE(error.message.empty()) << text;
      ASSERT_FALSE(error.remedy.empty()) << text;
    }
  }
  EXPECT_GT(compiled, 1000);  // enough of them mean something
}

TEST(Compile, RandomBytesNeitherCrashNorHang) {
  const Scope scope = machine();
  std::mt19937 random(7);
  for (int trial = 0; trial < 50'000; ++trial) {
    std::string text;
    const std::size_t length = random() % 40;
    for (std::size_t i = 0; i < length; ++i) text += static_cast<char>(random() % 256);
    try {
      compile(text, scope);
    } catch (const ExpressionError& error) {
      ASSERT_LE(error.position, text.size());
    }
    names_in(text);
  }
}

}  // namespace
}  // namespace trammel::expression::compile_test
