// Planar revolute joint: two points coincide, rotation is free.
//     g = p_b - p_a = 0
#pragma once

#include "trammel/model/kinds.h"

namespace trammel::model {

JointKind planar_revolute();

}  // namespace trammel::model
