#include "trammel/expression/function.h"

#include <cmath>

#include <gtest/gtest.h>

#include "trammel/core/diagnostic.h"
#include "trammel/expression/compile.h"

namespace trammel::expression::function_test {
namespace {

namespace d = core::dimension;

FunctionPointer of_time(std::string_view text) {
  Scope scope;
  scope.add_input("time", d::time);
  scope.add_input("x", d::length);
  return expression_function(compile(text, scope));
}

std::string mistakes(std::vector<Piece> pieces) {
  try {
    piecewise_function("speed", std::move(pieces));
  } catch (const core::InputError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(Function, OfAnExpressionHasItsDerivatives) {
  const FunctionPointer function = of_time("0.1 m * sin(3 rad/s * time)");
  Workspace workspace;
  const Derivatives y = function->at(0.4, workspace);
  EXPECT_DOUBLE_EQ(y.value, 0.1 * std::sin(3.0 * 0.4));
  EXPECT_DOUBLE_EQ(y.first, 0.3 * std::cos(3.0 * 0.4));
  EXPECT_DOUBLE_EQ(y.second, -0.9 * std::sin(3.0 * 0.4));
  EXPECT_EQ(function->type().dimension, d::length);
  EXPECT_FALSE(function->has_third());
}

TEST(Function, MayBeConstant) {
  Workspace workspace;
  EXPECT_EQ(of_time("3 mm")->at(7.0, workspace).value, 0.003);
  EXPECT_EQ(of_time("3 mm")->at(7.0, workspace).first, 0.0);
  const FunctionPointer constant = constant_function({2.0, d::force, false});
  EXPECT_EQ(constant->at(7.0, workspace).value, 2.0);
  EXPECT_TRUE(constant->type().fits(d::force));
}

TEST(Function, HasOneVariable) {
  EXPECT_THROW(of_time("2 * time + 3 * x"), core::InputError);
}

TEST(Function, OfATableIsTheTable) {
  const auto table = std::make_shared<Table>(
      "force", std::vector<double>{0.0, 1.0, 2.0}, std::vector<double>{0.0, 5.0, 1.0},
      TableOptions{.extrapolation = Extrapolation::none, .ordinate = d::force});
  const FunctionPointer function = table_function(table);
  Workspace workspace;
  EXPECT_EQ(function->at(0.3, workspace).third, table->at(0.3).third);
  EXPECT_TRUE(function->has_third());
  EXPECT_FALSE(function->type().fits(d::torque));
  EXPECT_TRUE(function->failure(1.0, workspace).empty());
  EXPECT_NE(function->failure(3.0, workspace).find("outside of table 'force'"), std::string::npos);
}

TEST(Function, TellsWhereItFails) {
  Workspace workspace;
  EXPECT_EQ(of_time("2 + 1/time")->failure(0.0, workspace),
            "in '2 + 1/time' at time = 0, column 6: 1 divided by 0 is not finite; keep the divisor "
            "away from zero, e.g. by max() or if()");
}

TEST(Function, PiecesFollowEachOther) {
  // Speeding up for 1 s, then steady: value and slope meet, the acceleration jumps.
  const std::vector<Piece> pieces{{0.0, of_time("2 * time^2")}, {1.0, of_time("4 * time - 2")}};
  const FunctionPointer function = piecewise_function("speed", pieces);
  Workspace workspace;
  EXPECT_DOUBLE_EQ(function->at(0.5, workspace).value, 0.5);
  EXPECT_DOUBLE_EQ(function->at(-1.0, workspace).value, 2.0);
  EXPECT_DOUBLE_EQ(function->at(3.0, workspace).first, 4.0);
  EXPECT_EQ(function->at(1.0, workspace).second, 0.0);
  EXPECT_EQ(function->smooth(), 1);
  EXPECT_TRUE(find_jumps(pieces, 1).empty());
  const std::vector<Jump> jumps = find_jumps(pieces, 2);
  ASSERT_EQ(jumps.size(), 1U);
  EXPECT_EQ(jumps[0].order, 2);
  EXPECT_EQ(jumps[0].before, 4.0);
}

TEST(Function, RefusesPiecesInDisorder) {
  EXPECT_NE(mistakes({}).find("no piece"), std::string::npos);
  EXPECT_NE(mistakes({{1.0, of_time("1")}, {1.0, of_time("2")}}).find("not after"),
            std::string::npos);
  EXPECT_NE(mistakes({{HUGE_VAL, of_time("1")}}).find("starts at inf"), std::string::npos);
  EXPECT_NE(mistakes({{0.0, of_time("1 m")}, {1.0, of_time("1 s")}}).find("gives a value in s"),
            std::string::npos);
}

}  // namespace
}  // namespace trammel::expression::function_test
