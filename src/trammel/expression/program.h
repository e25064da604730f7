// A compiled expression: a straight list of instructions without jumps, so that every evaluation
// takes the same bounded time and nothing can be called but primitives and the functions that the
// resolver hands out.
//
// Registers hold first the inputs, then the constants, then one result per instruction. Derivatives
// are exact (no differences). Each instruction gives its partial derivatives p_a, p_b (and s_aa,
// s_ab, s_bb) with its value; then
//   gradient: one sweep backwards, adj_a += p_a adj, from adj = 1 at the result;
//   second derivatives along a direction d: dual numbers through both sweeps,
//     forwards  dot   = p_a dot_a + p_b dot_b,
//     backwards dadj_a += p_a dadj + (s_aa dot_a + s_ab dot_b) adj.
// A call of a user's function has as many partials as arguments; it is summed over them likewise.
// The Hessian takes one such pair of sweeps per input; functions are evaluated only once. Both
// sides of a condition are computed, but only the chosen one counts: if(x > 0, sqrt(x), 0) and its
// derivatives are 0 for x <= 0.                                            [Griewank2008, ch. 3, 5]
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "trammel/expression/instruction.h"
#include "trammel/expression/quantity.h"
#include "trammel/expression/table.h"

namespace trammel::expression {

/// One value that an evaluation needs.
struct Input {
  std::string name;
  std::size_t id = 0;  ///< the resolver's number
  Type type;
};

/// Scratch memory of evaluations; one per thread, for any number of programs. Grows when a larger
/// program comes, and allocates nothing after that.
class Workspace {
 public:
  std::span<double> take(std::size_t count) {
    if (numbers_.size() < count) numbers_.resize(count);
    return {numbers_.data(), count};
  }

 private:
  std::vector<double> numbers_;
};

/// `inputs` have the order of Program::inputs(), and so have gradients and rows of the Hessian.
class Program {
 public:
  struct Parts {
    std::string text;
    std::vector<Input> inputs;
    std::vector<double> constants;
    std::vector<Instruction> instructions;
    Tables tables;
    Calls calls;
    std::uint32_t result = 0;
    Type type;
  };
  explicit Program(Parts parts);

  const Parts& parts() const { return parts_; }
  const std::string& text() const { return parts_.text; }
  const std::vector<Input>& inputs() const { return parts_.inputs; }
  /// Which input is called "time".
  std::optional<std::size_t> time_input() const;
  const Type& type() const { return parts_.type; }
  std::size_t instruction_count() const { return parts_.instructions.size(); }
  bool is_constant() const { return parts_.inputs.empty(); }
  /// How many derivatives are certainly continuous; -1: the value may jump.
  int smooth() const;

  double value(std::span<const double> inputs, Workspace& workspace) const;
  /// The value; fills the derivative by each input.
  double gradient(std::span<const double> inputs,
                  std::span<double> gradient,
                  Workspace& workspace) const;
  /// The value; fills the gradient and the second derivatives, row by row (symmetric).
  double hessian(std::span<const double> inputs,
                 std::span<double> gradient,
                 std::span<double> hessian,
                 Workspace& workspace) const;
  /// The value; fills the gradient and the product of the Hessian and `direction`.
  double hessian_product(std::span<const double> inputs,
                         std::span<const double> direction,
                         std::span<double> gradient,
                         std::span<double> product,
                         Workspace& workspace) const;

  /// Why the value is not finite, with the place in the text; empty when it is finite.
  std::optional<ExpressionError> failure(std::span<const double> inputs,
                                         Workspace& workspace) const;

 private:
  std::size_t register_count() const {
    return parts_.inputs.size() + parts_.constants.size() + parts_.instructions.size();
  }
  std::size_t first_result() const { return parts_.inputs.size() + parts_.constants.size(); }
  void load(std::span<const double> inputs, double* values) const;
  std::uint32_t not_finite_before(std::uint32_t reg, const double* values) const;
  ExpressionError blamed(std::uint32_t reg, const double* values) const;

  struct Sweep;
  Sweep linearised(std::span<const double> inputs, bool second, Workspace& workspace) const;
  void second_order(const Sweep& sweep, std::span<double> product) const;

  Parts parts_;
  std::size_t call_memory_ = 0;  ///< numbers that the partials of all calls take
};

}  // namespace trammel::expression
