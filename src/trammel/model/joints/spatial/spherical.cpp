#include "trammel/model/joints/spatial/spherical.h"

#include "trammel/model/joints/primitives/attitude_coordinates.h"

namespace trammel::model {
namespace {

void build_spatial_spherical(const Values& values, JointAssembly<Spatial>& joint) {
  add_coincident_points(joint);
  add_euler_angles(values, joint);
}

}  // namespace

JointKind spatial_spherical() {
  return {.name = "spherical",
          .space = Space::spatial,
          .summary = "ball and socket: two points coincide, rotation is free",
          .fields = {angles_field()},
          .freedoms = 3,
          .build_spatial = build_spatial_spherical,
          .allows = chain_of({elementary::ball}),
          .mirroring = mirrored_by_fields(),
          .symbol = JointSymbol::socket};
}

}  // namespace trammel::model
