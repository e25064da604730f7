// Variables that formulas of some fields read besides the names of the model.
#include <gtest/gtest.h>

#include "trammel/expression/formula_name.h"
#include "trammel/model/kinds.h"

namespace trammel::model {
namespace {

template <class Kinds>
int check_variables(const Kinds& kinds) {
  int count = 0;
  for (const auto& kind : kinds) {
    for (const Field& field : kind.fields) {
      for (const std::string& variable : field.variables) {
        ++count;
        EXPECT_EQ(expression::why_no_formula_name(variable), "") << kind.name << "." << field.name;
      }
    }
  }
  return count;
}

TEST(FieldVariables, CanBeReadInOneWayOnly) {
  const int count = check_variables(joint_kinds()) + check_variables(force_kinds()) +
                    check_variables(coupling_kinds()) + check_variables(drive_kinds()) +
                    check_variables(sensor_kinds());
  EXPECT_GT(count, 0);
}

}  // namespace
}  // namespace trammel::model
