// A function of numbers that a program brings along: a force law, a controller or a constraint
// that is code and no text. Formulas call it by its name, whatever they are a part of:
//
//     f(x_1, ..., x_n)     numbers in SI units; the value may stand for any dimension
//
// Derivatives are those given, else differences. With e the rounding unit and the steps
// h_i = e^(1/3) max(1, |x_i|) for first and e^(1/4) max(1, |x_i|) for second derivatives,
//     f_i  = (f(x + h_i) - f(x - h_i)) / (2 h_i)                              error about 1e-10
//     f_ij = differences of the gradient if there is one (1e-10), else of the value (1e-7).
// The same arguments must give the same value: an evaluation may be repeated, and its step may be
// refused.
#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <string>

namespace trammel::expression {

class UserFunction {
 public:
  static constexpr std::size_t most_arguments = 16;
  using Arguments = std::span<const double>;
  using Value = std::function<double(Arguments)>;
  /// Fills the derivative by each argument; or all second derivatives, row by row.
  using Fill = std::function<void(Arguments, std::span<double>)>;

  /// `count`: how many arguments it takes; empty: any number. Throws InputError for a name that
  /// cannot be called: "drag", or with parts "wind.x".
  UserFunction(std::string name,
               std::optional<std::size_t> count,
               Value value,
               Fill gradient = {},
               Fill hessian = {});

  const std::string& name() const { return name_; }
  std::optional<std::size_t> count() const { return count_; }

  double value(Arguments x) const { return value_(x); }
  void gradient(Arguments x, std::span<double> out) const;
  void hessian(Arguments x, std::span<double> out) const;

 private:
  using Point = std::array<double, most_arguments>;

  void second_differences(Arguments x, std::span<double> out) const;
  void gradient_differences(Arguments x, std::span<double> out) const;

  std::string name_;
  std::optional<std::size_t> count_;
  Value value_;
  Fill gradient_;
  Fill hessian_;
};

}  // namespace trammel::expression
