// Fixed joint: the two frames coincide.
//     g = (p_b - p_a, x_a . z_b, y_a . z_b, y_a . x_b) = 0
// Half-turned frames satisfy the last rows too: describe the bodies near the intended attitude.
#pragma once

#include "trammel/model/kinds.h"

namespace trammel::model {

JointKind spatial_fixed();

}  // namespace trammel::model
