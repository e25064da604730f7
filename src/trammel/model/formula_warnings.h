// What is doubtful in the formulas of a model that can be compiled.
#pragma once

#include <vector>

#include "trammel/core/diagnostic.h"
#include "trammel/model/description.h"

namespace trammel::model {

/// Formulas of couplings and drives that are not as smooth as what is made of them; with the paths
/// of the user. Compiles the model once more. Throws InputError as compile().
std::vector<core::Diagnostic> formula_warnings(const Description& description);

}  // namespace trammel::model
