// Universal joint (Hooke, Cardan): two points coincide and two axes stay perpendicular
// [Chiou1990, eq. 4.3.1].
//     g = (p_b - p_a, s_a . s_b) = 0
// s_a is fixed in a, s_b in b. angle1 turns about s_a, angle2 about s_b; both are zero when the
// frames are parallel (for perpendicular axes given in those frames; otherwise the zero positions
// are those nearest to it).
#pragma once

#include "trammel/model/kinds.h"

namespace trammel::model {

JointKind spatial_universal();

}  // namespace trammel::model
