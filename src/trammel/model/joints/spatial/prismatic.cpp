#include "trammel/model/joints/spatial/prismatic.h"

#include "trammel/model/joint_assembly.h"

namespace trammel::model {
namespace {

void build_spatial_prismatic(const Values& values, JointAssembly<Spatial>& joint) {
  align_axes(values, joint);
  add_parallel_axes(joint);
  add_point_on_axis(joint);
  add_no_twist(joint);
  joint.add_coordinate(
      "displacement", "m",
      std::make_unique<DisplacementCoordinate<Spatial>>(joint.points(), joint.a.axes.col(2)));
}

}  // namespace

JointKind spatial_prismatic() {
  return {.name = "prismatic",
          .space = Space::spatial,
          .summary = "slider: translation along one axis, no rotation",
          .fields = {Field{.name = "axis",
                           .kind = FieldKind::direction,
                           .description = "sliding axis, in the first frame's components",
                           .fallback = Eigen::Vector3d(0, 0, 1),
                           .mirrored = Mirrored::polar},
                     Field{.name = "axis_b",
                           .kind = FieldKind::direction,
                           .description =
                               "the same axis in the second frame's components, when different",
                           .optional = true,
                           .mirrored = Mirrored::polar}},
          .freedoms = 1,
          .build_spatial = build_spatial_prismatic,
          .allows = chain_of({elementary::slide_z}),
          .mirroring = mirrored_without_axis_b(),
          .symbol = JointSymbol::guide};
}

}  // namespace trammel::model
