#include "trammel/expression/units.h"

#include <set>

#include <gtest/gtest.h>

#include "trammel/expression/compile.h"
#include "trammel/expression/resolver.h"

namespace trammel::expression {
namespace {

TEST(Units, AreUniqueAndPositive) {
  std::set<std::string_view> names;
  for (const Unit& unit : units()) {
    EXPECT_TRUE(names.insert(unit.name).second) << unit.name;
    EXPECT_GT(unit.size, 0.0) << unit.name;
    EXPECT_EQ(find_unit(unit.name), &unit);
  }
  EXPECT_EQ(find_unit("furlong"), nullptr);
}

TEST(Units, DerivedUnitsAgreeWithTheirDefinitions) {
  // Two ways to the same number: 1 lbf = 1 lb * 9.80665 m/s^2, 1 bar = 10 N/cm^2, 12 in = 1 ft.
  EXPECT_DOUBLE_EQ(find_unit("lbf")->size, find_unit("lb")->size * 9.80665);
  EXPECT_DOUBLE_EQ(find_unit("bar")->size, 10.0 / (find_unit("cm")->size * find_unit("cm")->size));
  EXPECT_DOUBLE_EQ(find_unit("ft")->size, 12.0 * find_unit("in")->size);
  EXPECT_DOUBLE_EQ(find_unit("rpm")->size, find_unit("rev")->size / find_unit("min")->size);
  EXPECT_DOUBLE_EQ(find_unit("rev")->size, 360.0 * find_unit("deg")->size);
}

TEST(Units, ThatAreWrittenAreReadAgain) {
  // What results, messages and the reference call a unit is one that formulas understand.
  for (int code = 0; code < 7 * 7 * 7 * 7; ++code) {
    const auto power = [code](int place) { return code / place % 7 - 3; };
    const core::Dimension dimension{power(1), power(7), power(49), power(343)};
    const std::string unit = core::si_unit(dimension);
    if (unit.empty()) continue;
    EXPECT_EQ(evaluate_unit(unit).dimension, dimension) << unit;
    EXPECT_EQ(evaluate_unit(unit).value, 1.0) << unit;
    const std::string number = unit.front() == '1' ? unit : "1 " + unit;
    EXPECT_EQ(evaluate(number, Scope{}).dimension, dimension) << number;
  }
}

}  // namespace
}  // namespace trammel::expression
