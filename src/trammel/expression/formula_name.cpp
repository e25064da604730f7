#include "trammel/expression/formula_name.h"

#include <algorithm>

#include <fmt/format.h>

#include "trammel/expression/callables.h"
#include "trammel/expression/scanner.h"
#include "trammel/expression/units.h"

namespace trammel::expression {

std::string why_no_formula_name(std::string_view name) {
  if (!is_identifier(name)) {
    return fmt::format("'{}' cannot be used in formulas: letters, digits and '_' can",
                       clipped(name));
  }
  if (const Unit* unit = find_unit(name)) {
    return fmt::format("'{}' is a unit ({})", name, unit->meaning);
  }
  const auto& reserved = reserved_names();
  if (std::find(reserved.begin(), reserved.end(), name) != reserved.end()) {
    return fmt::format("'{}' is a function, a constant or a word of formulas", name);
  }
  return {};
}

}  // namespace trammel::expression
