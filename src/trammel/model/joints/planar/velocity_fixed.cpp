#include "trammel/model/joints/planar/velocity_fixed.h"

#include "trammel/model/joints/primitives/coordinate_rows.h"
#include "trammel/model/joints/primitives/kept_origins.h"

namespace trammel::model {
namespace {

void build_planar_velocity_fixed(const Values& values, JointAssembly<Planar>& joint) {
  add_origin_rows(values, joint);
  add_velocity_row<Planar>(joint, relative_angle(joint), "turning");
  joint.add_coordinate("angle", "rad", relative_angle(joint));
}

}  // namespace

JointKind planar_velocity_fixed() {
  return {.name = "velocity_fixed",
          .space = Space::planar,
          .summary = "rigid joint at velocity level: the bodies keep the relative pose they have",
          .fields = {origins_field()},
          .freedoms = 0,
          .build_planar = build_planar_velocity_fixed,
          .allows = closes_loops_only("it forbids velocities, and leaves every position"),
          .mirroring = mirrored_by_fields(),
          .symbol = JointSymbol::pin};
}

}  // namespace trammel::model
