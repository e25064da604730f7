// Couplings: relations between coordinates of any joints, bodies and sensors.
//     gear      b - b0 = ratio (a - a0)            gear pairs, racks, belts, screws between joints
//     linear    sum f_i c_i = constant             differentials, planetary gears, pulleys
//     curve     b = f(a) by a formula              polynomial or tabulated couplings
//     equation  any formula of coordinates and time that is zero
//     pfaff     any formula of rates, linear in them, that is zero
#pragma once

#include "trammel/model/kinds.h"

namespace trammel::model {

CouplingKind gear_coupling();
CouplingKind linear_coupling();
CouplingKind curve_coupling();
CouplingKind equation_coupling();
CouplingKind pfaff_coupling();

}  // namespace trammel::model
