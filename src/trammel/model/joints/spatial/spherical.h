// Spherical joint (ball and socket): two points coincide [Chiou1990, eq. 4.2.1].
//     g = p_b - p_a = 0
// Its coordinates are three angles of frame b against frame a, Bryant angles or any other sequence.
#pragma once

#include "trammel/model/kinds.h"

namespace trammel::model {

JointKind spatial_spherical();

}  // namespace trammel::model
