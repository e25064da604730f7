// The settings of a method: which it has, which to advise, and how to change numbers among them for
// a run to compare with.
#pragma once

#include "trammel/integrators/kinds.h"
#include "trammel/model/description.h"

namespace trammel::analysis {

/// What was given to the integrator, as it takes it.
integrators::Settings given_settings(const model::SimulationSettings& settings);

/// Takes away those of `among` that have no effect beside the others.
void drop_idle(model::SimulationSettings& settings, const model::Values& among);

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

/// Has the integrator a setting with this word among its choices, or (no word) any such setting?
bool takes(const std::string& integrator, const char* name, const char* word = nullptr);

/// What to try where a step failed, in settings that the integrator has.
std::string after_failure(const model::SimulationSettings& settings, bool adaptive);

}  // namespace trammel::analysis
