#include "trammel/expression/builder.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>

#include <fmt/format.h>

namespace trammel::expression {
namespace {

using core::Dimension;

constexpr double largest_fast_power = 16.0;

[[noreturn]] void fail_not_finite(const Instruction& k, const double* v, std::size_t position) {
  if (k.operation == Operation::unary) {
    throw ExpressionError{position, fmt::format("{}({}) is not a real number", k.unary->name, v[0]),
                          "check the sign and the size of its argument", false};
  }
  throw ExpressionError{position, "the result is not a finite number",
                        "check for a division by zero", false};
}

const BinaryPrimitive& power_primitive(const Operand& exponent) {
  if (!exponent.constant()) return power;
  const bool whole = std::round(exponent.value()) == exponent.value();
  return whole && std::abs(exponent.value()) <= largest_fast_power ? integer_power : constant_power;
}

}  // namespace

Operand Builder::constant(double value, const Type& type) {
  return {{type, true, value}, false, 0};
}

Operand Builder::input(std::string_view name, const Symbol& symbol) {
  const auto known = known_inputs_.find(name);
  if (known != known_inputs_.end()) return {{symbol.type, false, 0.0}, false, known->second};
  Node node;
  node.kind = Node::Kind::input;
  node.input = inputs_.size();
  inputs_.push_back({std::string(name), symbol.id, symbol.type});
  const std::uint32_t index = add_node(node);
  known_inputs_.emplace(name, index);
  return {{symbol.type, false, 0.0}, false, index};
}

std::uint32_t Builder::add_node(const Node& node) {
  nodes_.push_back(node);
  return static_cast<std::uint32_t>(nodes_.size() - 1);
}

std::uint32_t Builder::node_of(const Operand& operand) {
  if (!operand.constant()) return operand.node;
  // -0 and 0 are equal keys, but 1 / -0 is not 1 / 0.
  if (operand.value() == 0.0 && std::signbit(operand.value())) {
    return add_node({Node::Kind::constant, operand.value(), 0, {}});
  }
  const auto known = known_constants_.find(operand.value());
  if (known != known_constants_.end()) return known->second;
  const std::uint32_t index = add_node({Node::Kind::constant, operand.value(), 0, {}});
  known_constants_.emplace(operand.value(), index);
  return index;
}

Operand Builder::added(Instruction instruction, const Type& type, std::size_t position) {
  instruction.position = static_cast<std::uint32_t>(position);
  const Key key{instruction.operation, instruction.a,     instruction.b,
                instruction.c,         instruction.unary, instruction.binary};
  const auto known = known_.find(key);
  if (known != known_.end()) return {{type, false, 0.0}, false, known->second};
  Node node;
  node.kind = Node::Kind::instruction;
  node.instruction = instruction;
  const std::uint32_t index = add_node(node);
  known_.emplace(key, index);
  return {{type, false, 0.0}, false, index};
}

Operand Builder::emit(Instruction instruction,
                      const Operand& a,
                      const Operand& b,
                      const Type& type,
                      std::size_t position) {
  if (a.constant() && b.constant()) {
    const std::array<double, 2> v{a.value(), b.value()};
    instruction.a = 0;
    instruction.b = 1;
    const double result = compute(instruction, v.data(), tables_, calls_);
    if (!std::isfinite(result)) fail_not_finite(instruction, v.data(), position);
    return constant(result, type);
  }
  instruction.a = node_of(a);
  instruction.b = node_of(b);
  return added(instruction, type, position);
}

Operand Builder::apply(Operation operation,
                       const Operand& a,
                       const Operand& b,
                       const Type& type,
                       std::size_t position) {
  assert(operation != Operation::unary && operation != Operation::binary);
  Instruction instruction;
  instruction.operation = operation;
  return emit(instruction, a, b, type, position);
}

Operand Builder::apply(const UnaryPrimitive& primitive,
                       const Operand& a,
                       const Type& type,
                       std::size_t position) {
  Instruction instruction;
  instruction.operation = Operation::unary;
  instruction.unary = &primitive;
  return emit(instruction, a, a, type, position);
}

Operand Builder::apply(const BinaryPrimitive& primitive,
                       const Operand& a,
                       const Operand& b,
                       const Type& type,
                       std::size_t position) {
  Instruction instruction;
  instruction.operation = Operation::binary;
  instruction.binary = &primitive;
  return emit(instruction, a, b, type, position);
}

Operand Builder::sum(const Operand& a, const Operand& b, std::size_t position) {
  const Type type =
      common_type(std::array{a.term, b.term}, PlainNumbers::need_unit, position, "add");
  return apply(Operation::add, a, b, type, position);
}

Operand Builder::difference(const Operand& a, const Operand& b, std::size_t position) {
  const Type type =
      common_type(std::array{a.term, b.term}, PlainNumbers::need_unit, position, "subtract");
  return apply(Operation::subtract, a, b, type, position);
}

Operand Builder::product(const Operand& a, const Operand& b, int exponent, std::size_t position) {
  Type type = product_type(a.term, b.term, exponent, position);
  const bool both_quantities = !a.only_units && !b.only_units &&
                               a.type().dimension != Dimension{} &&
                               b.type().dimension != Dimension{};
  type.any_angle = type.any_angle || both_quantities;
  const Operation operation = exponent > 0 ? Operation::multiply : Operation::divide;
  Operand result = apply(operation, a, b, type, position);
  result.only_units = a.only_units && b.only_units;
  return result;
}

Operand Builder::power(const Operand& base, const Operand& exponent, std::size_t position) {
  const Type type = power_type(base.term, exponent.term, position);
  const bool squared = exponent.constant() && exponent.value() == 2.0;
  if (squared && !base.constant()) return apply(square, base, type, position);
  // Constants use the library's power, which is exact to the last digit.
  const BinaryPrimitive& primitive =
      base.constant() ? expression::power : power_primitive(exponent);
  Operand result = apply(primitive, base, exponent, type, position);
  result.only_units = base.only_units;
  return result;
}

Operand Builder::negative(const Operand& a, std::size_t position) {
  const Type type =
      common_type(std::array{a.term}, PlainNumbers::need_unit, position, "change the sign of");
  return apply(Operation::negate, a, a, type, position);
}

Operand Builder::compare(Operation operation,
                         const Operand& a,
                         const Operand& b,
                         std::size_t position) {
  common_type(std::array{a.term, b.term}, PlainNumbers::count_as_si, position, "compare");
  return apply(operation, a, b, {{}, false, false, true}, position);
}

Operand Builder::logic(Operation operation,
                       const Operand& a,
                       const Operand& b,
                       std::size_t position) {
  if (!a.type().truth || !b.type().truth) {
    throw ExpressionError{position, "'and', 'or' and 'not' join conditions",
                          "compare first, e.g. x > 0 and x < 1", false};
  }
  return apply(operation, a, b, a.type(), position);
}

Operand Builder::select(const Operand& condition,
                        const Operand& yes,
                        const Operand& no,
                        std::size_t position) {
  if (!condition.type().truth) {
    throw ExpressionError{
        position, fmt::format("if() needs a condition, but got {}", described(condition.type())),
        "compare it, e.g. if(x > 0, a, b)", false};
  }
  const Type type = common_type(std::array{yes.term, no.term}, PlainNumbers::need_unit, position,
                                "choose between");
  if (condition.constant() || (yes.constant() && no.constant() && yes.value() == no.value())) {
    Operand chosen = condition.value() != 0.0 ? yes : no;
    chosen.term.type = type;
    return chosen;
  }
  Instruction instruction;
  instruction.operation = Operation::select;
  instruction.a = node_of(yes);
  instruction.b = node_of(no);
  instruction.c = node_of(condition);
  return added(instruction, type, position);
}

Operand Builder::lookup(std::shared_ptr<const Table> table,
                        const Operand& x,
                        std::size_t position) {
  const TableOptions& options = table->options();
  const Dimension& abscissa = options.abscissa;
  if (x.type().truth || (abscissa != Dimension{} && !x.type().fits(abscissa))) {
    throw ExpressionError{
        position, fmt::format("table '{}' got {}", table->name(), described(x.type())),
        fmt::format("its abscissa has the unit {}", core::si_unit(abscissa)), false};
  }
  Type type;
  type.dimension = options.ordinate;
  type.open = options.ordinate == Dimension{};
  if (x.constant()) {
    const double value = table->value(x.value());
    if (!std::isfinite(value)) {
      throw ExpressionError{position,
                            fmt::format("{} lies outside of table '{}'", x.value(), table->name()),
                            "add points, or give the table an extrapolation", false};
    }
    return constant(value, type);
  }
  Instruction instruction;
  instruction.operation = Operation::lookup;
  instruction.a = instruction.b = node_of(x);
  std::size_t index = 0;
  while (index < tables_.size() && tables_[index] != table) ++index;
  if (index == tables_.size()) tables_.push_back(std::move(table));
  instruction.c = static_cast<std::uint32_t>(index);
  return added(instruction, type, position);
}

Operand Builder::call(std::shared_ptr<const UserFunction> function,
                      const std::vector<Operand>& arguments,
                      std::size_t position) {
  const std::size_t wanted = function->count().value_or(arguments.size());
  if (arguments.size() != wanted || wanted > UserFunction::most_arguments) {
    throw ExpressionError{
        position, fmt::format("{}() got {} values", function->name(), arguments.size()),
        fmt::format("it takes {}", std::min(wanted, UserFunction::most_arguments)), false};
  }
  Call call{std::move(function), {}};
  for (const Operand& argument : arguments) {
    if (argument.type().truth) {
      throw ExpressionError{position, fmt::format("{}() got a condition", call.function->name()),
                            "write if(condition, 1, 0)", false};
    }
    call.arguments.push_back(node_of(argument));
  }
  std::size_t index = 0;
  while (index < calls_.size() &&
         (calls_[index].function != call.function || calls_[index].arguments != call.arguments)) {
    ++index;
  }
  Instruction instruction;
  instruction.operation = Operation::call;
  instruction.a = instruction.b = call.arguments.front();
  instruction.c = static_cast<std::uint32_t>(index);
  if (index == calls_.size()) calls_.push_back(std::move(call));
  return added(instruction, {{}, false, true, false}, position);
}

std::vector<bool> Builder::needed_nodes(std::uint32_t result) const {
  std::vector<bool> needed(nodes_.size(), false);
  needed[result] = true;
  for (std::size_t i = nodes_.size(); i-- > 0;) {
    if (!needed[i] || nodes_[i].kind != Node::Kind::instruction) continue;
    const Instruction& k = nodes_[i].instruction;
    needed[k.a] = needed[k.b] = true;
    if (k.operation == Operation::select) needed[k.c] = true;
    if (k.operation != Operation::call) continue;
    for (const std::uint32_t argument : calls_[k.c].arguments) needed[argument] = true;
  }
  return needed;
}

Program Builder::finish(std::string_view text, const Operand& result) {
  const std::uint32_t result_node = node_of(result);
  const std::vector<bool> needed = needed_nodes(result_node);
  // Registers: inputs, then constants, then instructions, each in the order of their nodes.
  Program::Parts parts;
  std::vector<std::uint32_t> place(nodes_.size(), 0);
  std::uint32_t next = 0;
  for (const Node::Kind kind : {Node::Kind::input, Node::Kind::constant, Node::Kind::instruction}) {
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      const Node& node = nodes_[i];
      if (node.kind != kind || !needed[i]) continue;
      place[i] = next++;
      if (kind == Node::Kind::input) parts.inputs.push_back(inputs_[node.input]);
      if (kind == Node::Kind::constant) parts.constants.push_back(node.value);
      if (kind != Node::Kind::instruction) continue;
      Instruction k = node.instruction;
      k.a = place[k.a];
      k.b = place[k.b];
      if (k.operation == Operation::select) k.c = place[k.c];
      if (k.operation == Operation::call) {
        parts.calls.push_back(calls_[k.c]);
        for (std::uint32_t& argument : parts.calls.back().arguments) argument = place[argument];
        k.c = static_cast<std::uint32_t>(parts.calls.size() - 1);
      }
      parts.instructions.push_back(k);
    }
  }
  parts.text = text;
  parts.tables = tables_;
  parts.result = place[result_node];
  parts.type = result.type();
  return Program(std::move(parts));
}

}  // namespace trammel::expression
