// What a formula of one variable can be over an interval: bounds of its value and of its slope.
//
// Interval arithmetic, instruction by instruction, with every bound moved outwards by its
// round-off: over [x, x] the bounds tell what the formula is but for round-off, over a longer
// interval they prove what it cannot be. They are never too narrow and may be too wide; over
// intervals that become short they become as narrow as the formula itself, where that is smooth.
//                                                            [Moore2009, ch. 5]
#pragma once

#include "trammel/expression/instruction.h"

namespace trammel::expression {

struct Bounds {
  double low = 0.0;
  double high = 0.0;

  bool contains(double x) const { return low <= x && x <= high; }
  bool finite() const;
};

struct Enclosure {
  Bounds value;
  Bounds slope;
};

Bounds operator-(const Bounds& a, const Bounds& b);

/// The result of instruction k with registers r. Of functions of the user's nothing is known.
Enclosure enclose(const Instruction& k, const Enclosure* r, const Tables& tables);

}  // namespace trammel::expression
