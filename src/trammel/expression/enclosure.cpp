#include "trammel/expression/enclosure.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace trammel::expression {
namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();
using std::numbers::pi;
constexpr Bounds anything{-infinite, infinite};
constexpr Bounds nothing{0.0, 0.0};
constexpr Enclosure unknown{anything, anything};

// Functions of the library are right to about an ulp.
Bounds outwards(double low, double high) {
  constexpr double round_off = 2.0 * std::numeric_limits<double>::epsilon();
  if (std::isnan(low) || std::isnan(high)) return anything;
  return {low - round_off * std::abs(low), high + round_off * std::abs(high)};
}

bool is_zero(const Bounds& a) {
  return a.low == 0.0 && a.high == 0.0;
}

Bounds hull(const Bounds& a, const Bounds& b) {
  return {std::min(a.low, b.low), std::max(a.high, b.high)};
}

Bounds operator+(const Bounds& a, const Bounds& b) {
  return outwards(a.low + b.low, a.high + b.high);
}

Bounds operator-(const Bounds& a) {
  return {-a.high, -a.low};
}

// What is zero stays so, whatever it is multiplied by.
Bounds operator*(const Bounds& a, const Bounds& b) {
  if (is_zero(a) || is_zero(b)) return nothing;
  const double products[] = {a.low * b.low, a.low * b.high, a.high * b.low, a.high * b.high};
  for (const double product : products) {
    if (std::isnan(product)) return anything;
  }
  const auto [low, high] = std::minmax_element(std::begin(products), std::end(products));
  return outwards(*low, *high);
}

Bounds operator/(const Bounds& a, const Bounds& b) {
  if (b.contains(0.0)) return anything;
  return a * outwards(1.0 / b.high, 1.0 / b.low);
}

Bounds squared(const Bounds& a) {
  const double largest = std::max(std::abs(a.low), std::abs(a.high));
  const double least = a.contains(0.0) ? 0.0 : std::min(std::abs(a.low), std::abs(a.high));
  return outwards(least * least, largest * largest);
}

// Between its extrema, which are at pi/2 + k pi.
Bounds sine(const Bounds& a) {
  if (!a.finite() || a.high - a.low >= 2.0 * pi) return {-1.0, 1.0};
  const auto holds = [&](double extremum) {
    return extremum + 2.0 * pi * std::ceil((a.low - extremum) / (2.0 * pi)) <= a.high;
  };
  const double ends[] = {std::sin(a.low), std::sin(a.high)};
  const Bounds between = outwards(std::min(ends[0], ends[1]), std::max(ends[0], ends[1]));
  return {holds(-0.5 * pi) ? -1.0 : between.low, holds(0.5 * pi) ? 1.0 : between.high};
}

Bounds cosine(const Bounds& a) {
  return sine(outwards(a.low + 0.5 * pi, a.high + 0.5 * pi));
}

template <class Function>
Bounds rising(const Bounds& a, Function&& f) {
  return outwards(f(a.low), f(a.high));
}

Bounds raised(const Bounds& a, int n) {
  if (n < 0) return Bounds{1.0, 1.0} / raised(a, -n);
  if (n == 0) return {1.0, 1.0};
  const auto power = [n](double x) { return std::pow(x, n); };
  if (n % 2 != 0) return rising(a, power);
  const Bounds size = squared(a);
  return rising({std::sqrt(size.low), std::sqrt(size.high)}, power);
}

// ---- functions of one variable

// Where a profile goes from 0 to 1, with slopes up to `steepest`.
Bounds profile_slope(const Enclosure& a, double steepest) {
  if (a.value.high < 0.0 || a.value.low > 1.0) return nothing;
  return Bounds{0.0, steepest} * a.slope;
}

Bounds saturated_slope(const Enclosure& a) {
  if (a.value.low >= 0.0 && a.value.high <= 1.0) return a.slope;
  return profile_slope(a, 1.0);
}

Bounds magnitude_slope(const Enclosure& a) {
  if (a.value.low >= 0.0) return a.slope;
  return a.value.high <= 0.0 ? -a.slope : hull(a.slope, -a.slope);
}

Bounds tangent_value(const Bounds& a) {
  const bool pole = !a.finite() || std::floor(a.low / pi + 0.5) != std::floor(a.high / pi + 0.5);
  return pole ? anything : rising(a, [](double x) { return std::tan(x); });
}

