#include "trammel/model/joints/planar/pin_in_slot.h"

#include "trammel/model/joints/primitives/coordinate_rows.h"
#include "trammel/model/joints/primitives/planar.h"

namespace trammel::model {
namespace {

void build_planar_pin_in_slot(const Values& values, JointAssembly<Planar>& joint) {
  align_x(joint.a, vector(values, "axis"));
  align_x(joint.b, vector(values, "axis"));
  joint.add(std::make_unique<PlanarPointOnLine>(joint.a, joint.a.axes.col(1), joint.b),
            {"off slot"});
  joint.add_coordinate("displacement", "m", displacement(joint, 0));
  joint.add_coordinate("angle", "rad", relative_angle(joint));
}

}  // namespace

JointKind planar_pin_in_slot() {
  return {.name = "pin_in_slot",
          .space = Space::planar,
          .summary = "a pin of the second body in a straight slot of the first",
          .fields = {Field{.name = "axis",
                           .kind = FieldKind::direction,
                           .description = "direction of the slot, in the first frame's components",
                           .fallback = Eigen::Vector3d(1, 0, 0),
                           .mirrored = Mirrored::polar}},
          .freedoms = 2,
          .build_planar = build_planar_pin_in_slot,
          .allows = chain_of({elementary::slide_x, elementary::turn_z}),
          .mirroring = mirrored_by_fields(),
          .symbol = JointSymbol::slot};
}

}  // namespace trammel::model
