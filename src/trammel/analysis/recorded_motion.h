// A motion read back from results: positions, velocities and accelerations of all bodies at the
// recorded times, as motions of a system of the same model, whatever its coordinates.
//
// Positions and velocities are described to the model as a start; accelerations are those a of the
// system that reproduce the recorded accelerations of the bodies, which are affine in a.
#pragma once

#include <vector>

#include "trammel/analysis/dense_matrices.h"
#include "trammel/model/model_system.h"
#include "trammel/results/table.h"

namespace trammel::analysis {

/// One motion per recorded time; multipliers are zero. InputError when channels of a body are
/// missing, or when the motion does not fit the joints of the model (drives do not matter).
std::vector<system::Motion> recorded_motion(const model::Description& description,
                                            model::ModelSystem& system,
                                            const results::Table& table);

}  // namespace trammel::analysis