// NOLINTNEXTLINE(readability-function-cognitive-complexity): a list of functions.
Enclosure of_one(const UnaryPrimitive& primitive, const Enclosure& a) {
  const std::string_view name = primitive.name;
  const Bounds one{1.0, 1.0};
  const auto rises = [&] { return rising(a.value, primitive.value); };
  const Bounds positive{std::max(a.value.low, 0.0), a.value.high};
  if (name == "sin") return {sine(a.value), cosine(a.value) * a.slope};
  if (name == "cos") return {cosine(a.value), -sine(a.value) * a.slope};
  if (name == "square") return {squared(a.value), Bounds{2.0, 2.0} * a.value * a.slope};
  if (name == "abs") {
    const Bounds size = squared(a.value);
    return {outwards(std::sqrt(size.low), std::sqrt(size.high)), magnitude_slope(a)};
  }
  if (name == "exp") return {rises(), rises() * a.slope};
  if (name == "log") return {rises(), a.slope / a.value};
  if (name == "sqrt") {
    const Bounds root = rising(positive, primitive.value);
    return {root, a.slope / (Bounds{2.0, 2.0} * root)};
  }
  if (name == "atan") return {rises(), a.slope / (one + squared(a.value))};
  if (name == "tanh") return {rises(), (one - squared(rises())) * a.slope};
  if (name == "tan") {
    const Bounds value = tangent_value(a.value);
    return {value, (one + squared(value)) * a.slope};
  }
  if (name == "saturate") return {rises(), saturated_slope(a)};
  if (name == "smooth5") return {rises(), profile_slope(a, 1.875)};
  if (name == "haversine") return {rises(), profile_slope(a, 0.5 * pi)};
  if (name == "cosh") {
    const Bounds size = squared(a.value);
    const Bounds away{std::sqrt(size.low), std::sqrt(size.high)};
    return {rising(away, primitive.value),
            rising(a.value, [](double x) { return std::sinh(x); }) * a.slope};
  }
  const bool still = is_zero(a.slope);
  if (name == "sign" || name == "floor" || name == "ceil") {
    const Bounds value{primitive.value(a.value.low), primitive.value(a.value.high)};
    return {value, value.low == value.high ? nothing : anything};
  }
  if (name == "acos") {
    const Bounds value = outwards(primitive.value(a.value.high), primitive.value(a.value.low));
    return {value, still ? nothing : anything};
  }
  // asin, sinh, log10: they rise.
  return {rises(), still ? nothing : anything};
}

// ---- functions of two variables

Enclosure chosen(const Enclosure& a, const Enclosure& b, bool least) {
  const Bounds value =
      least ? Bounds{std::min(a.value.low, b.value.low), std::min(a.value.high, b.value.high)}
            : Bounds{std::max(a.value.low, b.value.low), std::max(a.value.high, b.value.high)};
  const bool a_below = a.value.high < b.value.low;
  const bool b_below = b.value.high < a.value.low;
  if (a_below || b_below) return {value, a_below == least ? a.slope : b.slope};
  return {value, hull(a.slope, b.slope)};
}

Enclosure remainder(const Enclosure& a, const Enclosure& b) {
  const Bounds quotient = a.value / b.value;
  const double turns = std::floor(quotient.low);
  const Bounds count{turns, turns};
  if (std::isfinite(turns) && turns == std::floor(quotient.high)) {
    return {a.value - b.value * count, a.slope - b.slope * count};
  }
  return {hull(nothing, b.value), anything};
}

Enclosure angle(const Enclosure& y, const Enclosure& x) {
  const Bounds size = squared(x.value) + squared(y.value);
  const bool turns_over = x.value.low < 0.0 && y.value.contains(0.0);
  if (turns_over || size.contains(0.0)) return {{-pi, pi}, anything};
  const double corners[] = {
      std::atan2(y.value.low, x.value.low), std::atan2(y.value.low, x.value.high),
      std::atan2(y.value.high, x.value.low), std::atan2(y.value.high, x.value.high)};
  const auto [low, high] = std::minmax_element(std::begin(corners), std::end(corners));
  return {outwards(*low, *high), (x.value * y.slope - y.value * x.slope) / size};
}

Enclosure distance(const Enclosure& a, const Enclosure& b) {
  const Bounds size = squared(a.value) + squared(b.value);
  const Bounds value =
      rising({std::max(size.low, 0.0), size.high}, [](double x) { return std::sqrt(x); });
  return {value, (a.value * a.slope + b.value * b.slope) / value};
}

Enclosure to_the_power(const Enclosure& a, const Enclosure& b) {
  const double exponent = b.value.low;
  if (!is_zero(b.slope) || exponent != b.value.high) return unknown;
  constexpr double largest = 64.0;
  const Bounds factor{exponent, exponent};
  if (exponent == std::floor(exponent) && std::abs(exponent) <= largest) {
    const int n = static_cast<int>(exponent);
    return {raised(a.value, n), n == 0 ? nothing : factor * raised(a.value, n - 1) * a.slope};
  }
  if (!(a.value.low > 0.0)) return unknown;
  const auto power = [&](double p) {
    const auto raise = [p](double x) { return std::pow(x, p); };
    return p > 0.0 ? rising(a.value, raise) : outwards(raise(a.value.high), raise(a.value.low));
  };
  return {power(exponent), factor * power(exponent - 1.0) * a.slope};
}

