#include "trammel/model/joints/spatial/planar.h"

#include "trammel/model/joints/primitives/coordinate_rows.h"
#include "trammel/model/joints/primitives/spatial.h"

namespace trammel::model {
namespace {

void build_spatial_planar(const Values& values, JointAssembly<Spatial>& joint) {
  align_axes(values, joint);
  add_parallel_axes(joint);
  joint.add(std::make_unique<SpatialPointInPlane>(joint.a, joint.a.axes.col(2), joint.b),
            {"off plane"});
  joint.add_coordinate("x", "m", displacement(joint, 0));
  joint.add_coordinate("y", "m", displacement(joint, 1));
  joint.add_coordinate("angle", "rad", relative_angle(joint));
}

}  // namespace

JointKind spatial_planar() {
  return {.name = "planar",
          .space = Space::spatial,
          .summary = "plane on plane: two translations and the rotation about the normal",
          .fields = {Field{.name = "axis",
                           .kind = FieldKind::direction,
                           .description = "normal of the plane, in the first frame's components",
                           .fallback = Eigen::Vector3d(0, 0, 1),
                           .mirrored = Mirrored::axial},
                     Field{.name = "axis_b",
                           .kind = FieldKind::direction,
                           .description =
                               "the same normal in the second frame's components, when different",
                           .optional = true,
                           .mirrored = Mirrored::axial}},
          .freedoms = 3,
          .build_spatial = build_spatial_planar,
          .allows = chain_of({elementary::slide_x, elementary::slide_y, elementary::turn_z}),
          .mirroring = mirrored_by_fields(),
          .symbol = JointSymbol::ball};
}

}  // namespace trammel::model
