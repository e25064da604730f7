// Cylindrical joint: translation along and rotation about one axis [Chiou1990, sec. 4.5].
//     g = (x_a . z_b, y_a . z_b, x_a . d, y_a . d) = 0,   d = p_b - p_a, z the axis
#pragma once

#include "trammel/model/kinds.h"

namespace trammel::model {

JointKind spatial_cylindrical();

}  // namespace trammel::model
