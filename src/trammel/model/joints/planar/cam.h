// A cam (closed profile r(angle) of the first body) touched by a follower (second body).
//
// Roller of radius rho about the second frame's origin: g = distance of it from the profile - rho.
// Flat face through the second frame's origin: g = n . d - h(psi), h the profile's support
// function.
#pragma once

#include "trammel/model/kinds.h"

namespace trammel::model {

JointKind planar_cam_roller();
JointKind planar_cam_flat();

}  // namespace trammel::model
