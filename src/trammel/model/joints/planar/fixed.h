// Planar fixed joint: the two frames coincide.
//     g = (p_b - p_a, angle_b - angle_a - offset) = 0
#pragma once

#include "trammel/model/kinds.h"

namespace trammel::model {

JointKind planar_fixed();

}  // namespace trammel::model
