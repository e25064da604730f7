// A nut on a screw: translation along an axis in proportion to the rotation about it.
//
// g = (s - s_0) - pitch/(2 pi) (phi - phi_0), s_0 and phi_0 those of the described configuration.
// The relation itself tells the number of whole turns of phi: the one nearest to s. So the row
// needs no memory of the motion, as long as s is not wrong by half a pitch.
#pragma once

#include "trammel/model/kinds.h"

namespace trammel::model {

JointKind spatial_screw();

}  // namespace trammel::model
