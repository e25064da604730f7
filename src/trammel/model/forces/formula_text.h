// Pieces of the formulas that kinds of forces are written in, and the fields they share.
//
// All values are SI; plain numbers as factors make a formula free of units.
#pragma once

#include <optional>
#include <string>

#include <fmt/format.h>

#include "trammel/model/kinds.h"

namespace trammel::model {

/// A number with all its digits, fit to stand in a product.
inline std::string digits(double number) {
  return fmt::format("({:.17g})", number);
}

/// (x - x0) of a coordinate.
inline std::string difference(const std::string& coordinate, double reference) {
  return fmt::format("(1*{} - {:.17g}*1)", coordinate, reference);
}

inline std::string rate_of(const std::string& coordinate) {
  return fmt::format("(1*{}_rate)", coordinate);
}

/// The user's formula as a factor.
inline std::string plain(const std::string& formula) {
  return fmt::format("(1*({}))", formula);
}

inline Field coordinate_field() {
  return {.name = "coordinate",
          .kind = FieldKind::quantity,
          .description = "what it acts along, e.g. pin.angle"};
}

inline Field number_field(const char* name,
                          const char* description,
                          const std::optional<Value>& fallback,
                          Sign sign) {
  return {.name = name, .description = description, .fallback = fallback, .sign = sign};
}

inline Field formula_field(const char* name,
                           const char* description,
                           const std::optional<Value>& fallback = std::nullopt) {
  return {
      .name = name, .kind = FieldKind::formula, .description = description, .fallback = fallback};
}

}  // namespace trammel::model
