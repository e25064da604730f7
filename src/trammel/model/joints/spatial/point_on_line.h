// A point of the second body stays on a line of the first.
#pragma once

#include "trammel/model/kinds.h"

namespace trammel::model {

JointKind spatial_point_on_line();

}  // namespace trammel::model
