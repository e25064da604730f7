#include "trammel/model/joints/spatial/revolute.h"

#include "trammel/model/joint_assembly.h"

namespace trammel::model {
namespace {

void build_spatial_revolute(const Values& values, JointAssembly<Spatial>& joint) {
  align_axes(values, joint);
  add_coincident_points(joint);
  add_parallel_axes(joint);
  joint.add_coordinate("angle", "rad",
                       std::make_unique<AngleCoordinate<Spatial>>(angle_about_z(joint.a, joint.b)));
}

}  // namespace

JointKind spatial_revolute() {
  return {.name = "revolute",
          .space = Space::spatial,
          .summary = "hinge: rotation about one axis",
          .fields = {Field{.name = "axis",
                           .kind = FieldKind::direction,
                           .description = "hinge axis, in the first frame's components",
                           .fallback = Eigen::Vector3d(0, 0, 1),
                           .mirrored = Mirrored::axial},
                     Field{.name = "axis_b",
                           .kind = FieldKind::direction,
                           .description =
                               "the same axis in the second frame's components, when different",
                           .optional = true,
                           .mirrored = Mirrored::axial}},
          .freedoms = 1,
          .build_spatial = build_spatial_revolute,
          .allows = chain_of({elementary::turn_z}),
          .mirroring = mirrored_by_fields(),
          .symbol = JointSymbol::axle};
}

}  // namespace trammel::model
