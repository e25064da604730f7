#include "trammel/model/joints/primitives/attitude_coordinates.h"

namespace trammel::model {

Field angles_field() {
  return {.name = "angles",
          .kind = FieldKind::choice,
          .description =
              "axes of the three turns from the first frame to the second, about axes "
              "that move along: `zxz` are Euler angles, `xyz` Bryant (Cardan) angles",
          .fallback = std::string("xyz"),
          .choices = euler_sequence_names()};
}

void add_euler_angles(math::EulerSequence sequence, JointAssembly<Spatial>& joint) {
  for (int i = 0; i < 3; ++i) {
    joint.add_coordinate("angle" + std::to_string(i + 1), "rad",
                         std::make_unique<EulerCoordinate>(joint.a, joint.b, sequence, i));
  }
}

void add_euler_angles(const Values& values, JointAssembly<Spatial>& joint) {
  // Joints that stand for a connection say nothing of their angles.
  add_euler_angles(values.contains("angles") ? math::EulerSequence::parse(text(values, "angles"))
                                             : math::EulerSequence::bryant_xyz(),
                   joint);
}

}  // namespace trammel::model
