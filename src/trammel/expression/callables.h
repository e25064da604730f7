// The functions an expression may call: one line each, from which parser, reference page and tests
// are fed.
#pragma once

#include <array>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "trammel/expression/builder.h"

namespace trammel::expression {

/// Kinds of arguments and results, one letter each: 'a' an angle or a number of radians, 'n' a
/// number without unit, 'x' and 'y' any dimension, the same wherever the letter comes again.
/// Results also: 'r' the root of x, '^' by the rule of powers.
struct Callable {
  std::string_view usage;  ///< "atan2(y, x)"
  std::string_view kinds;  ///< of the arguments
  std::size_t least = 1;   ///< arguments; the last kind repeats when `repeats`
  bool repeats = false;
  char gives = 'n';
  PlainNumbers plain_numbers = PlainNumbers::need_unit;
  /// A point at which the function is smooth, for its tests.
  std::array<double, 5> sample{};
  std::string_view meaning;
  /// Null: the primitive of the same name.
  Operand (*build)(Builder&, const std::vector<Operand>&, const Type&, std::size_t) = nullptr;

  std::string_view name() const { return usage.substr(0, usage.find('(')); }
};

std::span<const Callable> callables();

/// The call of a function. Throws ExpressionError with `position` for an unknown name, a wrong
/// number of arguments, or arguments of a wrong dimension. `more` names functions that could have
/// been meant besides.
Operand call(Builder& builder,
             std::string_view name,
             const std::vector<Operand>& arguments,
             std::size_t position,
             const std::vector<std::string>& more = {});

/// pi, then every function, with if and table.
const std::vector<std::string>& function_names();

/// Functions, constants and words of the language; nothing else can have their names.
const std::vector<std::string>& reserved_names();

}  // namespace trammel::expression
