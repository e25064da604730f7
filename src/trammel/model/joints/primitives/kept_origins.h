// What a rigid joint at velocity level says of the origins of its frames:
//     kept      (R_A^T (p_b - p_a))' = 0, nonholonomic rows: they stay where they are
//     coincide  p_b - p_a = 0, holonomic rows                          [Chiou1990, (4.6.1)-(4.6.3)]
#pragma once

#include "trammel/model/field.h"
#include "trammel/model/joints/primitives/coordinate_rows.h"

namespace trammel::model {

inline Field origins_field() {
  return {.name = "origins",
          .kind = FieldKind::choice,
          .description =
              "of the frames: kept where they are by rows of velocities, or made to "
              "coincide by rows of positions; the rotation is kept by rates in both",
          .fallback = std::string("kept"),
          .choices = {"kept", "coincide"}};
}

/// And the coordinates of what is kept.
template <class S>
void add_origin_rows(const Values& values, JointAssembly<S>& joint) {
  if (text(values, "origins") == "coincide") {
    add_coincident_points(joint);
    return;
  }
  constexpr const char* labels[] = {"velocity x", "velocity y", "velocity z"};
  constexpr const char* names[] = {"x", "y", "z"};
  for (int i = 0; i < S::dimension; ++i) {
    add_velocity_row<S>(joint, displacement(joint, i), labels[i]);
    joint.add_coordinate(names[i], "m", displacement(joint, i));
  }
}

}  // namespace trammel::model
