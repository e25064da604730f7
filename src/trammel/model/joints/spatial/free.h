// Nothing is forbidden between two bodies; the joint names coordinates of the second one against
// the first: Cartesian, cylindrical or spherical for the position, Bryant angles for the
// orientation.
#pragma once

#include "trammel/model/kinds.h"

namespace trammel::model {

JointKind spatial_free();

}  // namespace trammel::model
