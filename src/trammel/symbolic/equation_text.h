// Equations of motion for people: which coordinates there are, and one line for each equation.
#pragma once

#include <string>
#include <vector>

#include "trammel/symbolic/equations.h"
#include "trammel/symbolic/notation.h"

namespace trammel::symbolic {

/// An equation in pieces between which a line may be broken; all but the first begin with their
/// sign or with what they are compared to.
using BrokenLine = std::vector<std::string>;

/// What the equations say, in their order.
struct WrittenEquations {
  std::vector<BrokenLine> motion;       ///< one for each coordinate
  std::vector<BrokenLine> constraints;  ///< of loops and drives
  std::vector<BrokenLine> loads;        ///< what the letters of loads stand for
};
WrittenEquations written(const Equations& equations, const Notation& notation);

/// For a terminal of this width: coordinates, equations, and what the letters mean.
std::string as_text(const Equations& equations, std::size_t width);
/// For a paper: comments that name coordinates and multipliers, and an align* environment.
std::string as_latex(const Equations& equations);
/// One equation a line: a <math> element for each piece, so that a browser can break lines between
/// them.
std::vector<std::string> as_mathml(const Equations& equations);

}  // namespace trammel::symbolic
