#include "trammel/model/joints/spatial/skate.h"

#include <cmath>

#include "trammel/model/joints/primitives/coordinate_rows.h"
#include "trammel/model/joints/primitives/skate_direction.h"

namespace trammel::model {
namespace {

void build_spatial_skate(const Values& values, JointAssembly<Spatial>& joint) {
  const Eigen::Vector3d blade = joint.b.axes * vector(values, "blade").normalized();
  align_z(joint.a, vector(values, "normal"));
  align_z(joint.b, vector(values, "normal"));
  const double across =
      CosineCoordinate(joint.a.axes.col(2), blade).value(joint.described_a, joint.described_b);
  if (std::abs(across) > 1.0 - 1e-9) {
    throw core::InputError("the blade stands upright on its plane",
                           "give 'blade' a direction along the plane");
  }
  const RelativeAngle<Spatial> heading{joint.a.node, joint.b.node, joint.a.axes.col(0),
                                       joint.a.axes.col(1), blade};
  add_row(joint, displacement(joint, 2), 0.0, "off plane");
  add_velocity_row(joint,
                   sideways<Spatial>(joint, std::make_shared<AngleCoordinate<Spatial>>(heading)),
                   "sideways");
  joint.add_coordinate("x", "m", displacement(joint, 0));
  joint.add_coordinate("y", "m", displacement(joint, 1));
  add_bryant_angles(joint);
}

}  // namespace

JointKind spatial_skate() {
  return {
      .name = "skate",
      .space = Space::spatial,
      .summary = "blade on a plane: its point moves only along the blade",
      .fields = {Field{.name = "normal",
                       .kind = FieldKind::direction,
                       .description = "normal of the plane, in the first frame's components",
                       .fallback = Eigen::Vector3d(0, 0, 1),
                       .mirrored = Mirrored::polar},
                 Field{.name = "blade",
                       .kind = FieldKind::direction,
                       .description = "direction of the blade, in the second frame's components",
                       .fallback = Eigen::Vector3d(1, 0, 0),
                       .mirrored = Mirrored::polar}},
      .freedoms = 4,
      .build_spatial = build_spatial_skate,
      .allows = closes_loops_only("it also forbids velocities, which no coordinates express"),
      .mirroring = mirrored_by_fields(),
      .symbol = JointSymbol::ball};
}

}  // namespace trammel::model
