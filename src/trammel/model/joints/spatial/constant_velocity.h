// A homokinetic joint: two points coincide, and shafts at an angle turn with equal speeds.
//
// The relative rotation R (by theta about n) tilts one shaft into the other and has no twist: its
// axis is perpendicular to that of the shaft, n_z = 0. Since R - R^T = 2 sin(theta) skew(n), with x
// and y perpendicular to the shafts' axes z this is g = (y_a . x_b - x_a . y_b) / 2 = 0. The plane
// between both shafts is then a plane of symmetry.
#pragma once

#include "trammel/model/kinds.h"

namespace trammel::model {

JointKind spatial_constant_velocity();

}  // namespace trammel::model
