// A blade, or a wheel without steering: its point moves only along a direction of the second body.
//
// -sin(psi) x' + cos(psi) y' = 0, with x, y the point and psi the blade in the first frame.
#pragma once

#include "trammel/model/kinds.h"

namespace trammel::model {

JointKind planar_skate();

}  // namespace trammel::model
