#include "trammel/expression/user_function.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include "trammel/core/diagnostic.h"
#include "trammel/expression/formula_name.h"
#include "trammel/expression/scanner.h"

namespace trammel::expression {
namespace {

constexpr double rounding = std::numeric_limits<double>::epsilon();

double step_of_first(double x) {
  static const double root = std::cbrt(rounding);
  return root * std::max(1.0, std::abs(x));
}

double step_of_second(double x) {
  static const double root = std::sqrt(std::sqrt(rounding));
  return root * std::max(1.0, std::abs(x));
}

bool all_identifiers(std::string_view name) {
  for (;;) {
    const std::size_t dot = name.find('.');
    if (!is_identifier(name.substr(0, dot))) return false;
    if (dot == std::string_view::npos) return true;
    name.remove_prefix(dot + 1);
  }
}

// Of a dotted name, every part is an identifier, and none can be read as anything else.
void check_name(const std::string& name) {
  const bool dotted = name.find('.') != std::string::npos && all_identifiers(name);
  const std::string why = dotted ? std::string{} : why_no_formula_name(name);
  if (why.empty()) return;
  throw core::InputError(fmt::format("function '{}': {}", name, why),
                         "use letters, digits and '_', e.g. my_force");
}

}  // namespace

UserFunction::UserFunction(
    std::string name, std::optional<std::size_t> count, Value value, Fill gradient, Fill hessian)
    : name_(std::move(name)),
      count_(count),
      value_(std::move(value)),
      gradient_(std::move(gradient)),
      hessian_(std::move(hessian)) {
  check_name(name_);
}

void UserFunction::gradient(Arguments x, std::span<double> out) const {
  if (gradient_) {
    gradient_(x, out);
    return;
  }
  Point point{};
  std::copy(x.begin(), x.end(), point.begin());
  const Arguments there(point.data(), x.size());
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double h = step_of_first(x[i]);
    point[i] = x[i] + h;
    const double up = value_(there);
    point[i] = x[i] - h;
    const double down = value_(there);
    point[i] = x[i];
    out[i] = (up - down) / (2.0 * h);
  }
}

void UserFunction::hessian(Arguments x, std::span<double> out) const {
  if (hessian_) {
    hessian_(x, out);
  } else if (gradient_) {
    gradient_differences(x, out);
  } else {
    second_differences(x, out);
  }
}

void UserFunction::gradient_differences(Arguments x, std::span<double> out) const {
  const std::size_t n = x.size();
  Point point{};
  Point up{};
  Point down{};
  std::copy(x.begin(), x.end(), point.begin());
  const Arguments there(point.data(), n);
  for (std::size_t i = 0; i < n; ++i) {
    const double h = step_of_first(x[i]);
    point[i] = x[i] + h;
    gradient_(there, {up.data(), n});
    point[i] = x[i] - h;
    gradient_(there, {down.data(), n});
    point[i] = x[i];
    for (std::size_t j = 0; j < n; ++j) out[i * n + j] = (up[j] - down[j]) / (2.0 * h);
  }
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      out[i * n + j] = out[j * n + i] = 0.5 * (out[i * n + j] + out[j * n + i]);
    }
  }
}

void UserFunction::second_differences(Arguments x, std::span<double> out) const {
  const std::size_t n = x.size();
  Point point{};
  std::copy(x.begin(), x.end(), point.begin());
  const Arguments there(point.data(), n);
  const double here = value_(there);
  // f at x with the components i and j moved by whole steps.
  const auto moved = [&](std::size_t i, double hi, std::size_t j, double hj) {
    point[i] = x[i] + hi;
    point[j] += hj;
    const double value = value_(there);
    point[i] = x[i];
    point[j] = x[j];
    return value;
  };
  for (std::size_t i = 0; i < n; ++i) {
    const double hi = step_of_second(x[i]);
    out[i * n + i] = (moved(i, hi, i, 0.0) - 2.0 * here + moved(i, -hi, i, 0.0)) / (hi * hi);
    for (std::size_t j = 0; j < i; ++j) {
      const double hj = step_of_second(x[j]);
      const double same = moved(i, hi, j, hj) + moved(i, -hi, j, -hj);
      const double opposite = moved(i, hi, j, -hj) + moved(i, -hi, j, hj);
      out[i * n + j] = out[j * n + i] = (same - opposite) / (4.0 * hi * hj);
    }
  }
}

}  // namespace trammel::expression
