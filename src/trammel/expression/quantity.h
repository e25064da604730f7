// What is known of a value before it is computed: its dimension, and how strictly that is meant.
//
// The angle is a dimension of its own, so that "10 Hz" is no speed of rotation. Two rules keep this
// practical:
//   - the product of two quantities may gain or lose radians, since omega * length is a velocity;
//   - a plain number that multiplies something that varies is a coefficient in SI units, whatever
//     unit it needs: -5 * crank.rate may be a torque, sin(3 * time) is meant with 3 rad/s. Such a
//     product is "open". A coefficient with a unit makes the product strict: -5 N m s * crank.rate.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "trammel/core/diagnostic.h"
#include "trammel/core/dimension.h"

namespace trammel::expression {

/// What kind of value an expression gives.
struct Type {
  core::Dimension dimension;
  bool any_angle = false;  ///< a product of quantities: radians may be added or dropped
  bool open = false;       ///< has a coefficient without unit: stands for every dimension
  bool truth = false;      ///< a condition, not a number

  /// May stand where `wanted` is asked for. A number without dimension counts as given in SI units.
  bool fits(const core::Dimension& wanted) const;
};

/// "a value in m/s", "a number without unit", "a condition"
std::string described(const Type& type);

/// A value in SI units.
struct Quantity {
  double value = 0.0;
  core::Dimension dimension;
  bool any_angle = false;  ///< see Type

  Type type() const { return {dimension, any_angle, false, false}; }
  bool fits(const core::Dimension& wanted) const { return type().fits(wanted); }
};

/// The quantity as an expression gives it back: "(0.25 m)".
std::string written(const Quantity& quantity);

/// What is wrong with an expression, and at which character of it (from 0).
struct ExpressionError {
  std::size_t position = 0;
  std::string message;
  std::string remedy;
  bool reported = false;  ///< a consequence of a mistake that is told elsewhere
};

/// For callers that have no text position of their own: "column 5: 'rot' is not ...".
core::Diagnostic to_diagnostic(const ExpressionError& error,
                               std::string_view text,
                               std::string path);

/// A type together with what decides special cases: a bare zero fits to every dimension.
struct Term {
  Type type;
  bool constant = false;
  double value = 0.0;  ///< when constant

  bool bare_number() const { return constant && type.dimension == core::Dimension{}; }
  bool bare_zero() const { return bare_number() && value == 0.0; }
};

/// How plain numbers meet quantities: in sums they need their unit; as the limits of a comparison
/// or the corners of a profile they count as given in SI units.
enum class PlainNumbers { need_unit, count_as_si };

/// The common type of values that are added or compared. Throws ExpressionError with "cannot add a
/// value in m and a value in rad" when there is none.
Type common_type(std::span<const Term> terms,
                 PlainNumbers plain_numbers,
                 std::size_t position,
                 std::string_view verb);

/// Type of the square root. Throws ExpressionError for odd powers.
Type root_type(const Type& type, std::size_t position);

/// Type of a product (exponent 1) or quotient (exponent -1) of two quantities.
Type product_type(const Term& a, const Term& b, int exponent, std::size_t position);

/// Type of base^exponent. Throws ExpressionError for exponents with a unit, and for quantities with
/// a unit unless the exponent is a constant whole number up to 9.
Type power_type(const Term& base, const Term& exponent, std::size_t position);

}  // namespace trammel::expression
