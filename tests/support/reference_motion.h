// A motion computed by another way than any integrator of the library, as a reference for tests.
//
// Classical Runge-Kutta of order 4 on the manifold (Munthe-Kaas) at index 1: within a step from
// (q, v) the unknowns are x and v with
//     x' = inverse_tangent(x, v),   v' = a(P(retract(q, x)), P(v)),   M a + G^T lambda = f,  G a +
//     gamma = 0.
// P projects on the constraints, since redundant ones contradict each other elsewhere; it extends
// the right-hand side smoothly beyond the manifold and leaves it alone on it. The result itself is
// not projected: its drift tells the accuracy.
#pragma once

#include "trammel/system/mechanical_system.h"

namespace trammel::support {

/// From a consistent state over `duration` seconds in equal steps; accelerations and multipliers of
/// the end included.
system::Motion reference_motion(system::MechanicalSystem& system,
                                const system::State& start,
                                double duration,
                                int steps);

}  // namespace trammel::support
