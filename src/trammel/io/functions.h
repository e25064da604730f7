// The functions an expression may call, with what they do to dimensions.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "trammel/io/expression.h"

namespace trammel::io {

/// sin, cos, tan take angles (or numbers: radians) and give numbers; asin, acos, atan and atan2
/// give angles; sqrt halves the dimension; abs, min and max keep it; exp and log want numbers.
/// Throws ExpressionError with `position` for an unknown name, a wrong number of arguments, or
/// arguments outside of the domain.
Quantity call_function(std::string_view name,
                       const std::vector<Quantity>& arguments,
                       std::size_t position);

/// Throws ExpressionError unless both have the same dimension; a zero without unit fits to all.
void require_same_dimension(const Quantity& a,
                            const Quantity& b,
                            std::size_t position,
                            std::string_view verb);

}  // namespace trammel::io
