// The same model in other units: lengths, masses and times multiplied.
#pragma once

#include "trammel/model/description.h"

namespace trammel::support {

struct Units {
  double length = 1.0;
  double mass = 1.0;
  double time = 1.0;

  /// What a quantity of this dimension is multiplied by.
  double factor(const core::Dimension& dimension) const;
};

/// Every value of the description by its dimension: bodies, frames, gravity, fields of all items,
/// parameters, times of the simulation. Formulas must be written with parameters alone.
model::Description in_units(model::Description description, const Units& units);

}  // namespace trammel::support
