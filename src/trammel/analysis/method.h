// The integrator that simulation settings name, for a system.
#pragma once

#include <memory>
#include <string>

#include "trammel/integrators/integrator.h"
#include "trammel/model/description.h"
#include "trammel/system/mechanical_system.h"

namespace trammel::analysis {

/// Throws InputError when the integrator or one of its settings is unknown, out of range, or does
/// not go with the others or with the system. `auto` has to be resolved before (auto_method.h).
std::unique_ptr<integrators::Integrator> make_integrator(system::MechanicalSystem& system,
                                                         const model::SimulationSettings& settings);

/// True when the integrator chooses its own steps, so that `step` is no more than the distance of
/// results.
bool chooses_steps(const model::SimulationSettings& settings);

/// "generalized-alpha, spectral_radius 0.6": the integrator with its settings.
std::string integrator_text(const model::SimulationSettings& settings);

/// The same with step (or distance of results) and solver.
std::string method_text(const model::SimulationSettings& settings, double step);

}  // namespace trammel::analysis
