#include "trammel/model/joints/spatial/velocity_fixed.h"

#include "trammel/model/joints/primitives/coordinate_rows.h"
#include "trammel/model/joints/primitives/kept_origins.h"

namespace trammel::model {
namespace {

void build_spatial_velocity_fixed(const Values& values, JointAssembly<Spatial>& joint) {
  constexpr const char* turning[] = {"turning about x", "turning about y", "turning about z"};
  add_origin_rows(values, joint);
  for (int i = 0; i < 3; ++i) {
    add_velocity_row<Spatial>(joint, std::make_shared<RotationDirection>(joint.a.axes.col(i)),
                              turning[i]);
  }
  add_bryant_angles(joint);
}

}  // namespace

JointKind spatial_velocity_fixed() {
  return {.name = "velocity_fixed",
          .space = Space::spatial,
          .summary = "rigid joint at velocity level: the bodies keep the relative pose they have",
          .fields = {origins_field()},
          .freedoms = 0,
          .build_spatial = build_spatial_velocity_fixed,
          .allows = closes_loops_only("it forbids velocities, and leaves every position"),
          .mirroring = mirrored_by_fields(),
          .symbol = JointSymbol::ball};
}

}  // namespace trammel::model
