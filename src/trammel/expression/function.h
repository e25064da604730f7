// A function y(x) of one variable with its derivatives: what a drive prescribes over time, or a
// tabulated force over a length.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "trammel/expression/program.h"
#include "trammel/expression/table.h"

namespace trammel::expression {

/// Constant after its making; one may be used by many threads, each with its own workspace.
class Function {
 public:
  Function() = default;
  Function(const Function&) = delete;
  Function& operator=(const Function&) = delete;
  Function(Function&&) = delete;
  Function& operator=(Function&&) = delete;
  virtual ~Function() = default;

  /// y, y', y'' and, where has_third() says so, y'''. Exact. Allocates nothing once the workspace
  /// has grown.
  virtual Derivatives at(double x, Workspace& workspace) const = 0;
  virtual bool has_third() const = 0;
  /// How many derivatives are certainly continuous; -1: the value may jump.
  virtual int smooth() const = 0;
  /// Of the values; plain numbers have none and fit to everything.
  virtual Type type() const = 0;
  /// Why the value at x is not finite; empty when it is finite.
  virtual std::string failure(double x, Workspace& workspace) const = 0;
};

using FunctionPointer = std::shared_ptr<const Function>;

/// y = constant.
FunctionPointer constant_function(const Quantity& quantity);

/// By an expression of at most one input, whatever its name. Throws InputError when it has more.
FunctionPointer expression_function(Program program);

/// Points, interpolated.
FunctionPointer table_function(std::shared_ptr<const Table> table);

/// A piece holds from `start` to the start of the next; the first also holds before its start.
struct Piece {
  double start = 0.0;
  FunctionPointer function;
};

/// A jump of a derivative where two pieces meet.
struct Jump {
  double x = 0.0;
  int order = 0;  ///< 0: the value itself
  double before = 0.0;
  double after = 0.0;
};

/// One function after the other, all of the same x. Throws InputError (named `name`) when there is
/// no piece, or starts are not finite and increasing, or dimensions differ.
FunctionPointer piecewise_function(const std::string& name, std::vector<Piece> pieces);

/// Where the value, or its derivatives up to `highest_order` (0 to 2), jump between pieces, by more
/// than 1e-9 of their size: a drive at position level must have no jump of order 0 or 1. At each
/// border the lowest order is told.
std::vector<Jump> find_jumps(const std::vector<Piece>& pieces, int highest_order);

}  // namespace trammel::expression
