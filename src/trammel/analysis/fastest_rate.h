// The fastest oscillation or decay of a system near a motion, as far as it is allowed to move.
//
// With K = dr/dq, C = dr/dv and P the mass-orthogonal projection onto G x = 0, the power iteration
//
//     x <- P M^-1 K x        (the solution of [M G^T; G 0] (x', s) = (K x, 0))
//
// tends to the largest |omega^2|; with C in the place of K to the largest decay rate.
#pragma once

#include "trammel/system/mechanical_system.h"

namespace trammel::analysis {

/// The larger of the largest frequency and the largest decay rate, 1/s; a rough value (some
/// per cent). Zero when nothing pulls back or brakes, or when M and G cannot be factored.
double fastest_rate(system::MechanicalSystem& system, const system::Motion& motion);

}  // namespace trammel::analysis
