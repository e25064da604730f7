#include "trammel/model/joints/planar/skate.h"

#include "trammel/model/joints/primitives/skate_direction.h"

namespace trammel::model {
namespace {

void build_planar_skate(const Values& values, JointAssembly<Planar>& joint) {
  const NodeFrame<Planar> frame_b = joint.b;
  align_x(joint.b, vector(values, "blade"));
  add_velocity_row(joint, sideways<Planar>(joint, relative_angle(joint)), "sideways");
  joint.b = frame_b;
  joint.add_coordinate("x", "m", displacement(joint, 0));
  joint.add_coordinate("y", "m", displacement(joint, 1));
  joint.add_coordinate("angle", "rad", relative_angle(joint));
}

}  // namespace

JointKind planar_skate() {
  return {
      .name = "skate",
      .space = Space::planar,
      .summary = "blade or wheel: its point moves only along a direction of the second body",
      .fields = {Field{.name = "blade",
                       .kind = FieldKind::direction,
                       .description = "direction of the blade, in the second frame's components",
                       .fallback = Eigen::Vector3d(1, 0, 0),
                       .mirrored = Mirrored::polar}},
      .freedoms = 2,
      .build_planar = build_planar_skate,
      .allows = closes_loops_only("it forbids velocities, and leaves every position"),
      .mirroring = mirrored_by_fields(),
      .symbol = JointSymbol::pin};
}

}  // namespace trammel::model
