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
// other ones (sin(t) > 0.5) the range asked for is divided until the bounds of the argument and of
// its slope (enclosure.h) prove that a part holds no switch, or no more than one, which the ends of
// the part show. What no bounds decide is divided down to 1e-9 of the range: only a branch that
// comes and goes within such a part, with an argument that turns round in it, is missed. (Where
// there are no bounds, down to 1/256: behind points of tables inside of other functions.)
//
// In either case the answer is the least floating-point number at which the new branch holds: just
// below it every evaluation is on the old one.
#pragma once

#include <limits>
#include <string_view>
#include <vector>

#include "trammel/expression/enclosure.h"
#include "trammel/expression/program.h"

namespace trammel::expression {

struct Switch {
  double x = std::numeric_limits<double>::infinity();
  /// The last of those that round-off alone puts apart from the first.
  double last = x;
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
  /// The first in (x, end], or one at infinity. Several at one place, to round_off of it, count as
  /// one, with the lowest order and the greatest strength. Allocates nothing once the workspace has
  /// grown.
  Switch next(double x, double end, Workspace& workspace) const;

  /// Of a place: places of one switch that are computed in different ways differ by less.
  static constexpr double round_off = 64.0 * std::numeric_limits<double>::epsilon();

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
    Enclosure* bounds = nullptr;  ///< over a part of the range
  };
  /// A search for the first change of a node's branch, from left to right.
  struct Search {
    const Node& node;
    const Registers& r;
    double range = 0.0;
    double side = 0.0;  ///< the branch, when it is known
    bool known = false;
    double last = 0.0;  ///< where that was seen
    int parts = 0;      ///< examined so far
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
  double search_part(Search& search, double low, double high) const;
  /// Looks at the end of a part that holds at most one change.
  double look_at(Search& search, double x) const;
  void enclose_all(double low, double high, Enclosure* bounds) const;
  Enclosure argument(const Node& node, const Enclosure* bounds) const;
  /// Whether no more than one change can lie between two places.
  bool decided(const Node& node, const Enclosure* bounds) const;
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
