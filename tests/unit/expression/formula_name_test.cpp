// One rule for all names that stand for a value: no formula can be read in two ways.
#include "trammel/expression/formula_name.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "trammel/core/diagnostic.h"
#include "trammel/expression/callables.h"
#include "trammel/expression/compile.h"
#include "trammel/expression/units.h"

namespace trammel::expression {
namespace {

TEST(FormulaName, IsNoUnitAndNoWord) {
  for (const Unit& unit : units()) {
    EXPECT_EQ(why_no_formula_name(unit.name),
              fmt::format("'{}' is a unit ({})", unit.name, unit.meaning));
  }
  for (const std::string& name : reserved_names()) EXPECT_NE(why_no_formula_name(name), "") << name;
  for (const char* name : {"", "1a", "a-b", "a.b", "a b", "+5"}) {
    EXPECT_NE(why_no_formula_name(name), "") << name;
  }
  for (const char* name : {"x", "T", "mass", "t_1", "_a", "e"}) {
    EXPECT_EQ(why_no_formula_name(name), "") << name;
  }
}

TEST(FormulaName, HoldsForFunctionsToo) {
  for (const Unit& unit : units()) {
    EXPECT_THROW(
        UserFunction(std::string(unit.name), 1, [](UserFunction::Arguments) { return 0.0; }),
        core::InputError)
        << unit.name;
  }
}

// Whoever resolves names without the rule: what could be read in two ways is not read at all.
TEST(FormulaName, AUnitThatIsAlsoANameIsRefusedWhereverItStands) {
  for (const Unit& unit : units()) {
    Scope scope;
    scope.add_constant("x", {2.0, {}, false});
    scope.add_input(std::string(unit.name), {});
    for (const std::string text : {"x * ", "1 ", "", "3 * (x + 1) / ", "-"}) {
      try {
        compile(text + std::string(unit.name), scope);
        ADD_FAILURE() << text << unit.name;
      } catch (const ExpressionError& error) {
        EXPECT_NE(error.message.find("is a unit ("), std::string::npos) << error.message;
      }
    }
  }
}

double size_of(std::string_view text) {
  return evaluate_unit(text).value;
}

TEST(UnitText, IsMadeOfUnitsAlone) {
  for (const Unit& unit : units()) EXPECT_EQ(size_of(unit.name), unit.size) << unit.name;
  EXPECT_DOUBLE_EQ(size_of("N mm"), 1e-3);
  EXPECT_DOUBLE_EQ(size_of(" km/h "), 1.0 / 3.6);
  EXPECT_DOUBLE_EQ(size_of("mm^2"), 1e-6);
  EXPECT_DOUBLE_EQ(size_of("cm^-1"), 100.0);
  EXPECT_DOUBLE_EQ(size_of("N/(m s)"), 1.0);
}

TEST(UnitText, IsNoFormula) {
  for (const char* text :
       {"",         " ",       "+ 5", "- 5",  "5", "mm + 5", "mm * 5", "5 mm", "2^3",  "mm^",
        "mm^2^3 5", "sqrt(2)", "pi",  "time", "(", "mm)",    "mm, 5",  "^2",   "mm^-", "e"}) {
    EXPECT_THROW(evaluate_unit(text), ExpressionError) << text;
  }
}

}  // namespace
}  // namespace trammel::expression
