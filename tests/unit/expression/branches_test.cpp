// Conditions on more than time: programs with branches that can be held.
#include "trammel/expression/branches.h"

#include <array>
#include <cmath>

#include <gtest/gtest.h>

#include "trammel/expression/compile.h"

namespace trammel::expression {
namespace {

std::shared_ptr<const Program> compiled(const std::string& text) {
  Scope names;
  names.add_input("x", core::dimension::none);
  names.add_input("time", core::dimension::time);
  names.add_function(std::make_shared<UserFunction>(
      "twice", 1, [](UserFunction::Arguments x) { return 2.0 * x[0]; }));
  return std::make_shared<const Program>(compile(text, names));
}

// All inputs but time get x, branches are let go or held.
std::vector<double> inputs_of(const Program& program, double x, double side) {
  std::vector<double> inputs;
  for (const Input& input : program.inputs()) {
    const bool branch = input.name == "a branch";
    inputs.push_back(branch ? side : (input.name == "time" ? 0.7 : x));
  }
  return inputs;
}

TEST(Branches, LetGoTheProgramIsTheSame) {
  for (const char* text :
       {"if(x > 0.5, 3 * x, -x)", "sign(x) + floor(2 * x) * ceil(x)", "if(twice(x) < 1, 1, x^2)",
        "if(x > 0.1 and x <= 0.6 or time > 1 s, sin(x), 2) * x", "if(sign(x) > 0, floor(x), x)"}) {
    const auto program = compiled(text);
    const BranchedProgram branched = with_branches(program);
    EXPECT_FALSE(branched.branches.empty()) << text;
    Workspace workspace;
    for (const double x : {-1.3, -0.5, 0.0, 0.2, 0.5, 0.55, 1.0, 2.3}) {
      const std::vector<double> plain = inputs_of(*program, x, let_go);
      const std::vector<double> held = inputs_of(*branched.program, x, let_go);
      std::vector<double> slope(plain.size());
      std::vector<double> held_slope(held.size());
      EXPECT_EQ(branched.program->gradient(held, held_slope, workspace),
                program->gradient(plain, slope, workspace))
          << text << " at " << x;
      for (std::size_t i = 0; i < plain.size(); ++i) EXPECT_EQ(held_slope[i], slope[i]) << text;
    }
  }
}

TEST(Branches, HeldTheFormulaGoesOn) {
  const BranchedProgram branched = with_branches(compiled("if(x > 0.5, 3 * x, -x)"));
  ASSERT_EQ(branched.branches.size(), 1U);
  Workspace workspace;
  for (const double x : {0.2, 0.5, 0.8}) {
    EXPECT_EQ(branched.program->value(inputs_of(*branched.program, x, 1.0), workspace), 3.0 * x);
    const double* registers = workspace.take(0).data();
    EXPECT_NEAR(branched.branches[0].distance(1.0, registers), x - 0.5, 1e-15);
    EXPECT_EQ(branched.program->value(inputs_of(*branched.program, x, 0.0), workspace), -x);
    EXPECT_NEAR(branched.branches[0].distance(0.0, workspace.take(0).data()), 0.5 - x, 1e-15);
  }
}

TEST(Branches, OfWholeNumbersEndAtBoth) {
  const BranchedProgram branched = with_branches(compiled("floor(x)"));
  ASSERT_EQ(branched.branches.size(), 1U);
  Workspace workspace;
  for (const double x : {1.9, 2.25, 3.1}) {
    EXPECT_EQ(branched.program->value(inputs_of(*branched.program, x, 2.0), workspace), 2.0);
    EXPECT_NEAR(branched.branches[0].distance(2.0, workspace.take(0).data()),
                std::min(x - 2.0, 3.0 - x), 1e-15);
  }
}

TEST(Branches, OfTimeAloneAreNone) {
  for (const char* text :
       {"if(time > 1 s, x, 2 * x)", "x * floor(time / (1 s))", "sin(x) * abs(x)", "max(x, 0)"}) {
    const auto program = compiled(text);
    const BranchedProgram branched = with_branches(program);
    EXPECT_TRUE(branched.branches.empty()) << text;
    EXPECT_EQ(branched.program, program) << text;
  }
}

}  // namespace
}  // namespace trammel::expression
