// Makes programs: checks dimensions, computes what is constant at once, and shares what is equal.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "trammel/expression/program.h"
#include "trammel/expression/quantity.h"
#include "trammel/expression/resolver.h"

namespace trammel::expression {

/// A part of an expression: a constant, or a node of the program being made.
struct Operand {
  Term term;
  bool only_units = false;  ///< written with unit names alone ("N s/m")
  std::uint32_t node = 0;   ///< unless constant

  const Type& type() const { return term.type; }
  bool constant() const { return term.constant; }
  double value() const { return term.value; }
};

/// Every function takes the position in the text to blame, and throws ExpressionError.
class Builder {
 public:
  static Operand constant(double value, const Type& type = {});
  static Operand quantity(const Quantity& quantity) {
    return constant(quantity.value, quantity.type());
  }
  Operand input(std::string_view name, const Symbol& symbol);

  // With the rules of dimensions ------------------------------------------------------------
  Operand sum(const Operand& a, const Operand& b, std::size_t position);
  Operand difference(const Operand& a, const Operand& b, std::size_t position);
  /// a b (exponent 1) or a / b (exponent -1).
  Operand product(const Operand& a, const Operand& b, int exponent, std::size_t position);
  Operand power(const Operand& base, const Operand& exponent, std::size_t position);
  Operand negative(const Operand& a, std::size_t position);
  Operand compare(Operation operation, const Operand& a, const Operand& b, std::size_t position);
  /// both, either; for invert, b is a.
  Operand logic(Operation operation, const Operand& a, const Operand& b, std::size_t position);
  Operand select(const Operand& condition,
                 const Operand& yes,
                 const Operand& no,
                 std::size_t position);
  Operand lookup(std::shared_ptr<const Table> table, const Operand& x, std::size_t position);
  /// Never computed at once, even of constants.
  Operand call(std::shared_ptr<const UserFunction> function,
               const std::vector<Operand>& arguments,
               std::size_t position);

  // Without: the caller says what type comes out --------------------------------------------
  Operand apply(Operation operation,
                const Operand& a,
                const Operand& b,
                const Type& type,
                std::size_t position);
  Operand apply(const UnaryPrimitive& primitive,
                const Operand& a,
                const Type& type,
                std::size_t position);
  Operand apply(const BinaryPrimitive& primitive,
                const Operand& a,
                const Operand& b,
                const Type& type,
                std::size_t position);

  Program finish(std::string_view text, const Operand& result);

 private:
  struct Node {
    enum class Kind { input, constant, instruction };
    Kind kind = Kind::constant;
    double value = 0.0;
    std::size_t input = 0;
    Instruction instruction;
  };
  using Key = std::tuple<Operation,
                         std::uint32_t,
                         std::uint32_t,
                         std::uint32_t,
                         const UnaryPrimitive*,
                         const BinaryPrimitive*>;

  std::uint32_t add_node(const Node& node);
  std::uint32_t node_of(const Operand& operand);
  Operand emit(Instruction instruction,
               const Operand& a,
               const Operand& b,
               const Type& type,
               std::size_t position);
  Operand added(Instruction instruction, const Type& type, std::size_t position);
  std::vector<bool> needed_nodes(std::uint32_t result) const;

  std::vector<Node> nodes_;
  std::vector<Input> inputs_;
  std::vector<std::shared_ptr<const Table>> tables_;
  Calls calls_;  ///< with nodes in place of registers
  std::map<Key, std::uint32_t> known_;
  std::map<double, std::uint32_t> known_constants_;
  std::map<std::string, std::uint32_t, std::less<>> known_inputs_;
};

}  // namespace trammel::expression
