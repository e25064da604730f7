// Numbers with units and arithmetic: "25 mm", "10 N m/rad", "2 * (crank_length + 5 mm)".
//
//   sum      = product { ("+" | "-") product }
//   product  = factor { ("*" | "/") factor }
//   factor   = [ "-" | "+" ] ( atom [ "^" factor ] ) { unit [ "^" integer ] }
//   atom     = number | unit | parameter | "pi" | function "(" sum { "," sum } ")" | "(" sum ")"
//
// Units written behind a number multiply it and bind tighter than "*" and "/". "N/m s" may mean two
// things and is refused. Dimensions are carried through: sums need equal ones. The angle is a
// dimension of its own here, so that "10 Hz" is no speed of rotation; the product of two
// quantities, however, may gain or lose radians, since omega * length is a velocity. Texts are
// limited to 4096 characters and 64 levels.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "trammel/core/dimension.h"

namespace trammel::io {

/// A value in SI units.
struct Quantity {
  double value = 0.0;
  core::Dimension dimension;
  bool any_angle = false;  ///< a product of quantities: radians may be added or dropped

  /// May stand where `wanted` is asked for. A number without dimension counts as given in SI units.
  bool fits(const core::Dimension& wanted) const;
};

/// Named values. A name without value is a parameter whose own definition is wrong.
using Quantities = std::map<std::string, std::optional<Quantity>, std::less<>>;

/// What is wrong with an expression, and at which character of it (from 0).
struct ExpressionError {
  std::size_t position = 0;
  std::string message;
  std::string remedy;
  bool reported = false;  ///< a consequence of a mistake that is told elsewhere
};

/// Throws ExpressionError.
Quantity evaluate(std::string_view text, const Quantities& parameters);

/// The names in an expression that are neither units nor functions, in order. Never throws; wrong
/// text gives fewer names.
std::vector<std::string_view> names_in(std::string_view text);

/// Functions and constants; their names cannot be parameters.
const std::vector<std::string>& function_names();

bool is_identifier(std::string_view name);

}  // namespace trammel::io
