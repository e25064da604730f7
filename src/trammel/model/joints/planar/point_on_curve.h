// A point of the second body stays on a curve of the first.
//
// Graph y = f(x): g = y - f(x). Parametric or through points: g is the distance from the curve,
// positive on its left; the parameter is that of the foot of the point on the curve
// (curves/curve.h).
#pragma once

#include "trammel/model/kinds.h"

namespace trammel::model {

JointKind planar_point_on_curve();

}  // namespace trammel::model
