// A blade on a plane of the first body: its point stays in the plane and moves only along the
// blade.
//
// -sin(psi) x' + cos(psi) y' = 0, with psi the direction of the blade in the plane.
#pragma once

#include "trammel/model/kinds.h"

namespace trammel::model {

JointKind spatial_skate();

}  // namespace trammel::model
