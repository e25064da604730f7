// Controllers as forces along coordinates.
//
//     pid           u = kp e + z + D,   e = s - x,   F = clamp(u, lower, upper)
//                   z' = ki e + (F - u)/T_t
//                   D = kd (e - y)/T_f,   y' = (e - y)/T_f;   without filter D = -kd x'
//     state_space   z' = A z + B i,   F = C z + D i                              [Sol1983, (3.5.4)]
// s is the set point, x the coordinate. z is the state "<name>.integral", y "<name>.filter". Where
// a limit holds the load, the tracking time T_t lets the integral run back (no windup). The
// filtered derivative is that of the error; without a filter that of the coordinate, since a
// formula s(t) may jump. The inputs i of a state space model are any formulas, F the loads along
// the coordinates; its states are "<name>.state_1" ... .
#pragma once

#include "trammel/model/kinds.h"

namespace trammel::model {

ForceKind pid(Space space);
ForceKind state_space(Space space);

}  // namespace trammel::model
