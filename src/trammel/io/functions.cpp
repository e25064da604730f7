#include "trammel/io/functions.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "trammel/core/names.h"

namespace trammel::io {
namespace {

using core::Dimension;

std::string described(const Quantity& quantity) {
  if (quantity.dimension == Dimension{}) return "a number without unit";
  return fmt::format("a value in {}", core::si_unit(quantity.dimension));
}

enum class Takes { angle, number, anything, alike };
enum class Gives { number, angle, root, same };

struct Function {
  std::string_view name;
  std::size_t least_arguments;
  std::size_t most_arguments;
  Takes takes;
  Gives gives;
  double (*compute)(double first, double second);
};

constexpr std::size_t any_number = 64;

const std::vector<Function>& functions() {
  static const std::vector<Function> table{
      {"sin", 1, 1, Takes::angle, Gives::number, [](double x, double) { return std::sin(x); }},
      {"cos", 1, 1, Takes::angle, Gives::number, [](double x, double) { return std::cos(x); }},
      {"tan", 1, 1, Takes::angle, Gives::number, [](double x, double) { return std::tan(x); }},
      {"asin", 1, 1, Takes::number, Gives::angle, [](double x, double) { return std::asin(x); }},
      {"acos", 1, 1, Takes::number, Gives::angle, [](double x, double) { return std::acos(x); }},
      {"atan", 1, 1, Takes::number, Gives::angle, [](double x, double) { return std::atan(x); }},
      {"atan2", 2, 2, Takes::alike, Gives::angle,
       [](double y, double x) { return std::atan2(y, x); }},
      {"sqrt", 1, 1, Takes::anything, Gives::root, [](double x, double) { return std::sqrt(x); }},
      {"abs", 1, 1, Takes::anything, Gives::same, [](double x, double) { return std::abs(x); }},
      {"min", 1, any_number, Takes::alike, Gives::same,
       [](double x, double y) { return std::min(x, y); }},
      {"max", 1, any_number, Takes::alike, Gives::same,
       [](double x, double y) { return std::max(x, y); }},
      {"exp", 1, 1, Takes::number, Gives::number, [](double x, double) { return std::exp(x); }},
      {"log", 1, 1, Takes::number, Gives::number, [](double x, double) { return std::log(x); }},
  };
  return table;
}

void check_arguments(const Function& function,
                     const std::vector<Quantity>& arguments,
                     std::size_t position) {
  if (arguments.size() < function.least_arguments || arguments.size() > function.most_arguments) {
    throw ExpressionError{position,
                          fmt::format("{}() got {} values", function.name, arguments.size()),
                          fmt::format("it takes {}", function.least_arguments), false};
  }
  for (const Quantity& argument : arguments) {
    const bool wrong_angle =
        function.takes == Takes::angle && !argument.fits(core::dimension::angle);
    const bool wrong_number = function.takes == Takes::number && !argument.fits({});
    if (wrong_angle || wrong_number) {
      throw ExpressionError{
          position, fmt::format("{}() got {}", function.name, described(argument)),
          wrong_angle ? "give an angle such as '30 deg'" : "give a number without unit", false};
    }
    if (function.takes == Takes::alike) {
      require_same_dimension(arguments.front(), argument, position, "compare");
    }
  }
}

Dimension halved(const Dimension& dimension, std::size_t position) {
  const Dimension half{dimension.length / 2, dimension.mass / 2, dimension.time / 2,
                       dimension.angle / 2};
  if (half * half != dimension) {
    throw ExpressionError{position,
                          fmt::format("the root of {} has no unit", core::si_unit(dimension)),
                          "take the root of an even power", false};
  }
  return half;
}

Quantity result_of(Gives gives, double value, const Quantity& argument, std::size_t position) {
  switch (gives) {
    case Gives::number:
      return {value, {}, false};
    case Gives::angle:
      return {value, core::dimension::angle, true};
    case Gives::root:
      return {value, halved(argument.dimension, position), argument.any_angle};
    case Gives::same:
      break;
  }
  return {value, argument.dimension, argument.any_angle};
}

/// The argument whose dimension the others have; a bare zero has none to give.
const Quantity& leading(const std::vector<Quantity>& arguments) {
  const auto found = std::find_if(arguments.begin(), arguments.end(), [](const Quantity& argument) {
    return argument.dimension != Dimension{};
  });
  return found == arguments.end() ? arguments.front() : *found;
}

}  // namespace

void require_same_dimension(const Quantity& a,
                            const Quantity& b,
                            std::size_t position,
                            std::string_view verb) {
  const auto is_bare_zero = [](const Quantity& q) {
    return q.value == 0.0 && q.dimension == Dimension{};
  };
  if (a.dimension == b.dimension || is_bare_zero(a) || is_bare_zero(b)) return;
  Dimension b_turned = b.dimension;
  b_turned.angle = a.dimension.angle;
  if ((a.any_angle || b.any_angle) && b_turned == a.dimension) return;
  throw ExpressionError{
      position, fmt::format("cannot {} {} and {}", verb, described(a), described(b)),
      "give both the same kind of unit; in a sum a plain number needs its unit, too", false};
}

Quantity call_function(std::string_view name,
                       const std::vector<Quantity>& arguments,
                       std::size_t position) {
  const auto found = std::find_if(functions().begin(), functions().end(),
                                  [&](const Function& function) { return function.name == name; });
  if (found == functions().end()) {
    const std::string clipped(name.substr(0, 64));
    throw ExpressionError{position, fmt::format("there is no function '{}'", clipped),
                          core::suggestion(clipped, function_names()), false};
  }
  check_arguments(*found, arguments, position);
  double value = arguments.front().value;
  if (found->most_arguments == any_number) {
    for (const Quantity& argument : arguments) value = found->compute(value, argument.value);
  } else {
    value = found->compute(value, arguments.back().value);
  }
  if (!std::isfinite(value)) {
    throw ExpressionError{position,
                          fmt::format("{}({}) is not a real number", name, arguments.front().value),
                          "check the sign and the size of its argument", false};
  }
  return result_of(found->gives, value, leading(arguments), position);
}

const std::vector<std::string>& function_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> list{"pi"};
    for (const Function& function : functions()) list.emplace_back(function.name);
    return list;
  }();
  return names;
}

}  // namespace trammel::io
