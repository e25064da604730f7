// Names that stand for a value in formulas. One rule holds for all of them (parameters, states,
// sensors, functions): letters, digits and '_', and neither a unit nor a word of formulas. So no
// formula can be read in two ways, and a name that is added later changes no formula. Bodies,
// joints and other parts stand in formulas only with a dot behind them ("rod.angle") and may be
// named freely.
#pragma once

#include <string>
#include <string_view>

namespace trammel::expression {

/// "'t' is a unit (tonne)", "'sin' is a word of formulas" or "'a-b' cannot be used in formulas";
/// empty when the name can stand for a value.
std::string why_no_formula_name(std::string_view name);

}  // namespace trammel::expression
