// Three angles as the coordinates of joints whose rotation is free.
#pragma once

#include "trammel/model/euler_coordinate.h"
#include "trammel/model/field.h"
#include "trammel/model/joint_assembly.h"

namespace trammel::model {

/// The key `angles`: which of the twelve sequences; Bryant angles where it is not given.
Field angles_field();

/// Coordinates angle1, angle2, angle3 of the sequence that `values` name.
void add_euler_angles(const Values& values, JointAssembly<Spatial>& joint);
void add_euler_angles(math::EulerSequence sequence, JointAssembly<Spatial>& joint);

}  // namespace trammel::model
