#include "trammel/model/joints/planar/distance.h"

#include "trammel/model/elementary_joint.h"
#include "trammel/model/joints/primitives/planar.h"
#include "trammel/model/joints/primitives/rod.h"

namespace trammel::model {

namespace {

// A rod that turns on both bodies.
void arrange_planar_distance(JointPlace<Planar>& place, ElementaryChain<Planar>& chain) {
  chain.joints[1].before.p.x() =
      has(place.values, "length") ? number(place.values, "length") : place.described().p.norm();
}

}  // namespace

JointKind planar_distance() {
  return {.name = "distance",
          .space = Space::planar,
          .summary = "massless rod: two points keep their distance",
          .fields = rod_fields(),
          .freedoms = 2,
          .build_planar = build_rod<Planar, PlanarDistance>,
          .allows = chain_of({elementary::turn_z, elementary::turn_z}, arrange_planar_distance),
          .mirroring = mirrored_by_fields(),
          .symbol = JointSymbol::rod};
}

}  // namespace trammel::model
