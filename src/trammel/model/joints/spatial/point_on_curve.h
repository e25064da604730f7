// A point of the second body stays on a curve of the first.
//
// Graph y = f(x), z = g(x): rows y - f(x) and z - g(x). Parametric or through points: the distances
// from the curve along two directions across it (curves/curve_functions.h).
#pragma once

#include "trammel/model/kinds.h"

namespace trammel::model {

JointKind spatial_point_on_curve();

}  // namespace trammel::model
