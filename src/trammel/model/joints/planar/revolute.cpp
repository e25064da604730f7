#include "trammel/model/joints/planar/revolute.h"

#include "trammel/model/joint_assembly.h"

namespace trammel::model {
namespace {

void build_planar_revolute(const Values& /*values*/, JointAssembly<Planar>& joint) {
  add_coincident_points(joint);
  joint.add_coordinate("angle", "rad",
                       std::make_unique<AngleCoordinate<Planar>>(angle_about_z(joint.a, joint.b)));
}

}  // namespace

JointKind planar_revolute() {
  return {.name = "revolute",
          .space = Space::planar,
          .summary = "pin: two points coincide, rotation is free",
          .fields = {},
          .freedoms = 1,
          .build_planar = build_planar_revolute,
          .allows = chain_of({elementary::turn_z}),
          .mirroring = mirrored_by_fields(),
          .symbol = JointSymbol::pin};
}

}  // namespace trammel::model
