#include "trammel/model/joints/primitives/rod.h"

namespace trammel::model {

std::vector<Field> rod_fields() {
  return with_unilateral_fields(
      {Field{.name = "length",
             .dimension = core::dimension::length,
             .description = "length of the rod; the described distance when not given",
             .sign = Sign::positive,
             .optional = true}});
}

}  // namespace trammel::model
