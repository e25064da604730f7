#include "trammel/expression/branches.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace trammel::expression {
namespace {

constinit const BinaryPrimitive held{
    "held", smoothness::jumps, [](double raw, double side) { return side == let_go ? raw : side; },
    [](double, double, double, Partials&) {}, [](double, double, double, Partials&) {}};

std::optional<Branch::Kind> branch_kind(const Instruction& k) {
  if (k.operation == Operation::less || k.operation == Operation::less_equal) {
    return Branch::Kind::comparison;
  }
  if (k.operation != Operation::unary) return std::nullopt;
  if (k.unary->name == "sign") return Branch::Kind::sign;
  if (k.unary->name == "floor") return Branch::Kind::floor;
  if (k.unary->name == "ceil") return Branch::Kind::ceil;
  return std::nullopt;
}

// Per register: whether it depends on more than time.
std::vector<bool> varying(const Program::Parts& parts) {
  std::vector<bool> varies;
  for (const Input& input : parts.inputs) varies.push_back(input.name != "time");
  varies.insert(varies.end(), parts.constants.size(), false);
  for (const Instruction& k : parts.instructions) {
    bool result = false;
    if (k.operation == Operation::call) {
      for (const std::uint32_t reg : parts.calls[k.c].arguments) result = result || varies[reg];
    } else {
      result = varies[k.a] || varies[k.b] || (k.operation == Operation::select && varies[k.c]);
    }
    varies.push_back(result);
  }
  return varies;
}

}  // namespace

double Branch::distance(double side, const double* v) const {
  switch (kind) {
    case Kind::comparison:
      return v[raw] == side ? std::abs(v[a] - v[b]) : -std::abs(v[a] - v[b]);
    case Kind::sign:
      return v[raw] == side ? std::abs(v[a]) : -std::abs(v[a]);
    case Kind::floor:
      return std::min(v[a] - side, side + 1.0 - v[a]);
    case Kind::ceil:
      return std::min(v[a] - side + 1.0, side - v[a]);
  }
  return 0.0;
}

double Branch::magnitude(const double* v) const {
  const double other = kind == Kind::comparison ? std::abs(v[b]) : (kind == Kind::sign ? 0.0 : 1.0);
  return std::max(std::abs(v[a]), other);
}

BranchedProgram with_branches(const std::shared_ptr<const Program>& program) {
  const Program::Parts& old = program->parts();
  const std::vector<bool> varies = varying(old);
  const std::size_t first_result = old.inputs.size() + old.constants.size();
  const auto is_branch = [&](std::size_t i) {
    return varies[first_result + i] && branch_kind(old.instructions[i]).has_value();
  };
  std::size_t count = 0;
  for (std::size_t i = 0; i < old.instructions.size(); ++i) count += is_branch(i) ? 1 : 0;
  if (count == 0) return {program, {}};

  Program::Parts parts = old;
  parts.instructions.clear();
  std::vector<std::uint32_t> moved;  // where the registers went
  for (std::uint32_t i = 0; i < first_result; ++i) {
    moved.push_back(i < old.inputs.size() ? i : i + static_cast<std::uint32_t>(count));
  }
  BranchedProgram result;
  const auto next = [&] {
    return static_cast<std::uint32_t>(first_result + count + parts.instructions.size());
  };
  for (std::size_t i = 0; i < old.instructions.size(); ++i) {
    Instruction k = old.instructions[i];
    k.a = moved[k.a];
    k.b = moved[k.b];
    if (k.operation == Operation::select) k.c = moved[k.c];
    std::uint32_t reg = next();
    parts.instructions.push_back(k);
    if (is_branch(i)) {
      const auto input = static_cast<std::uint32_t>(parts.inputs.size());
      parts.inputs.push_back({"a branch", 0, {}});
      result.branches.push_back({*branch_kind(k), reg, k.a, k.b});
      Instruction hold{.operation = Operation::binary, .a = reg, .b = input};
      hold.binary = &held;
      hold.position = k.position;
      reg = next();
      parts.instructions.push_back(hold);
    }
    moved.push_back(reg);
  }
  for (Call& call : parts.calls) {
    for (std::uint32_t& reg : call.arguments) reg = moved[reg];
  }
  parts.result = moved[old.result];
  result.program = std::make_shared<Program>(std::move(parts));
  return result;
}

}  // namespace trammel::expression
