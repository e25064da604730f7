// Prismatic joint: translation along one axis without rotation.
//     g = (x_a . z_b, y_a . z_b, x_a . d, y_a . d, y_a . x_b) = 0,   d = p_b - p_a, z the axis
// Half-turned frames satisfy the last row too: describe the bodies near the intended attitude.
#pragma once

#include "trammel/model/kinds.h"

namespace trammel::model {

JointKind spatial_prismatic();

}  // namespace trammel::model
