// What else is wrong with a model that has mistakes already, so that all are told at once.
//
// Formulas of drives, couplings, forces, sensors and states can be judged only where the bodies and
// joints that they name are there. The parts with mistakes are left out, with everything that names
// them, and the rest is compiled.
#pragma once

#include <vector>

#include "trammel/core/diagnostic.h"
#include "trammel/model/description.h"

namespace trammel::io {

/// Mistakes of the rest, which are no consequences of the known ones.
std::vector<core::Diagnostic> mistakes_of_rest(model::Description description,
                                               const std::vector<core::Diagnostic>& known);

}  // namespace trammel::io
