// Numbers among the settings of a method, and how to change them for a run to compare with.
#pragma once

#include "trammel/integrators/kinds.h"
#include "trammel/model/description.h"

namespace trammel::analysis {

/// Null where the integrator has no such setting.
const integrators::Setting* setting_of(const std::string& integrator, const char* name);

/// As given, or the fallback; null where the integrator has no such number.
const double* number_of(const model::SimulationSettings& settings, const char* name);

/// Nothing where the integrator has no such number.
void multiply_number(model::SimulationSettings& settings, const char* name, double factor);

/// Multiplies the tolerances of a method that chooses its steps; where they get smaller, the
/// largest step as well, as that of a method of order 4.
void multiply_tolerances(model::SimulationSettings& settings, double factor);

/// The step is what is examined: none is halved for being long.
void keep_long_steps(model::SimulationSettings& settings);

}  // namespace trammel::analysis
