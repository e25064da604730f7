// Two convex closed profiles, one on each body, touch from outside.
//
// g is the largest separation over all directions, by the support functions of both profiles
// (curves/curve_functions.h). They may slide on each other.
#pragma once

#include "trammel/model/kinds.h"

namespace trammel::model {

JointKind planar_curve_on_curve();

}  // namespace trammel::model
