#include "trammel/model/joints/spatial/fixed.h"

#include "trammel/model/joint_assembly.h"

namespace trammel::model {
namespace {

void build_spatial_fixed(const Values& /*values*/, JointAssembly<Spatial>& joint) {
  add_coincident_points(joint);
  add_parallel_axes(joint);
  add_no_twist(joint);
}

}  // namespace

JointKind spatial_fixed() {
  return {.name = "fixed",
          .space = Space::spatial,
          .summary = "weld: the two frames coincide",
          .fields = {},
          .freedoms = 0,
          .build_spatial = build_spatial_fixed,
          .allows = chain_of({}),
          .mirroring = mirrored_by_fields(),
          .symbol = JointSymbol::block};
}

}  // namespace trammel::model
