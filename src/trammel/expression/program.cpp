#include "trammel/expression/program.h"

#include <algorithm>
#include <cassert>
#include <cmath>

#include <fmt/format.h>

namespace trammel::expression {
namespace {

/// Whether the value depends smoothly on register b, too.
bool is_binary(Operation operation) {
  switch (operation) {
    case Operation::add:
    case Operation::subtract:
    case Operation::multiply:
    case Operation::divide:
    case Operation::binary:
    case Operation::select:
      return true;
    default:
      return false;
  }
}

double divide(double a, double b, bool second, Partials& p) {
  const double quotient = a / b;
  p.a = 1.0 / b;
  p.b = -quotient / b;
  if (second) {
    p.ab = -p.a / b;
    p.bb = -2.0 * p.b / b;
  }
  return quotient;
}

double compute_unary(const UnaryPrimitive& primitive, double x, bool second, Partials& p) {
  const double f = primitive.value(x);
  p.a = primitive.first(x, f);
  if (second) p.aa = primitive.second(x, f, p.a);
  return f;
}

double compute_binary(
    const BinaryPrimitive& primitive, double a, double b, bool second, Partials& p) {
  const double f = primitive.value(a, b);
  primitive.first(a, b, f, p);
  if (second) primitive.second(a, b, f, p);
  return f;
}

double compute_lookup(const Table& table, double x, Partials& p) {
  const Derivatives derivatives = table.at(x);
  p.a = derivatives.first;
  p.aa = derivatives.second;
  return derivatives.value;
}

/// The value with its partial derivatives, of second order when asked for. `p` starts with zeros.
double compute_with_partials(
    const Instruction& k, const double* v, const Tables& tables, bool second, Partials& p) {
  switch (k.operation) {
    case Operation::add:
      p.a = p.b = 1.0;
      return v[k.a] + v[k.b];
    case Operation::subtract:
      p.a = 1.0;
      p.b = -1.0;
      return v[k.a] - v[k.b];
    case Operation::multiply:
      p.a = v[k.b];
      p.b = v[k.a];
      p.ab = 1.0;
      return v[k.a] * v[k.b];
    case Operation::divide:
      return divide(v[k.a], v[k.b], second, p);
    case Operation::negate:
      p.a = -1.0;
      return -v[k.a];
    case Operation::unary:
      return compute_unary(*k.unary, v[k.a], second, p);
    case Operation::binary:
      return compute_binary(*k.binary, v[k.a], v[k.b], second, p);
    case Operation::select:
      p.a = v[k.c] != 0.0 ? 1.0 : 0.0;
      p.b = 1.0 - p.a;
      return v[k.c] != 0.0 ? v[k.a] : v[k.b];
    case Operation::lookup:
      return compute_lookup(*tables[k.c], v[k.a], p);
    default:
      return compute(k, v, tables, {});  // conditions are constant between their jumps
  }
}

/// A factor of zero wins over an infinite derivative: what does not change has no influence.
double scaled(double partial, double change) {
  return partial == 0.0 || change == 0.0 ? 0.0 : partial * change;
}

// Adjoints of the arguments of a call, whose partials lie in `memory`.
void add_first_order(const Call& call, const double* memory, double own, double* adjoint) {
  const double* gradient = memory + call.memory;
  for (std::size_t i = 0; i < call.arguments.size(); ++i) {
    adjoint[call.arguments[i]] += scaled(gradient[i], own);
  }
}

double change_along(const Call& call, const double* memory, const double* dot) {
  const double* gradient = memory + call.memory;
  double change = 0.0;
  for (std::size_t i = 0; i < call.arguments.size(); ++i) {
    change += scaled(gradient[i], dot[call.arguments[i]]);
  }
  return change;
}

void add_second_order(
    const Call& call, const double* memory, double own, const double* dot, double* dual) {
  const std::size_t n = call.arguments.size();
  const double* hessian = memory + call.memory + n;
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      dual[call.arguments[i]] += scaled(scaled(hessian[i * n + j], dot[call.arguments[j]]), own);
    }
  }
}

int smoothness_of(const Instruction& k, const Tables& tables) {
  switch (k.operation) {
    case Operation::unary:
      return k.unary->smooth;
    case Operation::binary:
      return k.binary->smooth;
    case Operation::select:
      return smoothness::jumps;
    case Operation::lookup:
      return tables[k.c]->smooth();
    default:
      return smoothness::analytic;
  }
}

}  // namespace

/// Views of the workspace, one number per register (values, adjoints, dots, dual adjoints) and one
/// set of partials per instruction.
struct Program::Sweep {
  double* values = nullptr;
  double* adjoint = nullptr;
  double* dot = nullptr;
  double* dual_adjoint = nullptr;
  double* partials = nullptr;  ///< a, b and, of second order, aa, ab, bb
  double* calls = nullptr;     ///< gradients and Hessians of calls
  std::size_t stride = 2;
};

