// Planar prismatic joint: body b slides along an axis fixed in a and does not turn against it.
//     g = (n_a . (p_b - p_a), angle_b - angle_a - offset) = 0,   n_a perpendicular to the axis
#pragma once

#include "trammel/model/kinds.h"

namespace trammel::model {

JointKind planar_prismatic();

}  // namespace trammel::model
