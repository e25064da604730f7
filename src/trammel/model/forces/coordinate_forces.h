// Springs, stops and friction along a coordinate: of a joint, a body or a sensor.
//
// x is the coordinate, v its rate; angles count whole turns. F is a force or a torque and positive
// where it increases x.
//     coordinate_spring    F = F0 - (k1 e + k2 e^2 + ...) - c v,   e = x - x0
//     coordinate_stop      F = +N(lower - x, -v) - N(x - upper, v),
//                          N(d, d') = k d^m + c d' min(1, d/w) >= 0 for d > 0
//     coordinate_friction  F = -r N mu(s) s / sqrt(s^2 + s0^2) - c v,   s = r v,
//                          mu(s) = mu_d + (mu_s - mu_d) exp(-(s/s_S)^2)
//     lugre_friction       F = -(sigma0 z + sigma1 z' + sigma2 v),
//                          z' = v - sigma0 |v| z / (r N mu(r v))      [CanudasDeWit1995]
// N is a given normal load (a formula), r the radius at which it acts; r = 1 along displacements.
// The bristle deflection z is a first-order state "<name>.bristle". LuGre is passive when sigma1
// fades with the speed, sigma1 exp(-(s/s_S)^2) [Olsson1998]; it does so here.
#pragma once

#include "trammel/model/kinds.h"

namespace trammel::model {

ForceKind coordinate_spring(Space space);
ForceKind coordinate_stop(Space space);
ForceKind coordinate_friction(Space space);
ForceKind lugre_friction(Space space);

}  // namespace trammel::model
