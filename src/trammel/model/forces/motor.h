// Electric motors along a coordinate x, with the current i as a first-order state "<name>.current".
//
//     dc_motor         F = c i,   L i' = V - R i - c x'                        [Sol1983, (3.5.7,
//     8)] position_servo   the same with V = b (s - x), s the set point             [Sol1983,
//     (3.5.9)]
// F is the torque (force) on the driven body: V > 0 drives x up, and the back electromotive force
// c x' brakes. The printed signs of the source are those of the load on the element and would drive
// it away from its set point. Without inductance the current follows at once: i = (V - c x')/R.
//
// V i is brought in, R i^2 lost, L i^2/2 stored: V i = R i^2 + L i i' + F x'.
// V, i in V and A; R in Ohm, L in H; c in N m/A = V s/rad (N/A = V s/m).
#pragma once

#include "trammel/model/kinds.h"

namespace trammel::model {

ForceKind dc_motor(Space space);
ForceKind position_servo(Space space);

}  // namespace trammel::model