Enclosure of_two(const BinaryPrimitive& primitive, const Enclosure& a, const Enclosure& b) {
  const std::string_view name = primitive.name;
  if (name == "min" || name == "max") return chosen(a, b, name == "min");
  if (name == "mod") return remainder(a, b);
  if (name == "atan2") return angle(a, b);
  if (name == "hypot") return distance(a, b);
  return name == "^" ? to_the_power(a, b) : unknown;
}

// A cubic on each piece, about the middle of the argument.
Enclosure looked_up(const Table& table, const Enclosure& a) {
  if (!a.value.finite() || table.piece(a.value.low) != table.piece(a.value.high)) return unknown;
  const double middle = a.value.low + 0.5 * (a.value.high - a.value.low);
  const Derivatives f = table.at(middle);
  const Bounds s = a.value - Bounds{middle, middle};
  const auto point = [](double x) { return outwards(x, x); };
  const Bounds value = point(f.value) + point(f.first) * s + point(0.5 * f.second) * squared(s) +
                       point(f.third / 6.0) * raised(s, 3);
  const Bounds slope = point(f.first) + point(f.second) * s + point(0.5 * f.third) * squared(s);
  return {value, slope * a.slope};
}

// ---- conditions

constexpr Bounds yes{1.0, 1.0};
constexpr Bounds no{0.0, 0.0};
constexpr Bounds either_way{0.0, 1.0};

Bounds truth(bool certain, bool excluded) {
  return certain ? yes : (excluded ? no : either_way);
}

Bounds compared(Operation operation, const Bounds& a, const Bounds& b) {
  const bool apart = a.high < b.low || b.high < a.low;
  const bool same = a.low == a.high && b.low == b.high && a.low == b.low;
  switch (operation) {
    case Operation::less:
      return truth(a.high < b.low, a.low >= b.high);
    case Operation::less_equal:
      return truth(a.high <= b.low, a.low > b.high);
    case Operation::equal:
      return truth(same, apart);
    default:
      return truth(apart, same);
  }
}

Bounds combined(Operation operation, const Bounds& a, const Bounds& b) {
  const bool a_true = !a.contains(0.0);
  const bool b_true = !b.contains(0.0);
  switch (operation) {
    case Operation::both:
      return truth(a_true && b_true, is_zero(a) || is_zero(b));
    case Operation::either:
      return truth(a_true || b_true, is_zero(a) && is_zero(b));
    default:
      return truth(is_zero(a), a_true);
  }
}

Enclosure selected(const Enclosure& a, const Enclosure& b, const Bounds& condition) {
  if (!condition.contains(0.0)) return a;
  if (is_zero(condition)) return b;
  return {hull(a.value, b.value), anything};
}

}  // namespace

bool Bounds::finite() const {
  return std::isfinite(low) && std::isfinite(high);
}

Bounds operator-(const Bounds& a, const Bounds& b) {
  return outwards(a.low - b.high, a.high - b.low);
}

Enclosure enclose(const Instruction& k, const Enclosure* r, const Tables& tables) {
  const Enclosure& a = r[k.a];
  const Enclosure& b = r[k.b];
  switch (k.operation) {
    case Operation::add:
      return {a.value + b.value, a.slope + b.slope};
    case Operation::subtract:
      return {a.value - b.value, a.slope - b.slope};
    case Operation::multiply:
      return {a.value * b.value, a.slope * b.value + a.value * b.slope};
    case Operation::divide: {
      const Bounds quotient = a.value / b.value;
      return {quotient, (a.slope - quotient * b.slope) / b.value};
    }
    case Operation::negate:
      return {-a.value, -a.slope};
    case Operation::unary:
      return of_one(*k.unary, a);
    case Operation::binary:
      return of_two(*k.binary, a, b);
    case Operation::select:
      return selected(a, b, r[k.c].value);
    case Operation::lookup:
      return looked_up(*tables[k.c], a);
    case Operation::less:
    case Operation::less_equal:
    case Operation::equal:
    case Operation::not_equal:
      return {compared(k.operation, a.value, b.value), nothing};
    case Operation::both:
    case Operation::either:
    case Operation::invert:
      return {combined(k.operation, a.value, b.value), nothing};
    case Operation::call:
      return unknown;
  }
  return unknown;
}

}  // namespace trammel::expression
