// The values in a model file: expressions (expression/compile.h) of its parameters.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "trammel/expression/quantity.h"
#include "trammel/expression/scanner.h"

namespace trammel::io {

using expression::ExpressionError;
using expression::is_identifier;
using expression::names_in;
using expression::Quantity;

/// Named values. A name without value is a parameter whose own definition is wrong.
using Quantities = std::map<std::string, std::optional<Quantity>, std::less<>>;

/// Throws ExpressionError.
Quantity evaluate(std::string_view text, const Quantities& parameters);

}  // namespace trammel::io
