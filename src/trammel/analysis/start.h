// Where a run begins: as the model is described, or at rest in the equilibrium nearest to that.
#pragma once

#include <string>
#include <vector>

#include "trammel/analysis/assembly.h"
#include "trammel/analysis/simulate.h"

namespace trammel::analysis {

enum class Start { described, equilibrium };

/// The assembled model, consistent at all levels. In equilibrium: positions and first-order states
/// of rest, or of the steady motion with drives that move (statics.h); a sentence about it goes to
/// `notes`. RunError when the model cannot be assembled, or does not come to rest.
Assembly start_of(model::ModelSystem& system, Start start, std::vector<std::string>& notes);
/// Without the sentence.
Assembly start_of(model::ModelSystem& system, Start start);

/// simulate() from there.
SimulationReport simulate(model::ModelSystem& system,
                          const model::SimulationSettings& settings,
                          const SimulationOptions& options,
                          Start start);

}  // namespace trammel::analysis
