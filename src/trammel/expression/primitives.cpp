#include "trammel/expression/primitives.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace trammel::expression {
namespace {

using smoothness::analytic;
using smoothness::jumps;
using smoothness::kinks;

using std::numbers::pi;

double flat(double, double) {
  return 0.0;
}
double straight(double, double, double) {
  return 0.0;
}
bool inside(double u) {
  return u >= 0.0 && u <= 1.0;
}
double sign(double x) {
  return x > 0.0 ? 1.0 : (x < 0.0 ? -1.0 : x);  // 0, and NaN stays NaN
}
double saturate(double u) {
  return u < 0.0 ? 0.0 : (u > 1.0 ? 1.0 : u);
}
double smooth5(double u) {
  const double s = saturate(u);
  return s * s * s * (10.0 + s * (6.0 * s - 15.0));
}

constexpr std::array<UnaryPrimitive, 20> unary_primitives{{
    {"sin", analytic, [](double x) { return std::sin(x); },
     [](double x, double) { return std::cos(x); }, [](double, double f, double) { return -f; }},
    {"cos", analytic, [](double x) { return std::cos(x); },
     [](double x, double) { return -std::sin(x); }, [](double, double f, double) { return -f; }},
    {"tan", analytic, [](double x) { return std::tan(x); },
     [](double, double f) { return 1.0 + f * f; },
     [](double, double f, double d) { return 2.0 * f * d; }},
    {"asin", analytic, [](double x) { return std::asin(x); },
     [](double x, double) { return 1.0 / std::sqrt(1.0 - x * x); },
     [](double x, double, double d) { return x * d * d * d; }},
    {"acos", analytic, [](double x) { return std::acos(x); },
     [](double x, double) { return -1.0 / std::sqrt(1.0 - x * x); },
     [](double x, double, double d) { return x * d * d * d; }},
    {"atan", analytic, [](double x) { return std::atan(x); },
     [](double x, double) { return 1.0 / (1.0 + x * x); },
     [](double x, double, double d) { return -2.0 * x * d * d; }},
    {"sinh", analytic, [](double x) { return std::sinh(x); },
     [](double x, double) { return std::cosh(x); }, [](double, double f, double) { return f; }},
    {"cosh", analytic, [](double x) { return std::cosh(x); },
     [](double x, double) { return std::sinh(x); }, [](double, double f, double) { return f; }},
    {"tanh", analytic, [](double x) { return std::tanh(x); },
     [](double, double f) { return 1.0 - f * f; },
     [](double, double f, double d) { return -2.0 * f * d; }},
    {"exp", analytic, [](double x) { return std::exp(x); }, [](double, double f) { return f; },
     [](double, double f, double) { return f; }},
    {"log", analytic, [](double x) { return std::log(x); },
     [](double x, double) { return 1.0 / x; }, [](double, double, double d) { return -d * d; }},
    {"log10", analytic, [](double x) { return std::log10(x); },
     [](double x, double) { return std::numbers::log10e / x; },
     [](double x, double, double d) { return -d / x; }},
    {"sqrt", analytic, [](double x) { return std::sqrt(x); },
     [](double, double f) { return 0.5 / f; },
     [](double x, double, double d) { return -0.5 * d / x; }},
    {"abs", kinks, [](double x) { return std::abs(x); }, [](double x, double) { return sign(x); },
     straight},
    {"sign", jumps, sign, flat, straight},
    {"floor", jumps, [](double x) { return std::floor(x); }, flat, straight},
    {"ceil", jumps, [](double x) { return std::ceil(x); }, flat, straight},
    {"smooth5", 2, smooth5,
     [](double u, double) { return inside(u) ? 30.0 * u * u * (1.0 - u) * (1.0 - u) : 0.0; },
     [](double u, double, double) {
       return inside(u) ? 60.0 * u * (1.0 - u) * (1.0 - 2.0 * u) : 0.0;
     }},
    {"haversine", 1, [](double u) { return 0.5 - 0.5 * std::cos(pi * saturate(u)); },
     [](double u, double) { return inside(u) ? 0.5 * pi * std::sin(pi * u) : 0.0; },
     [](double u, double, double) { return inside(u) ? 0.5 * pi * pi * std::cos(pi * u) : 0.0; }},
    {"saturate", kinks, saturate, [](double u, double) { return inside(u) ? 1.0 : 0.0; }, straight},
}};

// Of two equal values, min and max take the first; a value that is not a number stays visible.
void choose_first(bool first, Partials& partials) {
  partials.a = first ? 1.0 : 0.0;
  partials.b = first ? 0.0 : 1.0;
}
void no_curvature(double, double, double, Partials& partials) {
  partials.aa = partials.ab = partials.bb = 0.0;
}

/// With y = a and x = b: f = atan2(y, x). The origin has no direction; its derivatives are set to
/// 0.
void atan2_first(double y, double x, double, Partials& partials) {
  const double r2 = x * x + y * y;
  partials.a = r2 > 0.0 ? x / r2 : 0.0;
  partials.b = r2 > 0.0 ? -y / r2 : 0.0;
}
void atan2_second(double, double, double, Partials& partials) {
  // f_y = x/r2 and f_x = -y/r2, so that f_yy = 2 f_x f_y and f_xy = f_x^2 - f_y^2.
  partials.aa = 2.0 * partials.a * partials.b;
  partials.bb = -partials.aa;
  partials.ab = partials.b * partials.b - partials.a * partials.a;
}

void hypot_first(double a, double b, double f, Partials& partials) {
  partials.a = f > 0.0 ? a / f : 0.0;
  partials.b = f > 0.0 ? b / f : 0.0;
}
void hypot_second(double, double, double f, Partials& partials) {
  const double scale = f > 0.0 ? 1.0 / f : 0.0;
  partials.aa = partials.b * partials.b * scale;
  partials.ab = -partials.a * partials.b * scale;
  partials.bb = partials.a * partials.a * scale;
}

double whole_power(double base, double exponent) {
  const int n = static_cast<int>(exponent);
  double result = 1.0;
  for (int i = 0; i < std::abs(n); ++i) result *= base;
  return n < 0 ? 1.0 / result : result;
}

/// b a^(b - 1) and b (b - 1) a^(b - 2); a factor of zero wins over 0^(-1).
template <double (*raised)(double, double)>
void power_slope(double a, double b, double, Partials& partials) {
  partials.a = b == 0.0 ? 0.0 : b * raised(a, b - 1.0);
  partials.b = 0.0;
}
template <double (*raised)(double, double)>
void power_curvature(double a, double b, double, Partials& partials) {
  const double factor = b * (b - 1.0);
  partials.aa = factor == 0.0 ? 0.0 : factor * raised(a, b - 2.0);
  partials.ab = partials.bb = 0.0;
}

double standard_power(double a, double b) {
  return std::pow(a, b);
}
void power_first(double a, double b, double f, Partials& partials) {
  power_slope<standard_power>(a, b, f, partials);
  partials.b = a == 0.0 && b > 0.0 ? 0.0 : f * std::log(a);
}
void power_second(double a, double b, double f, Partials& partials) {
  power_curvature<standard_power>(a, b, f, partials);
  if (a == 0.0 && b > 1.0) return;
  const double logarithm = std::log(a);
  partials.ab = std::pow(a, b - 1.0) * (1.0 + b * logarithm);
  partials.bb = f * logarithm * logarithm;
}

constexpr std::array<BinaryPrimitive, 5> binary_primitives{{
    {"atan2", jumps, [](double y, double x) { return std::atan2(y, x); }, atan2_first,
     atan2_second},
    {"hypot", kinks, [](double a, double b) { return std::hypot(a, b); }, hypot_first,
     hypot_second},
    {"min", kinks, [](double a, double b) { return b < a || std::isnan(b) ? b : a; },
     [](double a, double b, double, Partials& partials) { choose_first(!(b < a), partials); },
     no_curvature},
    {"max", kinks, [](double a, double b) { return a < b || std::isnan(b) ? b : a; },
     [](double a, double b, double, Partials& partials) { choose_first(!(a < b), partials); },
     no_curvature},
    {"mod", jumps, [](double a, double b) { return a - b * std::floor(a / b); },
     [](double a, double b, double, Partials& partials) {
       partials.a = 1.0;
       partials.b = -std::floor(a / b);
     },
     no_curvature},
}};

template <class List>
auto* find_in(const List& list, std::string_view name) {
  const auto* const found = std::find_if(
      list.begin(), list.end(), [&](const auto& primitive) { return primitive.name == name; });
  return found == list.end() ? nullptr : found;
}

}  // namespace

constinit const UnaryPrimitive square{"square", analytic, [](double x) { return x * x; },
                                      [](double x, double) { return 2.0 * x; },
                                      [](double, double, double) { return 2.0; }};
constinit const BinaryPrimitive power{"^", analytic, standard_power, power_first, power_second};
constinit const BinaryPrimitive constant_power{
    "^", analytic, standard_power, power_slope<standard_power>, power_curvature<standard_power>};
constinit const BinaryPrimitive integer_power{"^", analytic, whole_power, power_slope<whole_power>,
                                              power_curvature<whole_power>};

const UnaryPrimitive* find_unary(std::string_view name) {
  return find_in(unary_primitives, name);
}

const BinaryPrimitive* find_binary(std::string_view name) {
  return find_in(binary_primitives, name);
}

}  // namespace trammel::expression
