// Energetic elements along coordinates, for laws that a spring and a damper cannot say.
//
//     implicit_force      f(F, x, x', ..., t) = 0: an equation for the load F, solved for it at
//     every
//                         evaluation                                            [Sol1983, (3.4.5)]
//     parametric_spring   F = -K(t) (x - x0(t)) - B(t) x'                       [Sol1983, (3.4.7)]
//     matrix_element      F = -K e - B e',   e_i = x_i - x0_i, for any coordinates x_i: a finite
//                         element with any number of endpoints                  [Sol1983,
//                         (3.4.8-12)]
// The coordinates of a matrix element (sensors, joint coordinates) are its relevant variables:
// their Jacobians are the map G, and the loads on the bodies are G^T F. Stored: K(t) e^2/2, e^T K
// e/2. Lost: B x'^2, e'^T B e'. The work of a time-dependent spring that is left, K' e^2/2 - K e
// x0', is brought in; so is all work of an implicit force.
#pragma once

#include "trammel/model/kinds.h"

namespace trammel::model {

ForceKind implicit_force(Space space);
ForceKind parametric_spring(Space space);
ForceKind matrix_element(Space space);

}  // namespace trammel::model
