// A homokinetic joint: two points coincide, and shafts at an angle turn with equal speeds.
//
// The relative rotation has no part about the shafts' common normal plane: with x and y
// perpendicular to the shafts' axes z, g = (x_a . y_b - y_a . x_b) / 2 = 0. The vector of a
// rotation by theta about n is R - R^T = 2 sin(theta) skew(n): g says n_z = 0, so that the rotation
// tilts the shaft and the plane between both shafts is a plane of symmetry.
#pragma once

#include "trammel/model/kinds.h"

namespace trammel::model {

JointKind spatial_constant_velocity();

}  // namespace trammel::model
