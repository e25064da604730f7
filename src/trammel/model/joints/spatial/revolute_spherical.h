// A massless link with a hinge on the first body and a ball on the second: the ball stays on a
// circle about the hinge's axis.
//
// With d = p_b - p_a in axes of a (z the hinge): g = (d_z - offset, (d_x^2 + d_y^2 - L^2) / (2 L)).
#pragma once

#include "trammel/model/kinds.h"

namespace trammel::model {

JointKind spatial_revolute_spherical();

}  // namespace trammel::model
