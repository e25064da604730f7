// A point of the second body stays in a plane of the first.
#pragma once

#include "trammel/model/kinds.h"

namespace trammel::model {

JointKind spatial_point_on_plane();

}  // namespace trammel::model
