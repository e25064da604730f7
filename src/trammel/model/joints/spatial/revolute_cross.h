// The revolute joint with s_a x s_b = 0 for its axis instead of two perpendicularities.
//
// Of the three rows two are independent [Chiou1990, sec. 4.4]. Taken along the axes of frame a, row
// i is (e_i x n) . s_b with the joint's axis n fixed there, so that the best choice is the same at
// all times: leave out the row of the largest component of n.
#pragma once

#include "trammel/model/kinds.h"

namespace trammel::model {

JointKind spatial_revolute_cross();

}  // namespace trammel::model