Program::Program(Parts parts) : parts_(std::move(parts)) {
  for (Call& call : parts_.calls) {
    call.memory = call_memory_;
    call_memory_ += call.arguments.size() * (call.arguments.size() + 1);
  }
}

std::optional<std::size_t> Program::time_input() const {
  for (std::size_t i = 0; i < parts_.inputs.size(); ++i) {
    if (parts_.inputs[i].name == "time") return i;
  }
  return std::nullopt;
}

int Program::smooth() const {
  int least = smoothness::analytic;
  for (const Instruction& k : parts_.instructions) {
    least = std::min(least, smoothness_of(k, parts_.tables));
  }
  return least;
}

void Program::load(std::span<const double> inputs, double* values) const {
  assert(inputs.size() >= parts_.inputs.size());
  std::copy_n(inputs.data(), parts_.inputs.size(), values);
  std::copy(parts_.constants.begin(), parts_.constants.end(), values + parts_.inputs.size());
}

double Program::value(std::span<const double> inputs, Workspace& workspace) const {
  double* v = workspace.take(register_count()).data();
  load(inputs, v);
  double* next = v + first_result();
  for (const Instruction& k : parts_.instructions) {
    *next++ = compute(k, v, parts_.tables, parts_.calls);
  }
  return v[parts_.result];
}

Program::Sweep Program::linearised(std::span<const double> inputs,
                                   bool second,
                                   Workspace& workspace) const {
  const std::size_t registers = register_count();
  const std::size_t count = parts_.instructions.size();
  Sweep sweep;
  sweep.stride = second ? 5 : 2;
  const std::size_t own = (second ? 4 : 2) * registers + sweep.stride * count;
  double* memory = workspace.take(own + call_memory_).data();
  sweep.values = memory;
  sweep.adjoint = memory + registers;
  sweep.dot = memory + 2 * registers;
  sweep.dual_adjoint = memory + 3 * registers;
  sweep.partials = memory + (second ? 4 : 2) * registers;
  sweep.calls = memory + own;
  // Forwards: values and partials.
  load(inputs, sweep.values);
  double* next = sweep.values + first_result();
  double* partials = sweep.partials;
  for (const Instruction& k : parts_.instructions) {
    Partials p;
    if (k.operation == Operation::call) {
      const Call& call = parts_.calls[k.c];
      *next++ = call.linearise(sweep.values, second, sweep.calls + call.memory);
    } else {
      *next++ = compute_with_partials(k, sweep.values, parts_.tables, second, p);
    }
    partials[0] = p.a;
    partials[1] = p.b;
    if (second) {
      partials[2] = p.aa;
      partials[3] = p.ab;
      partials[4] = p.bb;
    }
    partials += sweep.stride;
  }
  // Backwards: adjoints.
  double* adjoint = sweep.adjoint;
  std::fill_n(adjoint, registers, 0.0);
  adjoint[parts_.result] = 1.0;
  for (std::size_t i = count; i-- > 0;) {
    const Instruction& k = parts_.instructions[i];
    partials -= sweep.stride;
    const double own = adjoint[first_result() + i];
    if (k.operation == Operation::call) {
      add_first_order(parts_.calls[k.c], sweep.calls, own, adjoint);
      continue;
    }
    adjoint[k.a] += scaled(partials[0], own);
    if (is_binary(k.operation)) adjoint[k.b] += scaled(partials[1], own);
  }
  return sweep;
}

/// Dual numbers through both sweeps, along the direction in sweep.dot[inputs].
void Program::second_order(const Sweep& sweep, std::span<double> product) const {
  const std::size_t first = first_result();
  const std::size_t count = parts_.instructions.size();
  double* dot = sweep.dot;
  std::fill_n(dot + parts_.inputs.size(), parts_.constants.size(), 0.0);
  const double* p = sweep.partials;
  for (std::size_t i = 0; i < count; ++i, p += sweep.stride) {
    const Instruction& k = parts_.instructions[i];
    if (k.operation == Operation::call) {
      dot[first + i] = change_along(parts_.calls[k.c], sweep.calls, dot);
      continue;
    }
    dot[first + i] = scaled(p[0], dot[k.a]);
    if (is_binary(k.operation)) dot[first + i] += scaled(p[1], dot[k.b]);
  }
  double* dual = sweep.dual_adjoint;
  std::fill_n(dual, register_count(), 0.0);
  for (std::size_t i = count; i-- > 0;) {
    const Instruction& k = parts_.instructions[i];
    p -= sweep.stride;
    const double own = sweep.adjoint[first + i];
    const double own_dual = dual[first + i];
    if (own == 0.0 && own_dual == 0.0) continue;
    if (k.operation == Operation::call) {
      add_first_order(parts_.calls[k.c], sweep.calls, own_dual, dual);
      add_second_order(parts_.calls[k.c], sweep.calls, own, dot, dual);
      continue;
    }
    dual[k.a] += scaled(p[0], own_dual) + scaled(scaled(p[2], dot[k.a]), own);
    if (!is_binary(k.operation)) continue;
    dual[k.a] += scaled(scaled(p[3], dot[k.b]), own);
    dual[k.b] += scaled(p[1], own_dual) + scaled(scaled(p[3], dot[k.a]), own) +
                 scaled(scaled(p[4], dot[k.b]), own);
  }
  std::copy_n(dual, product.size(), product.data());
}

