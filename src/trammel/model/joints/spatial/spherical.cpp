#include "trammel/model/joints/spatial/spherical.h"

#include "trammel/model/joint_assembly.h"

namespace trammel::model {
namespace {

void build_spatial_spherical(const Values& /*values*/, JointAssembly<Spatial>& joint) {
  add_coincident_points(joint);
  for (int i = 0; i < 3; ++i) {
    joint.add_coordinate("angle" + std::to_string(i + 1), "rad",
                         std::make_unique<BryantCoordinate>(joint.a, joint.b, i));
  }
}

}  // namespace

JointKind spatial_spherical() {
  return {.name = "spherical",
          .space = Space::spatial,
          .summary = "ball and socket: two points coincide, rotation is free",
          .fields = {},
          .freedoms = 3,
          .build_spatial = build_spatial_spherical,
          .allows = chain_of({elementary::ball}),
          .mirroring = mirrored_by_fields(),
          .symbol = JointSymbol::socket};
}

}  // namespace trammel::model
