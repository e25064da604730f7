// Rolling without slipping in the plane, which is holonomic there.
//
// Disc on a line (x along it, phi the angle of the disc, counterclockwise):
//     g = (y - R, x - x_0 + R (phi - phi_0)).
// Disc on disc, with signed radii (a negative one is a ring around the other) and alpha the
// direction of the line of centres in the first body:
//     g = (|d| - |R_a + R_b|, (R_a + R_b)(alpha - alpha_0) - R_b (phi - phi_0)).
// alpha is known up to whole turns; the nearest to R_b phi / (R_a + R_b) is taken.
#pragma once

#include "trammel/model/kinds.h"

namespace trammel::model {

JointKind planar_rolling_disc();
JointKind planar_rolling_discs();

}  // namespace trammel::model
