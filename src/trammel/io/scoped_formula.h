// Formulas inside sub-assemblies, in the words of the whole model.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "trammel/io/expression.h"

namespace trammel::io {

/// The formula with `prefix` before the names of measured quantities, and parameters of the copy
/// replaced by their values. Without a prefix it stays as it is. `own` are names that the formula
/// alone knows; they stay.
std::string scoped_formula(std::string_view text,
                           std::string_view prefix,
                           const Quantities& parameters,
                           const std::vector<std::string>& own = {});

}  // namespace trammel::io
