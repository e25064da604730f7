// Beams in space whose nodes are rigid bodies: every node has half of the mass and of the rotary
// inertia of the elements beside it, and elements (reissner_beam.h) hold neighbours together.
//
// Mass: `lumped` is that of the nodes, and M is made of the blocks of bodies; frequencies are too
// low, of second order in the length of the elements. `consistent` has the mass along the bent line
// (reissner_beam.h); frequencies of bending are too high, of fourth order.
#pragma once

#include "trammel/model/flexible/flexible_kinds.h"

namespace trammel::model {

/// A plain FlexibleBody becomes a straight beam with a section that is the same about y and z.
FlexibleKind geometrically_exact();

}  // namespace trammel::model
