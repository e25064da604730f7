#include "trammel/model/joints/spatial/point_on_plane.h"

#include "trammel/model/joints/primitives/coordinate_rows.h"
#include "trammel/model/joints/primitives/spatial.h"

namespace trammel::model {
namespace {

void build_spatial_point_on_plane(const Values& values, JointAssembly<Spatial>& joint) {
  align_z(joint.a, vector(values, "normal"));
  align_z(joint.b, vector(values, "normal"));
  joint.add(std::make_unique<SpatialPointInPlane>(joint.a, joint.a.axes.col(2), joint.b),
            {"off plane"});
  joint.contact = unilateral_row(values, 0, 1.0);
  joint.add_coordinate("x", "m", displacement(joint, 0));
  joint.add_coordinate("y", "m", displacement(joint, 1));
  add_bryant_angles(joint);
}

}  // namespace

JointKind spatial_point_on_plane() {
  return {.name = "point_on_plane",
          .space = Space::spatial,
          .summary = "a point of the second body stays in a plane of the first",
          .fields = with_unilateral_fields(
              {Field{.name = "normal",
                     .kind = FieldKind::direction,
                     .description = "normal of the plane, in the first frame's components",
                     .fallback = Eigen::Vector3d(0, 0, 1),
                     .mirrored = Mirrored::polar}}),
          .freedoms = 5,
          .build_spatial = build_spatial_point_on_plane,
          .allows = chain_of({elementary::slide_x, elementary::slide_y, elementary::ball}),
          .mirroring = mirrored_by_fields(),
          .symbol = JointSymbol::ball};
}

}  // namespace trammel::model
