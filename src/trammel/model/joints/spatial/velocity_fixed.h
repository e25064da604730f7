// Rigid joint at velocity level: the bodies keep whatever relative pose they have.
//
//     (R_A^T (p_b - p_a))' = 0,   R_A^T (w_b - w_a) = 0
// or p_b - p_a = 0 in place of the first [Chiou1990, sec. 4.6]; see primitives/kept_origins.h. Rows
// of rates are integrable, but prescribe no position: the pose at the start is kept, and round-off
// may drift.
#pragma once

#include "trammel/model/kinds.h"

namespace trammel::model {

JointKind spatial_velocity_fixed();

}  // namespace trammel::model
