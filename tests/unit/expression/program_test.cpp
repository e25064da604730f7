#include "trammel/expression/program.h"

#include <cmath>
#include <limits>
#include <numbers>

#include "support/allocation_counter.h"
#include <gtest/gtest.h>

#include "trammel/expression/compile.h"

namespace trammel::expression::program_test {
namespace {

namespace d = core::dimension;

Scope machine() {
  Scope scope;
  scope.add_input("time", d::time);
  scope.add_input("rod.angle", d::angle);
  scope.add_input("rod.rate", d::angular_velocity);
  scope.add_input("x", {});
  scope.add_input("y", {});
  scope.add_table(std::make_shared<Table>("lift", std::vector<double>{0.0, 1.0, 3.0},
                                          std::vector<double>{0.0, 0.1, 0.3},
                                          TableOptions{.extrapolation = Extrapolation::none}));
  return scope;
}

struct Result {
  double value = 0.0;
  std::vector<double> gradient;
  std::vector<double> hessian;
};

Result result_of(const Program& program, const std::vector<double>& inputs) {
  Workspace workspace;
  const std::size_t n = program.inputs().size();
  Result result{0.0, std::vector<double>(n), std::vector<double>(n * n)};
  result.value = program.hessian(inputs, result.gradient, result.hessian, workspace);
  return result;
}

TEST(Program, DerivativesOfACoupledExpressionAreExact) {
  const Program program = compile("2*sin(3*time)*rod.angle + 0.1*rod.rate^2", machine());
  const double t = 0.4;
  const double angle = 0.7;
  const double rate = -2.0;
  const Result result = result_of(program, {t, angle, rate});
  const double s = std::sin(3.0 * t);
  const double c = std::cos(3.0 * t);
  EXPECT_DOUBLE_EQ(result.value, 2.0 * s * angle + 0.1 * rate * rate);
  EXPECT_DOUBLE_EQ(result.gradient[0], 6.0 * c * angle);
  EXPECT_DOUBLE_EQ(result.gradient[1], 2.0 * s);
  EXPECT_DOUBLE_EQ(result.gradient[2], 0.2 * rate);
  const std::vector<double> hessian{
      -18.0 * s * angle, 6.0 * c, 0.0, 6.0 * c, 0.0, 0.0, 0.0, 0.0, 0.2};
  for (std::size_t i = 0; i < 9; ++i) EXPECT_DOUBLE_EQ(result.hessian[i], hessian[i]) << i;
}

TEST(Program, QuotientsAndPowersHaveTheirDerivatives) {
  const Program program = compile("x / y + x^3 + x^-1 + y^x", machine());
  const double x = 1.3;
  const double y = 0.7;
  const Result result = result_of(program, {x, y});
  const double f = std::pow(y, x);
  const double l = std::log(y);
  EXPECT_DOUBLE_EQ(result.gradient[0], 1.0 / y + 3.0 * x * x - 1.0 / (x * x) + f * l);
  EXPECT_DOUBLE_EQ(result.gradient[1], -x / (y * y) + x * f / y);
  EXPECT_DOUBLE_EQ(result.hessian[0], 6.0 * x + 2.0 / (x * x * x) + f * l * l);
  EXPECT_DOUBLE_EQ(result.hessian[1], -1.0 / (y * y) + f / y * (1.0 + x * l));
  EXPECT_DOUBLE_EQ(result.hessian[3], 2.0 * x / (y * y * y) + x * (x - 1.0) * f / (y * y));
}

TEST(Program, ConditionsChooseValueAndDerivatives) {
  const Program program = compile("if(x > 0 and not (x >= 2 or y == 5), x^2, 3*y)", machine());
  EXPECT_EQ(result_of(program, {1.5, 1.0}).value, 2.25);
  EXPECT_EQ(result_of(program, {1.5, 1.0}).gradient, (std::vector<double>{3.0, 0.0}));
  EXPECT_EQ(result_of(program, {2.0, 1.0}).gradient, (std::vector<double>{0.0, 3.0}));
  EXPECT_EQ(result_of(program, {1.5, 5.0}).value, 15.0);
  EXPECT_EQ(result_of(program, {-1.0, 1.0}).value, 3.0);
}

TEST(Program, TheSideNotTakenHasNoInfluence) {
  // sqrt and 1/x and their derivatives are infinite or NaN on the other side.
  const Program program = compile("if(x > 0, sqrt(x) + 1/x + log(x), 2*y)", machine());
  for (const double x : {0.0, -1.0}) {
    const Result result = result_of(program, {x, 3.0});
    EXPECT_EQ(result.value, 6.0);
    EXPECT_EQ(result.gradient, (std::vector<double>{0.0, 2.0}));
    EXPECT_EQ(result.hessian, std::vector<double>(4, 0.0));
  }
}

TEST(Program, LooksUpTables) {
  const Program program = compile("table(lift, 2*x)", machine());
  const Result result = result_of(program, {0.6});
  // The points lie on the line y = x / 10, and so does their spline.
  EXPECT_DOUBLE_EQ(result.value, 0.12);
  EXPECT_DOUBLE_EQ(result.gradient[0], 0.2);
  EXPECT_NEAR(result.hessian[0], 0.0, 1e-15);
}

TEST(Program, TellsWhereAValueStopsBeingFinite) {
  const auto failure = [](const char* text, std::vector<double> inputs) {
    Workspace workspace;
    const auto error = compile(text, machine()).failure(inputs, workspace);
    EXPECT_TRUE(error.has_value()) << text;
    return error.value_or(ExpressionError{});
  };
  EXPECT_EQ(failure("3 + sin(1 / x)", {0.0}).position, 10U);
  EXPECT_EQ(failure("3 + sin(1 / x)", {0.0}).message, "1 divided by 0 is not finite");
  EXPECT_EQ(failure("y * sqrt(x)", {1.0, -4.0}).message, "sqrt(-4) is not a real number");
  EXPECT_EQ(failure("if(x > 0, x, log(x))", {-1.0}).position, 13U);
  EXPECT_NE(failure("table(lift, x)", {5.0}).message.find("outside of table 'lift'"),
            std::string::npos);
  EXPECT_EQ(failure("2 * x", {std::numeric_limits<double>::quiet_NaN()}).message, "'x' is nan");
  Workspace workspace;
  EXPECT_FALSE(compile("if(x > 0, x, 1/x)", machine()).failure(std::vector{1.0}, workspace));
}

TEST(Program, MinAndMaxDoNotHideWhatIsNotANumber) {
  Workspace workspace;
  const std::vector<double> inputs{-1.0};
  for (const char* text : {"max(sqrt(x), 0)", "max(0, sqrt(x))", "min(0, sqrt(x))"}) {
    EXPECT_TRUE(std::isnan(compile(text, machine()).value(inputs, workspace))) << text;
  }
}

TEST(Program, KnowsHowSmoothItIs) {
  EXPECT_EQ(compile("sin(x)*y", machine()).smooth(), smoothness::analytic);
  EXPECT_EQ(compile("abs(x)", machine()).smooth(), smoothness::kinks);
  EXPECT_EQ(compile("if(x > 0, x, y)", machine()).smooth(), smoothness::jumps);
  EXPECT_EQ(compile("table(lift, x)", machine()).smooth(), 2);
}

TEST(Program, EvaluatesWithoutAllocations) {
  if (!support::AllocationCounter::available()) GTEST_SKIP();
  const Program program =
      compile("2*sin(3*time)*rod.angle + 0.1*rod.rate^2 + step5(time, 0, 0, 1, x) + table(lift, y)",
              machine());
  Workspace workspace;
  const std::vector<double> inputs{0.1, 0.2, 0.3, 0.4, 0.5};
  std::vector<double> gradient(5);
  std::vector<double> hessian(25);
  program.hessian(inputs, gradient, hessian, workspace);
  const support::AllocationCounter counter;
  program.value(inputs, workspace);
  program.gradient(inputs, gradient, workspace);
  program.hessian(inputs, gradient, hessian, workspace);
  EXPECT_EQ(counter.count(), 0);
}

}  // namespace
}  // namespace trammel::expression::program_test
