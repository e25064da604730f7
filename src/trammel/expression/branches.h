// Conditions of a formula that depend on more than time, as branches that can be held.
//
//     a < b, a <= b         true or false
//     sign, floor, ceil     the value
//
// The result r of each such instruction becomes held(r, s), with a further input s of the program:
// s itself, or r where s is `let_go`. A formula whose branches are held is smooth across the places
// where they change, so that a step can end there as if the other side did not exist.
#pragma once

#include <memory>
#include <vector>

#include "trammel/expression/program.h"

namespace trammel::expression {

/// No branch has this value.
constexpr double let_go = -0.5;

struct Branch {
  enum class Kind { comparison, sign, floor, ceil };
  Kind kind = Kind::comparison;
  std::uint32_t raw = 0;  ///< register of the branch that the inputs ask for
  std::uint32_t a = 0;    ///< registers that decide it
  std::uint32_t b = 0;

  /// How far inside of the branch `side` the registers v are; negative: outside.
  double distance(double side, const double* v) const;
  /// Of what is compared, for its round-off.
  double magnitude(const double* v) const;
};

struct BranchedProgram {
  std::shared_ptr<const Program> program;  ///< inputs of branches follow on its own
  std::vector<Branch> branches;
};

/// The same program when it has no such conditions. Those of time alone are none of them
/// (switches.h), and neither are == and !=.
BranchedProgram with_branches(const std::shared_ptr<const Program>& program);

}  // namespace trammel::expression
