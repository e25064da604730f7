// A point of the second body stays on a straight line of the first.
#pragma once

#include "trammel/model/kinds.h"

namespace trammel::model {

JointKind planar_pin_in_slot();

}  // namespace trammel::model
