// Revolute joint (hinge), dot-product form [Chiou1990, eq. 4.4.8].
//     g = (p_b - p_a, x_a . z_b, y_a . z_b) = 0,   z the hinge axis
#pragma once

#include "trammel/model/kinds.h"

namespace trammel::model {

JointKind spatial_revolute();

}  // namespace trammel::model
