#include "trammel/model/joints/spatial/distance.h"

#include "trammel/model/joints/primitives/rod.h"
#include "trammel/model/joints/primitives/spatial.h"

namespace trammel::model {

JointKind spatial_distance() {
  return {.name = "distance",
          .space = Space::spatial,
          .summary = "massless rod: two points keep their distance",
          .fields = rod_fields(),
          .freedoms = 5,
          .build_spatial = build_rod<Spatial, SpatialDistance>,
          .allows = closes_loops_only(
              "two angles of the rod are singular where it lies along the first axis"),
          .mirroring = mirrored_by_fields(),
          .symbol = JointSymbol::rod};
}

}  // namespace trammel::model
