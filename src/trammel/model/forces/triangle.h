// A triangle of elastic sheet between three points: constant strain, plane stress or plane strain.
//
// With N1 in the origin and N2 on the first axis of a frame that moves with the sheet, N3 = (x3,
// y3) follows from the lengths a = |N1 N2|, b = |N1 N3|, c = |N2 N3| of its sides:
//     x3 = (a^2 + b^2 - c^2)/(2 a),   y3 = sqrt(b^2 - x3^2)
//     eps = (a - l1, y3 - l2, x3 - l3),   U = eps^T K eps/2              [Sol1983, (3.4.20-22)]
//     K = (t l1 l2/2) B^T D B,   B = [1/l1 0 0; 0 1/l2 0; -l3/(l1 l2) 0 1/l2]
// with l1, (l3, l2) the same of the unloaded sheet and t its thickness. The tensions in the sides,
// -dU/da and so on, act along them, so that forces balance whatever the motion; small strains, any
// rotation. The element works in space as well: a sheet that bends at its edges.
#pragma once

#include "trammel/model/kinds.h"

namespace trammel::model {

ForceKind triangle(Space space);

}  // namespace trammel::model
