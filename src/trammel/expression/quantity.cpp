#include "trammel/expression/quantity.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include <fmt/format.h>

namespace trammel::expression {
namespace {

using core::Dimension;

constexpr int largest_exponent = 100;
constexpr double largest_power = 9.0;
constexpr std::size_t longest_quoted = 60;

bool same_but_for_angle(const Dimension& a, Dimension b) {
  b.angle = a.angle;
  return a == b;
}

bool alike(const Type& a, const Type& b) {
  if (a.open || b.open || a.dimension == b.dimension) return true;
  return (a.any_angle || b.any_angle) && same_but_for_angle(a.dimension, b.dimension);
}

void require_sane(const Dimension& dimension, std::size_t position) {
  for (const int exponent : {dimension.length, dimension.mass, dimension.time, dimension.angle}) {
    if (std::abs(exponent) > largest_exponent) {
      throw ExpressionError{position, "the unit has an absurd power", "check the powers", false};
    }
  }
}

/// The term whose dimension the others must have; a number has none to give.
const Term& leading(std::span<const Term> terms) {
  const auto with_dimension = [](const Term& term) {
    return !term.type.open && term.type.dimension != Dimension{};
  };
  const auto found = std::find_if(terms.begin(), terms.end(), with_dimension);
  return found == terms.end() ? terms.front() : *found;
}

}  // namespace

bool Type::fits(const Dimension& wanted) const {
  if (truth) return false;
  if (open || dimension == wanted || dimension == Dimension{}) return true;
  return any_angle && same_but_for_angle(wanted, dimension);
}

std::string written(const Quantity& quantity) {
  const std::string unit = core::si_unit(quantity.dimension);
  return fmt::format("({:.17g}{}{})", quantity.value, unit.empty() ? "" : " ", unit);
}

std::string described(const Type& type) {
  if (type.truth) return "a condition";
  if (type.open || type.dimension == Dimension{}) return "a number without unit";
  return fmt::format("a value in {}", core::si_unit(type.dimension));
}

core::Diagnostic to_diagnostic(const ExpressionError& error,
                               std::string_view text,
                               std::string path) {
  const bool clipped = text.size() > longest_quoted;
  core::Diagnostic diagnostic;
  diagnostic.path = std::move(path);
  diagnostic.message = fmt::format("in '{}{}', column {}: {}", text.substr(0, longest_quoted),
                                   clipped ? "..." : "", error.position + 1, error.message);
  diagnostic.remedy = error.remedy;
  return diagnostic;
}

Type common_type(std::span<const Term> terms,
                 PlainNumbers plain_numbers,
                 std::size_t position,
                 std::string_view verb) {
  const Term& lead = leading(terms);
  Type result = lead.type;
  bool all_open_or_numbers = lead.type.dimension == Dimension{};
  for (const Term& term : terms) {
    if (term.type.truth) {
      throw ExpressionError{position, fmt::format("cannot {} a condition", verb),
                            "use if(condition, value, other value)", false};
    }
    const bool excused =
        term.bare_zero() || (plain_numbers == PlainNumbers::count_as_si && term.bare_number());
    if (!excused && !alike(lead.type, term.type)) {
      const bool in_order = &lead < &term;
      throw ExpressionError{
          position,
          fmt::format("cannot {} {} and {}", verb, described((in_order ? lead : term).type),
                      described((in_order ? term : lead).type)),
          "give both the same kind of unit; in a sum a plain number needs its unit, too", false};
    }
    result.any_angle = result.any_angle || term.type.any_angle;
    if (all_open_or_numbers) result.open = result.open || term.type.open;
  }
  return result;
}

Type root_type(const Type& type, std::size_t position) {
  if (type.open) return type;
  const Dimension& whole = type.dimension;
  const Dimension half{whole.length / 2, whole.mass / 2, whole.time / 2, whole.angle / 2};
  if (half * half != whole) {
    throw ExpressionError{position, fmt::format("the root of {} has no unit", core::si_unit(whole)),
                          "take the root of an even power", false};
  }
  return {half, type.any_angle, false, false};
}

Type product_type(const Term& a, const Term& b, int exponent, std::size_t position) {
  if (a.type.truth || b.type.truth) {
    throw ExpressionError{position, "cannot calculate with a condition",
                          "use if(condition, value, other value)", false};
  }
  Type result;
  result.open = a.type.open || b.type.open || (a.bare_number() && !b.constant) ||
                (b.bare_number() && !a.constant);
  if (result.open) return result;
  result.dimension =
      exponent > 0 ? a.type.dimension * b.type.dimension : a.type.dimension / b.type.dimension;
  result.any_angle = a.type.any_angle || b.type.any_angle;
  require_sane(result.dimension, position);
  return result;
}

Type power_type(const Term& base, const Term& exponent, std::size_t position) {
  if (base.type.truth || exponent.type.truth) {
    throw ExpressionError{position, "cannot calculate with a condition",
                          "use if(condition, value, other value)", false};
  }
  if (!exponent.type.open && exponent.type.dimension != Dimension{}) {
    throw ExpressionError{position, "a power must be a number without unit", "remove its unit",
                          false};
  }
  const Dimension& one = base.type.dimension;
  if (base.type.open || one == Dimension{}) return base.type;
  const double n = std::round(exponent.value);
  if (!exponent.constant || n != exponent.value || std::abs(n) > largest_power) {
    throw ExpressionError{position,
                          "a quantity with a unit can only be raised to a whole power up to 9",
                          "use sqrt() for roots", false};
  }
  const int times = static_cast<int>(n);
  const Dimension all{one.length * times, one.mass * times, one.time * times, one.angle * times};
  require_sane(all, position);
  return {all, base.type.any_angle, false, false};
}

}  // namespace trammel::expression
