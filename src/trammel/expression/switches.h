// Where an expression changes its branch over one of its inputs, time: the places at which a
// condition, a primitive with kinks or jumps, or a table is not smooth, as far as they depend on
// that input and on constants alone. Nothing else has to be known to foresee them.
//
//     a < b, a <= b, ...            where a - b changes its sign
//     min, max                      the same
//     abs, sign                     where the argument changes its sign
//     floor, ceil, mod              where the argument (the quotient) passes a whole number
//     ramps and smooth profiles     where they begin and end
//     table                         its points, and those of all periods
//
// Arguments that are straight lines between switches (2 t - 1, mod(t, 2 s)) give exact places. Of
// other ones (sin(t) > 0.5) branches are compared at 32 places of the range asked for, and the
// first change is located. In either case the answer is the least floating-point number at which
// the new branch holds: just below it every evaluation is on the old one.
#pragma once

#include <limits>
#include <string_view>
#include <vector>

#include "trammel/expression/program.h"

namespace trammel::expression {

struct Switch {
  double x = std::numeric_limits<double>::infinity();
  /// Of the lowest derivative of the primitive that may jump; 0: its value.
  int order = smoothness::analytic;
  /// Of a table: how much the slope of its chords changes there, over the range of its values, per
  /// unit of x; else infinite.
  double strength = std::numeric_limits<double>::infinity();
};

class Switches {
 public:
  /// Of this input; none where it is not among the program's.
  Switches(const Program& program, std::string_view input);

  bool empty() const { return nodes_.empty(); }
  /// The first in (x, end], or one at infinity. Several at one place count as one, with the lowest
  /// order and the greatest strength. Allocates nothing once the workspace has grown.
  Switch next(double x, double end, Workspace& workspace) const;

 private:
  enum class Kind { comparison, choice, magnitude, sign, angle, floor, ceil, mod, profile, table };
  /// An instruction that is not smooth.
  struct Node {
    Kind kind = Kind::comparison;
    Instruction instruction;
    int order = 0;
    double range = 0.0;  ///< of a table's values
  };
  /// Registers at one x: values, and their slopes where they are lines (else NaN).
  struct Registers {
    double* value = nullptr;
    double* slope = nullptr;
    double* elsewhere = nullptr;  ///< values at another x
  };

  void find_known(const Program::Parts& parts);
  void find_nodes();
  void keep_what_nodes_need();
  void evaluate(double x, double* v) const;
  double slope_of(const Instruction& k, const Registers& r, std::size_t result) const;
  /// Which branch a node is on; any number that changes with it.
  double branch(const Node& node, const double* v) const;
  double argument(const Node& node, const double* v) const;
  double argument_slope(const Node& node, const Registers& r) const;
  /// Border number `count` (0: the nearest, which may be the place itself) ahead of an argument.
  double border(const Node& node, double x, bool rising, int count) const;
  double next_of(const Node& node, double x, double end, const Registers& r) const;
  double searched(const Node& node, double x, double end, const Registers& r) const;
  /// The least number above `low` that is not on the branch of `low`, as `high` is not.
  double located(const Node& node, double low, double high, double* v) const;
  void describe(const Node& node, const Registers& r, Switch& found) const;

  std::vector<double> start_;  ///< registers before the first instruction
  std::size_t input_ = 0;
  std::size_t first_result_ = 0;
  std::vector<Instruction> instructions_;
  std::vector<bool> known_;   ///< per register: follows from the input and constants
  std::vector<bool> needed_;  ///< per register: a node depends on it
  Tables tables_;
  std::vector<Node> nodes_;
};

}  // namespace trammel::expression
