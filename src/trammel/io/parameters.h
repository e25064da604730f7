// The parameters of a model file: named values that may depend on each other in any order.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "trammel/io/expression.h"

namespace trammel::io {

struct ParameterDefinition {
  std::string_view name;
  std::string_view text;
  bool usable = true;  ///< false: known to be wrong; the name exists, but without value
};

/// A mistake in the definition with this index.
struct ParameterError {
  std::size_t definition = 0;
  ExpressionError error;
};

/// Evaluates all definitions, each after those it needs, without recursion. Wrong ones and those
/// that depend on them are left without value; a cycle is reported once, with its names. Gives up
/// after 200 mistakes. They may use `known` values and hide those of the same name; the result
/// holds both.
Quantities evaluate_parameters(const std::vector<ParameterDefinition>& definitions,
                               std::vector<ParameterError>& errors,
                               Quantities known = {});

}  // namespace trammel::io