double Program::gradient(std::span<const double> inputs,
                         std::span<double> gradient,
                         Workspace& workspace) const {
  const Sweep sweep = linearised(inputs, false, workspace);
  std::copy_n(sweep.adjoint, parts_.inputs.size(), gradient.data());
  return sweep.values[parts_.result];
}

double Program::hessian(std::span<const double> inputs,
                        std::span<double> gradient,
                        std::span<double> hessian,
                        Workspace& workspace) const {
  const std::size_t n = parts_.inputs.size();
  const Sweep sweep = linearised(inputs, true, workspace);
  std::copy_n(sweep.adjoint, n, gradient.data());
  for (std::size_t i = 0; i < n; ++i) {
    std::fill_n(sweep.dot, n, 0.0);
    sweep.dot[i] = 1.0;
    second_order(sweep, hessian.subspan(i * n, n));
    // Round-off differs on both sides of the diagonal; callers get one number.
    for (std::size_t j = 0; j < i; ++j) hessian[i * n + j] = hessian[j * n + i];
  }
  return sweep.values[parts_.result];
}

double Program::hessian_product(std::span<const double> inputs,
                                std::span<const double> direction,
                                std::span<double> gradient,
                                std::span<double> product,
                                Workspace& workspace) const {
  const std::size_t n = parts_.inputs.size();
  const Sweep sweep = linearised(inputs, true, workspace);
  std::copy_n(sweep.adjoint, n, gradient.data());
  std::copy_n(direction.data(), n, sweep.dot);
  second_order(sweep, product.first(n));
  return sweep.values[parts_.result];
}

std::optional<ExpressionError> Program::failure(std::span<const double> inputs,
                                                Workspace& workspace) const {
  if (std::isfinite(value(inputs, workspace))) return std::nullopt;
  const double* v = workspace.take(register_count()).data();
  // Follow the values that are not finite down to where they begin.
  std::uint32_t at = parts_.result;
  for (;;) {
    const std::uint32_t before = not_finite_before(at, v);
    if (before == at) return blamed(at, v);
    at = before;
  }
}

// A register that this one is computed from and that is not finite; the register itself when there
// is none.
std::uint32_t Program::not_finite_before(std::uint32_t reg, const double* v) const {
  if (reg < first_result()) return reg;
  const Instruction& k = parts_.instructions[reg - first_result()];
  if (k.operation == Operation::call) {
    const std::vector<std::uint32_t>& arguments = parts_.calls[k.c].arguments;
    const auto found = std::find_if(arguments.begin(), arguments.end(),
                                    [&](std::uint32_t a) { return !std::isfinite(v[a]); });
    return found == arguments.end() ? reg : *found;
  }
  const bool takes_a = k.operation != Operation::select || v[k.c] != 0.0;
  const bool takes_b = is_binary(k.operation) && (k.operation != Operation::select || !takes_a);
  if (takes_a && !std::isfinite(v[k.a])) return k.a;
  if (takes_b && !std::isfinite(v[k.b])) return k.b;
  return reg;
}

ExpressionError Program::blamed(std::uint32_t reg, const double* v) const {
  if (reg < parts_.inputs.size()) {
    return {0, fmt::format("'{}' is {}", parts_.inputs[reg].name, v[reg]),
            "the motion has left the range of numbers: look at what happened before", false};
  }
  if (reg < first_result()) return {0, "a constant is not finite", "check the parameters", false};
  const Instruction& k = parts_.instructions[reg - first_result()];
  const auto error = [&](std::string message, std::string remedy) {
    return ExpressionError{k.position, std::move(message), std::move(remedy), false};
  };
  switch (k.operation) {
    case Operation::divide:
      return error(fmt::format("{} divided by {} is not finite", v[k.a], v[k.b]),
                   "keep the divisor away from zero, e.g. by max() or if()");
    case Operation::unary:
      return error(fmt::format("{}({}) is not a real number", k.unary->name, v[k.a]),
                   "check the sign and the size of its argument");
    case Operation::binary:
      return error(
          fmt::format("{} of {} and {} is not a real number", k.binary->name, v[k.a], v[k.b]),
          "check the sign and the size of its arguments");
    case Operation::lookup:
      return error(fmt::format("{} lies outside of table '{}' ({} to {})", v[k.a],
                               parts_.tables[k.c]->name(), parts_.tables[k.c]->front(),
                               parts_.tables[k.c]->back()),
                   "add points, or give the table an extrapolation (hold, extend or periodic)");
    case Operation::call:
      return error(fmt::format("{}() gives {}", parts_.calls[k.c].function->name(), v[reg]),
                   "let the function return a finite number");
    default:
      return error("the result is too large for a number", "check the units and the powers");
  }
}

}  // namespace trammel::expression
