#include "trammel/model/joints/planar/fixed.h"

#include "trammel/model/joint_assembly.h"

namespace trammel::model {
namespace {

void build_planar_fixed(const Values& /*values*/, JointAssembly<Planar>& joint) {
  add_coincident_points(joint);
  add_fixed_angle(joint);
}

}  // namespace

JointKind planar_fixed() {
  return {.name = "fixed",
          .space = Space::planar,
          .summary = "weld: the two frames coincide",
          .fields = {},
          .freedoms = 0,
          .build_planar = build_planar_fixed,
          .allows = chain_of({}),
          .mirroring = mirrored_by_fields(),
          .symbol = JointSymbol::support};
}

}  // namespace trammel::model
