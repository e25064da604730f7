// Spatial distance joint: a massless rod between two points.
//     g = (d . d - L^2) / (2 L) = 0,   d = p_b - p_a
#pragma once

#include "trammel/model/kinds.h"

namespace trammel::model {

JointKind spatial_distance();

}  // namespace trammel::model
