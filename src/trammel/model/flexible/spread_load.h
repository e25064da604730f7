// Loads along bodies that bend, as elements on the freedoms of the body's own.
//
//     f = integral of P^T p dx,     p = c(t) (p_from + (p_to - p_from) s)
//
// p is a force for each metre (N/m) in world axes, or in axes of the section, which it then
// follows; s goes from 0 to 1 over the loaded length; c is a formula of time; P is the map of the
// frame at a point of the centre line (frames/carried_frame.h), so that every formulation has its
// own consistent load. Five points of Gauss in each element are exact for loads in world axes.
#pragma once

#include "trammel/model/flexible/flexible_kinds.h"

namespace trammel::model {

/// Adds the loads of the body, which is built already.
void add_spread_loads(const FlexibleBody& body, const FlexibleKind& kind, Description& description);

}  // namespace trammel::model
