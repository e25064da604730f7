// One step of a program: which operation on which registers.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "trammel/expression/primitives.h"
#include "trammel/expression/table.h"
#include "trammel/expression/user_function.h"

namespace trammel::expression {

enum class Operation : std::uint8_t {
  add,
  subtract,
  multiply,
  divide,
  negate,
  unary,   ///< primitive of one variable
  binary,  ///< primitive of two variables
  select,  ///< c ? a : b
  less,
  less_equal,
  equal,
  not_equal,
  both,
  either,
  invert,
  lookup,  ///< table c at a
  call     ///< call c, which has registers of its own
};

struct Instruction {
  Operation operation = Operation::add;
  std::uint32_t a = 0;
  std::uint32_t b = 0;
  std::uint32_t c = 0;
  const UnaryPrimitive* unary = nullptr;
  const BinaryPrimitive* binary = nullptr;
  std::uint32_t position = 0;  ///< in the text
};

using Tables = std::vector<std::shared_ptr<const Table>>;

/// A function of the user's with the registers of its arguments.
struct Call {
  std::shared_ptr<const UserFunction> function;
  std::vector<std::uint32_t> arguments;
  std::size_t memory = 0;  ///< where its partial derivatives begin, see Program

  double value(const double* v) const {
    Gathered gathered{};
    return function->value(gather(v, gathered));
  }
  /// The value; fills the gradient and, when asked for, behind it the second derivatives.
  double linearise(const double* v, bool second, double* partials) const {
    Gathered gathered{};
    const std::span<const double> x = gather(v, gathered);
    function->gradient(x, {partials, x.size()});
    if (second) function->hessian(x, {partials + x.size(), x.size() * x.size()});
    return function->value(x);
  }

 private:
  using Gathered = std::array<double, UserFunction::most_arguments>;
  std::span<const double> gather(const double* v, Gathered& gathered) const {
    for (std::size_t i = 0; i < arguments.size(); ++i) gathered[i] = v[arguments[i]];
    return {gathered.data(), arguments.size()};
  }
};
using Calls = std::vector<Call>;

/// The result of instruction k with registers v.
inline double compute(const Instruction& k,
                      const double* v,
                      const Tables& tables,
                      const Calls& calls) {
  const auto truth = [](bool condition) { return condition ? 1.0 : 0.0; };
  switch (k.operation) {
    case Operation::add:
      return v[k.a] + v[k.b];
    case Operation::subtract:
      return v[k.a] - v[k.b];
    case Operation::multiply:
      return v[k.a] * v[k.b];
    case Operation::divide:
      return v[k.a] / v[k.b];
    case Operation::negate:
      return -v[k.a];
    case Operation::unary:
      return k.unary->value(v[k.a]);
    case Operation::binary:
      return k.binary->value(v[k.a], v[k.b]);
    case Operation::select:
      return v[k.c] != 0.0 ? v[k.a] : v[k.b];
    case Operation::less:
      return truth(v[k.a] < v[k.b]);
    case Operation::less_equal:
      return truth(v[k.a] <= v[k.b]);
    case Operation::equal:
      return truth(v[k.a] == v[k.b]);
    case Operation::not_equal:
      return truth(v[k.a] != v[k.b]);
    case Operation::both:
      return truth(v[k.a] != 0.0 && v[k.b] != 0.0);
    case Operation::either:
      return truth(v[k.a] != 0.0 || v[k.b] != 0.0);
    case Operation::invert:
      return truth(v[k.a] == 0.0);
    case Operation::lookup:
      return tables[k.c]->value(v[k.a]);
    case Operation::call:
      return calls[k.c].value(v);
  }
  return 0.0;
}

}  // namespace trammel::expression
