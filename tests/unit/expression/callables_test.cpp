#include "trammel/expression/callables.h"

#include <cmath>
#include <map>
#include <set>

#include "support/finite_differences.h"
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "trammel/expression/compile.h"
#include "trammel/expression/units.h"

namespace trammel::expression {
namespace {

/// The call "name(x0, x1, ...)" with its inputs, ready to evaluate near the sample point.
struct Call {
  Program program;
  std::vector<double> point;
};

Call call_of(const Callable& callable) {
  const std::size_t count = callable.repeats ? 2 : std::max(callable.least, callable.kinds.size());
  Scope scope;
  std::string text = std::string(callable.name()) + "(";
  std::vector<double> point;
  for (std::size_t i = 0; i < count; ++i) {
    const std::string name = fmt::format("x{}", i);
    scope.add_input(name, {});
    text += (i > 0 ? ", " : "") + name;
    point.push_back(callable.sample[i]);
  }
  Program program = compile(text + ")", scope);
  EXPECT_EQ(program.inputs().size(), count) << text;
  return {std::move(program), std::move(point)};
}

// Laws of every function in the table ----------------------------------------------------------

TEST(Callables, FirstDerivativesAgreeWithDifferences) {
  for (const Callable& callable : callables()) {
    SCOPED_TRACE(std::string(callable.usage));
    const auto [program, point] = call_of(callable);
    const auto n = static_cast<Eigen::Index>(point.size());
    Workspace workspace;
    const auto value_at = [&, &program = program, &point = point](const Eigen::VectorXd& step) {
      Eigen::VectorXd x = Eigen::Map<const Eigen::VectorXd>(point.data(), n) + step;
      const std::span<const double> inputs(x.data(), point.size());
      return Eigen::VectorXd::Constant(1, program.value(inputs, workspace)).eval();
    };
    Eigen::VectorXd gradient(n);
    const double value = program.gradient(point, {gradient.data(), point.size()}, workspace);
    EXPECT_EQ(value, program.value(point, workspace));
    const Eigen::VectorXd expected = support::derivative_matrix(n, value_at).transpose();
    // Fourth-order differences of functions of size up to 10: round-off 1e-12 of it.
    EXPECT_LE((gradient - expected).cwiseAbs().maxCoeff(), 1e-10) << gradient.transpose();
  }
}

TEST(Callables, SecondDerivativesAgreeWithDifferencesOfTheFirst) {
  for (const Callable& callable : callables()) {
    SCOPED_TRACE(std::string(callable.usage));
    const auto [program, point] = call_of(callable);
    const auto n = static_cast<Eigen::Index>(point.size());
    Workspace workspace;
    const auto gradient_at = [&, &program = program, &point = point](const Eigen::VectorXd& step) {
      Eigen::VectorXd x = Eigen::Map<const Eigen::VectorXd>(point.data(), n) + step;
      Eigen::VectorXd gradient(n);
      program.gradient({x.data(), point.size()}, {gradient.data(), point.size()}, workspace);
      return gradient;
    };
    Eigen::VectorXd gradient(n);
    Eigen::MatrixXd hessian(n, n);
    program.hessian(point, {gradient.data(), point.size()},
                    {hessian.data(), point.size() * point.size()}, workspace);
    EXPECT_EQ(gradient, gradient_at(Eigen::VectorXd::Zero(n)));
    EXPECT_EQ(hessian, hessian.transpose());
    const Eigen::MatrixXd expected = support::derivative_matrix(n, gradient_at);
    // As above; the differences see both triangles, so that this also proves symmetry.
    EXPECT_LE((hessian - expected).cwiseAbs().maxCoeff(), 1e-9) << hessian << "\n\n" << expected;
  }
}

TEST(Callables, ProductsWithTheHessianAgreeWithTheHessian) {
  for (const Callable& callable : callables()) {
    SCOPED_TRACE(std::string(callable.usage));
    const auto [program, point] = call_of(callable);
    const auto n = static_cast<Eigen::Index>(point.size());
    const std::size_t size = point.size();
    Workspace workspace;
    Eigen::VectorXd gradient(n);
    Eigen::VectorXd product(n);
    Eigen::MatrixXd hessian(n, n);
    const Eigen::VectorXd direction = Eigen::VectorXd::LinSpaced(n, -1.0, 2.0);
    program.hessian(point, {gradient.data(), size}, {hessian.data(), size * size}, workspace);
    program.hessian_product(point, {direction.data(), size}, {gradient.data(), size},
                            {product.data(), size}, workspace);
    // The same sums in another order.
    EXPECT_LE((hessian * direction - product).norm(), 1e-13 * (1.0 + product.norm()));
  }
}

TEST(Callables, ConstantsAreComputedAtOnceAndAlike) {
  for (const Callable& callable : callables()) {
    const auto [program, point] = call_of(callable);
    std::string text = std::string(callable.name()) + "(";
    for (std::size_t i = 0; i < point.size(); ++i) {
      text += fmt::format("{}{}", i > 0 ? ", " : "", point[i]);
    }
    Workspace workspace;
    const Program constant = compile(text + ")", Scope{});
    EXPECT_EQ(constant.instruction_count(), 0U) << text;
    // pow() of constants is the library's, which may differ in the last digit.
    EXPECT_DOUBLE_EQ(constant.value({}, workspace), program.value(point, workspace)) << text;
  }
}

TEST(Callables, AreTold) {
  std::set<std::string_view> names;
  for (const Callable& callable : callables()) {
    EXPECT_TRUE(names.insert(callable.name()).second) << callable.usage;
    EXPECT_FALSE(callable.meaning.empty()) << callable.usage;
    EXPECT_EQ(find_unit(callable.name()) != nullptr, callable.name() == "min") << callable.usage;
  }
}

// Single functions -----------------------------------------------------------------------------

double value_of(std::string_view text) {
  return evaluate(text, Scope{}).value;
}

TEST(Callables, ComputeWhatTheirNamesSay) {
  EXPECT_EQ(value_of("sin(0.3)"), std::sin(0.3));
  EXPECT_EQ(value_of("cos(0.3)"), std::cos(0.3));
  EXPECT_EQ(value_of("tan(0.3)"), std::tan(0.3));
  EXPECT_EQ(value_of("asin(0.3)"), std::asin(0.3));
  EXPECT_EQ(value_of("acos(0.3)"), std::acos(0.3));
  EXPECT_EQ(value_of("atan(0.3)"), std::atan(0.3));
  EXPECT_EQ(value_of("atan2(0.3, -2)"), std::atan2(0.3, -2.0));
  EXPECT_EQ(value_of("sinh(0.3)"), std::sinh(0.3));
  EXPECT_EQ(value_of("cosh(0.3)"), std::cosh(0.3));
  EXPECT_EQ(value_of("tanh(0.3)"), std::tanh(0.3));
  EXPECT_EQ(value_of("exp(0.3)"), std::exp(0.3));
  EXPECT_EQ(value_of("log(0.3)"), std::log(0.3));
  EXPECT_EQ(value_of("log10(0.3)"), std::log10(0.3));
  EXPECT_EQ(value_of("sqrt(0.3)"), std::sqrt(0.3));
  EXPECT_EQ(value_of("pow(0.3, 1.5)"), std::pow(0.3, 1.5));
  EXPECT_EQ(value_of("hypot(3, 4)"), 5.0);
  EXPECT_EQ(value_of("abs(-0.3)"), 0.3);
  EXPECT_EQ(value_of("sign(-0.3)"), -1.0);
  EXPECT_EQ(value_of("sign(0)"), 0.0);
  EXPECT_EQ(value_of("min(3, 1, 2)"), 1.0);
  EXPECT_EQ(value_of("max(3, 1, 2)"), 3.0);
  EXPECT_EQ(value_of("clamp(3, 1, 2)"), 2.0);
  EXPECT_EQ(value_of("floor(-1.5)"), -2.0);
  EXPECT_EQ(value_of("ceil(-1.5)"), -1.0);
  EXPECT_EQ(value_of("mod(-1, 3)"), 2.0);
}

TEST(Callables, ProfilesGoFromOneValueToTheOther) {
  for (const char* name : {"step5", "haversine", "ramp"}) {
    SCOPED_TRACE(name);
    const auto at = [&](double t) { return value_of(fmt::format("{}({}, 1, 2, 3, 6)", name, t)); };
    EXPECT_EQ(at(-5.0), 2.0);
    EXPECT_EQ(at(1.0), 2.0);
    EXPECT_DOUBLE_EQ(at(2.0), 4.0);  // symmetric about the middle
    EXPECT_EQ(at(3.0), 6.0);
    EXPECT_EQ(at(9.0), 6.0);
  }
  // A quarter of the way, from the formulas: 10/64 - 15/256 + 6/1024; (1 - cos 45 deg)/2.
  EXPECT_DOUBLE_EQ(value_of("step5(1, 0, 0, 4, 1)"), 106.0 / 1024.0);
  EXPECT_DOUBLE_EQ(value_of("haversine(1, 0, 0, 4, 1)"), (1.0 - std::sqrt(0.5)) / 2.0);
  EXPECT_DOUBLE_EQ(value_of("ramp(1, 0, 0, 4, 1)"), 0.25);
}

TEST(Callables, ProfilesAreAsSmoothAsPromised) {
  Scope scope;
  scope.add_input("time", core::dimension::time);
  Workspace workspace;
  const std::map<std::string, int> continuous{{"step5", 2}, {"haversine", 1}, {"ramp", 0}};
  for (const auto& [name, orders] : continuous) {
    const Program program = compile(name + "(time, 1, 2, 3, 6)", scope);
    EXPECT_EQ(program.smooth(), orders) << name;
    for (const double corner : {1.0, 3.0}) {
      std::array<std::array<double, 3>, 2> sides{};
      for (const std::size_t side : {0U, 1U}) {
        const double t = corner + (side == 0 ? -1e-9 : 1e-9);
        auto& y = sides[side];
        y[0] = program.hessian({&t, 1}, {&y[1], 1}, {&y[2], 1}, workspace);
      }
      const auto last = static_cast<std::size_t>(std::min(2, orders + 1));
      for (std::size_t order = 0; order <= last; ++order) {
        const double jump = std::abs(sides[1][order] - sides[0][order]);
        // Derivatives up to 100 times a step of 2e-9; the jumps themselves are above 1.
        EXPECT_EQ(jump < 1e-6, static_cast<int>(order) <= orders)
            << name << " at " << corner << ", order " << order << ": " << jump;
      }
    }
  }
}

TEST(Callables, PulsesHaveTheAreaUnderThem) {
  EXPECT_EQ(value_of("pulse(0.99, 1, 3)"), 0.0);
  EXPECT_EQ(value_of("pulse(1, 1, 3)"), 1.0);
  EXPECT_EQ(value_of("pulse(3, 1, 3)"), 0.0);
  EXPECT_EQ(value_of("pulse(2, 1, 3, 0.5)"), 1.0);
  EXPECT_DOUBLE_EQ(value_of("pulse(1.25, 1, 3, 0.5)"), 0.5);
  EXPECT_DOUBLE_EQ(value_of("pulse(2.75, 1, 3, 0.5)"), 0.5);
}

TEST(Callables, RefuseProfilesThatDoNotGoForward) {
  for (const char* text : {"step5(0, 1, 0, 1, 1)", "ramp(0, 2, 0, 1, 1)", "pulse(0, 1, 0)",
                           "pulse(0, 1, 2, 0)", "clamp(0, 2, 1)"}) {
    EXPECT_THROW(value_of(text), ExpressionError) << text;
  }
}

TEST(Callables, KinksHaveTheDerivativesOfTheirPage) {
  Scope scope;
  scope.add_input("x", {});
  Workspace workspace;
  const auto slope = [&](const char* text, double x) {
    double result = 0.0;
    compile(text, scope).gradient({&x, 1}, {&result, 1}, workspace);
    return result;
  };
  EXPECT_EQ(slope("abs(x)", 0.0), 0.0);
  EXPECT_EQ(slope("sign(x)", 0.0), 0.0);
  EXPECT_EQ(slope("floor(x)", 2.0), 0.0);
  EXPECT_EQ(slope("mod(x, 2)", 4.0), 1.0);
  EXPECT_EQ(slope("max(x, 0)", 0.0), 1.0);
  EXPECT_EQ(slope("max(0, x)", 0.0), 0.0);
  EXPECT_EQ(slope("min(x, 0)", 0.0), 1.0);
  EXPECT_EQ(slope("hypot(x, 0)", 0.0), 0.0);
  EXPECT_EQ(slope("x^1", 0.0), 1.0);
  EXPECT_EQ(slope("x^0", 0.0), 0.0);
  EXPECT_TRUE(std::isinf(slope("sqrt(x)", 0.0)));
}

}  // namespace
}  // namespace trammel::expression
