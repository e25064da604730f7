// The integrators and linear solvers a model file may name, with their settings.
#pragma once

#include <string>
#include <vector>

#include "trammel/model/field.h"

namespace trammel::analysis {

struct MethodKind {
  std::string name;
  std::string summary;  ///< one line
  std::vector<model::Field> fields;
};

std::vector<MethodKind> integrator_kinds();
std::vector<MethodKind> solver_kinds();

}  // namespace trammel::analysis
