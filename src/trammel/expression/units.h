// The units an expression may use, each with its dimension and its size in SI units.
#pragma once

#include <string_view>
#include <vector>

#include "trammel/core/dimension.h"

namespace trammel::expression {

struct Unit {
  std::string_view name;
  core::Dimension dimension;
  double size = 1.0;  ///< in SI units: "mm" has 0.001
  std::string_view meaning;
};

/// In the order of the reference page. 1 in = 25.4 mm, 1 lb = 0.45359237 kg and
/// 1 lbf = 4.4482216152605 N are exact by definition.
const std::vector<Unit>& units();

/// Null when there is no such unit.
const Unit* find_unit(std::string_view name);

}  // namespace trammel::expression
