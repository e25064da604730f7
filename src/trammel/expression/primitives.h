// The elementary functions of one and two variables, each with its exact first and second partial
// derivatives. Everything an expression can compute is made of these, + - * /, comparisons, tables
// and the choice between two values.
//
// Derivatives are computed from the argument and from what is known already: with f = tan(x),
// f' = 1 + f^2 and f'' = 2 f f'. At a kink a derivative is one of the two one-sided limits or their
// mean: abs'(0) = 0, and floor, ceil and sign are flat everywhere.
#pragma once

#include <string_view>

namespace trammel::expression {

/// How many derivatives are continuous: -1 for jumps, 0 for kinks.
namespace smoothness {
constexpr int jumps = -1;
constexpr int kinks = 0;
constexpr int analytic = 1000;
}  // namespace smoothness

struct UnaryPrimitive {
  std::string_view name;
  int smooth = smoothness::analytic;
  double (*value)(double x) = nullptr;
  double (*first)(double x, double f) = nullptr;
  double (*second)(double x, double f, double first) = nullptr;
};

/// Partial derivatives of f(a, b).
struct Partials {
  double a = 0.0;
  double b = 0.0;
  double aa = 0.0;
  double ab = 0.0;
  double bb = 0.0;
};

struct BinaryPrimitive {
  std::string_view name;
  int smooth = smoothness::analytic;
  double (*value)(double a, double b) = nullptr;
  void (*first)(double a, double b, double f, Partials& partials) = nullptr;
  void (*second)(double a, double b, double f, Partials& partials) = nullptr;
};

/// sin cos tan asin acos atan sinh cosh tanh exp log log10 sqrt abs sign floor ceil, and, of the
/// progress u from 0 to 1 of a profile, held outside: smooth5 (10 u^3 - 15 u^4 + 6 u^5, twice
/// continuously differentiable), haversine ((1 - cos(pi u)) / 2, once) and saturate (u).
/// Null when there is no such primitive.
const UnaryPrimitive* find_unary(std::string_view name);

/// atan2 hypot min max mod. Null when there is no such primitive.
const BinaryPrimitive* find_binary(std::string_view name);

extern const UnaryPrimitive square;           ///< a^2
extern const BinaryPrimitive power;           ///< a^b
extern const BinaryPrimitive constant_power;  ///< a^b with constant b: no partials of b
extern const BinaryPrimitive integer_power;   ///< a^b with constant whole |b| up to 16

}  // namespace trammel::expression
