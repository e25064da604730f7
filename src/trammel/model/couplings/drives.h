// Drives: a coordinate prescribed over time, at position, velocity or acceleration level.
//     position      c - f(t) = 0
//     velocity      c' - f(t) = 0
//     acceleration  c' - (rate0 + integral of f) = 0
//     rate          u - f(t) = 0 for any rate u, also of no coordinate: an angular velocity
// The load of a drive is the generalised force it exerts along its coordinate.
#pragma once

#include "trammel/model/kinds.h"

namespace trammel::model {

CouplingKind position_drive();
CouplingKind velocity_drive();
CouplingKind acceleration_drive();
CouplingKind rate_drive();

}  // namespace trammel::model
