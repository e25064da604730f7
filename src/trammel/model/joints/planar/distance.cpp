#include "trammel/model/joints/planar/distance.h"

#include "trammel/model/joints/primitives/planar.h"
#include "trammel/model/joints/primitives/rod.h"

namespace trammel::model {

JointKind planar_distance() {
  return {.name = "distance",
          .space = Space::planar,
          .summary = "massless rod: two points keep their distance",
          .fields = rod_fields(),
          .freedoms = 2,
          .build_planar = build_rod<Planar, PlanarDistance>};
}

}  // namespace trammel::model
