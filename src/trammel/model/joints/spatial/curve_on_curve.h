// Two space curves, one on each body, cross each other in a point: wires that slide on each other.
//
// With A(s) the curve of the first frame, B(t) that of the second, e and R the place and the
// orientation of the second frame in the first, and the nearest points
//
//     d = e + R B(t) - A(s),   d . A' = 0,   d . R B' = 0,
//
// the row is the signed distance g = n . d along the common normal n = A' x R B' / |A' x R B'|.
// Since d = g n, its derivatives are dg/de = n and dg/dR = n B^T, exactly, and those of n, s and t
// follow from the two conditions. The curves must not be parallel where they touch.
#pragma once

#include "trammel/model/kinds.h"

namespace trammel::model {

JointKind spatial_curve_on_curve();

}  // namespace trammel::model
