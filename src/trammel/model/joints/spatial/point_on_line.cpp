#include "trammel/model/joints/spatial/point_on_line.h"

#include "trammel/model/joints/primitives/coordinate_rows.h"

namespace trammel::model {
namespace {

void build_spatial_point_on_line(const Values& values, JointAssembly<Spatial>& joint) {
  align_z(joint.a, vector(values, "axis"));
  align_z(joint.b, vector(values, "axis"));
  add_point_on_axis(joint);
  joint.add_coordinate("displacement", "m", displacement(joint, 2));
  add_bryant_angles(joint);
}

}  // namespace

JointKind spatial_point_on_line() {
  return {.name = "point_on_line",
          .space = Space::spatial,
          .summary = "a point of the second body stays on a straight line of the first",
          .fields = {Field{.name = "axis",
                           .kind = FieldKind::direction,
                           .description = "direction of the line, in the first frame's components",
                           .fallback = Eigen::Vector3d(0, 0, 1),
                           .mirrored = Mirrored::polar}},
          .freedoms = 4,
          .build_spatial = build_spatial_point_on_line,
          .allows = chain_of({elementary::slide_z, elementary::ball}),
          .mirroring = mirrored_by_fields(),
          .symbol = JointSymbol::ball};
}

}  // namespace trammel::model
