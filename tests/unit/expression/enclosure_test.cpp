// Bounds of formulas over intervals: they hold every value and every slope in them, and become
// narrow with the interval.
#include "trammel/expression/enclosure.h"

#include <cmath>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "trammel/expression/compile.h"

namespace trammel::expression {
namespace {

std::shared_ptr<const Program> program_of(const std::string& text) {
  Scope names;
  names.add_input("time", core::dimension::none);
  names.add_table(std::make_shared<Table>("cubic", std::vector<double>{-9, -1, 0, 1, 2, 9},
                                          std::vector<double>{1, 3, -1, 2, 0, 5}, TableOptions{}));
  return std::make_shared<const Program>(compile(text, names));
}

Enclosure enclosure_of(const Program& program, double low, double high) {
  const Program::Parts& parts = program.parts();
  std::vector<Enclosure> registers;
  for (std::size_t i = 0; i < parts.inputs.size(); ++i) {
    registers.push_back({{low, high}, {1.0, 1.0}});
  }
  for (const double constant : parts.constants) registers.push_back({{constant, constant}, {}});
  for (const Instruction& k : parts.instructions) {
    registers.push_back(enclose(k, registers.data(), parts.tables));
  }
  return registers[parts.result];
}

const std::vector<std::string> formulas{"time + 2 * time",
                                        "time - time^2",
                                        "3 * time * sin(time)",
                                        "1 / (1 + time^2)",
                                        "sin(7 * time)",
                                        "cos(time)^3",
                                        "tan(0.1 * time)",
                                        "asin(0.1 * time)",
                                        "acos(0.1 * time)",
                                        "atan(time)",
                                        "sinh(time)",
                                        "cosh(time)",
                                        "tanh(time)",
                                        "exp(-time)",
                                        "log(10 + time)",
                                        "log10(10 + time)",
                                        "sqrt(10 + time)",
                                        "(10 + time)^1.5",
                                        "(10 + time)^(-0.5)",
                                        "time^4",
                                        "time^3",
                                        "(10 + time)^(-2)",
                                        "abs(time)",
                                        "sign(time)",
                                        "floor(time)",
                                        "ceil(time)",
                                        "min(time, 1)",
                                        "max(time, time^2)",
                                        "mod(time, 2)",
                                        "atan2(time, 2)",
                                        "atan2(time, -2)",
                                        "hypot(time, 1)",
                                        "step5(time, 0, 0, 1, 3)",
                                        "haversine(time, 0, 0, 1, 3)",
                                        "ramp(time, 0, 0, 1, 3)",
                                        "if(time < 1, time, 2 * time)",
                                        "if(time > 0 and not time > 2 or time < -3, 1, 0)",
                                        "table(cubic, time)"};

TEST(Enclosure, HoldsAllValuesAndSlopes) {
  constexpr int places = 40;
  for (const std::string& text : formulas) {
    const auto program = program_of(text);
    Workspace workspace;
    // Not at corners themselves, where the slope is what the page of expressions says.
    for (const double low : {-4.03, -1.2, -0.3, 1e-3, 0.21, 0.9, 1.7}) {
      for (const double width : {3.1, 0.4, 1e-3, 1e-9, 0.0}) {
        SCOPED_TRACE(fmt::format("{} over [{}, {}]", text, low, low + width));
        const Enclosure bounds = enclosure_of(*program, low, low + width);
        for (int i = 0; i <= places; ++i) {
          const double t = low + width * i / places;
          double slope = 0.0;
          const double value = program->gradient({&t, 1}, {&slope, 1}, workspace);
          ASSERT_LE(bounds.value.low, value);
          ASSERT_GE(bounds.value.high, value);
          // The derivative itself is right to round-off.
          const double round_off = 1e-13 * (1.0 + std::abs(slope));
          ASSERT_LE(bounds.slope.low, slope + round_off);
          ASSERT_GE(bounds.slope.high, slope - round_off);
        }
      }
    }
  }
}

TEST(Enclosure, BecomesAsNarrowAsTheFormula) {
  for (const std::string& text : formulas) {
    const auto program = program_of(text);
    const Enclosure bounds = enclosure_of(*program, 0.3, 0.3 + 1e-6);
    EXPECT_LT(bounds.value.high - bounds.value.low, 1e-4) << text;
  }
}

// Slopes prove that a part of an oscillation rises or falls.
TEST(Enclosure, KnowsWhereOscillationsRise) {
  const auto program = program_of("sin(100 * time) - 0.99");
  EXPECT_GT(enclosure_of(*program, 0.0141, 0.0156).slope.low, 0.0);
  EXPECT_LT(enclosure_of(*program, 0.0158, 0.0173).slope.high, 0.0);
  EXPECT_LT(enclosure_of(*program, 0.0173, 0.0765).value.high, 0.0);
}

}  // namespace
}  // namespace trammel::expression
