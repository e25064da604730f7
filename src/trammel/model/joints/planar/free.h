// Nothing is forbidden between two bodies; the joint names coordinates of the second one against
// the first: Cartesian or polar.
#pragma once

#include "trammel/model/kinds.h"

namespace trammel::model {

JointKind planar_free();

}  // namespace trammel::model
