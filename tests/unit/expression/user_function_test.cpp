#include "trammel/expression/user_function.h"

#include <cmath>

#include "support/allocation_counter.h"
#include <gtest/gtest.h>

#include "trammel/core/diagnostic.h"
#include "trammel/expression/compile.h"

namespace trammel::expression::user_function_test {
namespace {

using Arguments = UserFunction::Arguments;

// f = x^2 y + sin(y), as code and as text.
double f(Arguments a) {
  return a[0] * a[0] * a[1] + std::sin(a[1]);
}
void gradient_of_f(Arguments a, std::span<double> out) {
  out[0] = 2.0 * a[0] * a[1];
  out[1] = a[0] * a[0] + std::cos(a[1]);
}
void hessian_of_f(Arguments a, std::span<double> out) {
  out[0] = 2.0 * a[1];
  out[1] = out[2] = 2.0 * a[0];
  out[3] = -std::sin(a[1]);
}

Scope scope_with(UserFunction function) {
  Scope scope;
  scope.add_input("x", {});
  scope.add_input("y", {});
  scope.add_input("time", core::dimension::time);
  scope.add_function(std::make_shared<const UserFunction>(std::move(function)));
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

// Inner and outer functions, an argument that comes twice, a call beside another.
constexpr const char* with_calls = "3*exp(f(x*y, y)) / (1 + f(y, x)^2) + f(x*y, y)*x";
constexpr const char* as_text =
    "3*exp((x*y)^2*y + sin(y)) / (1 + (y^2*x + sin(x))^2) + ((x*y)^2*y + sin(y))*x";

void expect_equal(const Result& result, const Result& expected, double gradient, double hessian) {
  EXPECT_NEAR(result.value, expected.value, 1e-14);
  for (std::size_t i = 0; i < expected.gradient.size(); ++i) {
    EXPECT_NEAR(result.gradient[i], expected.gradient[i], gradient) << i;
  }
  for (std::size_t i = 0; i < expected.hessian.size(); ++i) {
    EXPECT_NEAR(result.hessian[i], expected.hessian[i], hessian) << i;
  }
}

class UserFunctions : public testing::Test {
 protected:
  Result compute(UserFunction function) {
    return result_of(compile(with_calls, scope_with(std::move(function))), {0.6, 0.8});
  }
  const Result expected_ = result_of(compile(as_text, scope_with({"f", 2, f})), {0.6, 0.8});
};

TEST_F(UserFunctions, WithTheirDerivativesAreAsExactAsText) {
  // Round-off of numbers of the size 10.
  expect_equal(compute({"f", 2, f, gradient_of_f, hessian_of_f}), expected_, 1e-13, 1e-12);
}

TEST_F(UserFunctions, WithAGradientGetTheirHessianByDifferences) {
  // e^(2/3) = 4e-11, times second derivatives of the size 10 and the factors of the formula.
  expect_equal(compute({"f", 2, f, gradient_of_f}), expected_, 1e-13, 1e-8);
}

TEST_F(UserFunctions, WithoutDerivativesGetThemByDifferences) {
  // e^(2/3) and e^(1/2) = 1.5e-8, times the size 10 and the factors of the formula.
  expect_equal(compute({"f", 2, f}), expected_, 1e-8, 1e-5);
}

TEST(UserFunction, ScalesItsDifferencesWithLargeArguments) {
  const UserFunction square("square", 1, [](Arguments a) { return a[0] * a[0]; });
  const double x = 1e6;
  double slope = 0.0;
  square.gradient({&x, 1}, {&slope, 1});
  EXPECT_NEAR(slope, 2e6, 2e6 * 1e-9);  // e^(2/3) relative
}

TEST(UserFunction, MayStandForAnyDimensionAndTakeAny) {
  const Scope scope = scope_with({"f", 2, f});
  EXPECT_NO_THROW(compile("f(time, x) + 3 N", scope, core::dimension::force));
  EXPECT_NO_THROW(compile("f(time, 2 m)", scope, core::dimension::torque));
  EXPECT_THROW(compile("f(x > 0, y)", scope), ExpressionError);
}

TEST(UserFunction, IsCalledOnceForEqualCalls) {
  int calls = 0;
  const Program program =
      compile("count(x) + count(x) + count(y)", scope_with({"count", 1, [&](Arguments) {
                                                              ++calls;
                                                              return 1.0;
                                                            }}));
  Workspace workspace;
  EXPECT_EQ(program.value(std::vector<double>{0.1, 0.2}, workspace), 3.0);
  EXPECT_EQ(calls, 2);
}

TEST(UserFunction, IsNotCalledBeforeTheRunEvenForConstants) {
  int calls = 0;
  const auto value = [&](Arguments) { return static_cast<double>(++calls); };
  const Program program = compile("count(1) + x", scope_with({"count", 1, value}));
  EXPECT_EQ(calls, 0);
  Workspace workspace;
  EXPECT_EQ(program.value(std::vector<double>{0.5}, workspace), 1.5);
}

TEST(UserFunction, EvaluationsAllocateNothing) {
  if (!support::AllocationCounter::available()) GTEST_SKIP() << "counted by the sanitizer";
  const Program program = compile(with_calls, scope_with({"f", 2, f}));
  Workspace workspace;
  const std::vector<double> inputs{0.6, 0.8};
  std::vector<double> gradient(2);
  std::vector<double> hessian(4);
  program.hessian(inputs, gradient, hessian, workspace);
  const support::AllocationCounter counter;
  program.hessian(inputs, gradient, hessian, workspace);
  EXPECT_EQ(counter.count(), 0);
}

std::string message_of(const std::string& text, const Scope& scope) {
  try {
    compile(text, scope);
  } catch (const ExpressionError& error) {
    return error.message + "; " + error.remedy;
  }
  return "compiled";
}

TEST(UserFunction, MistakesAreExplained) {
  const Scope scope = scope_with({"drag", 2, f});
  EXPECT_EQ(message_of("drag(x)", scope), "drag() got 1 values; it takes 2");
  EXPECT_NE(message_of("darg(x, y)", scope).find("drag"), std::string::npos);
  EXPECT_THROW(UserFunction("sin", 1, f), core::InputError);
  EXPECT_THROW(UserFunction("kg", 1, f), core::InputError);
  EXPECT_THROW(UserFunction("my force", 1, f), core::InputError);
  EXPECT_THROW(UserFunction("wind.", 1, f), core::InputError);
  EXPECT_NO_THROW(UserFunction("wind.x", 1, f));
}

TEST(UserFunction, IsBlamedForWhatIsNotFinite) {
  const auto bad = [](Arguments a) { return 1.0 / a[0]; };
  const Program program = compile("2 * bad(x) + y", scope_with({"bad", 1, bad}));
  Workspace workspace;
  const auto failure = program.failure(std::vector<double>{0.0, 1.0}, workspace);
  ASSERT_TRUE(failure);
  EXPECT_EQ(failure->message, "bad() gives inf");
}

}  // namespace
}  // namespace trammel::expression::user_function_test
