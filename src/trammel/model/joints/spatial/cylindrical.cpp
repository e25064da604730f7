#include "trammel/model/joints/spatial/cylindrical.h"

#include "trammel/model/joint_assembly.h"

namespace trammel::model {
namespace {

void build_spatial_cylindrical(const Values& values, JointAssembly<Spatial>& joint) {
  align_axes(values, joint);
  add_parallel_axes(joint);
  add_point_on_axis(joint);
  joint.add_coordinate("angle", "rad",
                       std::make_unique<AngleCoordinate<Spatial>>(angle_about_z(joint.a, joint.b)));
  joint.add_coordinate(
      "displacement", "m",
      std::make_unique<DisplacementCoordinate<Spatial>>(joint.points(), joint.a.axes.col(2)));
}

}  // namespace

JointKind spatial_cylindrical() {
  return {.name = "cylindrical",
          .space = Space::spatial,
          .summary = "translation along and rotation about one axis",
          .fields = {Field{.name = "axis",
                           .kind = FieldKind::direction,
                           .description = "joint axis, in the first frame's components",
                           .fallback = Eigen::Vector3d(0, 0, 1),
                           .mirrored = Mirrored::axial},
                     Field{.name = "axis_b",
                           .kind = FieldKind::direction,
                           .description =
                               "the same axis in the second frame's components, when different",
                           .optional = true,
                           .mirrored = Mirrored::axial}},
          .freedoms = 2,
          .build_spatial = build_spatial_cylindrical,
          .allows = chain_of({elementary::slide_z, elementary::turn_z}),
          .mirroring = mirrored_by_fields(),
          .symbol = JointSymbol::sleeve};
}

}  // namespace trammel::model
