// A plane of one body slides on a plane of the other.
#pragma once

#include "trammel/model/kinds.h"

namespace trammel::model {

JointKind spatial_planar();

}  // namespace trammel::model
