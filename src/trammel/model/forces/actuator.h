// Forces written as formulas.
//     actuator       F along a coordinate: a motor torque, a cylinder force, a controller
//     general_force  components between two frames along the axes of the first one
#pragma once

#include "trammel/model/kinds.h"

namespace trammel::model {

ForceKind planar_actuator();
ForceKind spatial_actuator();
ForceKind planar_general_force();
ForceKind spatial_general_force();

}  // namespace trammel::model
