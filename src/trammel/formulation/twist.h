// Twists (model/twist.h) under their short names.
#pragma once

#include "trammel/model/twist.h"

namespace trammel::formulation {

using model::cross;
using model::cross_wrench;
using model::node_map;
using model::Planar;
using model::sliding;
using model::Spatial;
using model::turn_velocity;
using model::turning;
using model::Twist;
using model::TwistMatrix;

}  // namespace trammel::formulation
