#include "trammel/model/joints/spatial/free.h"

#include "trammel/model/joints/primitives/attitude_coordinates.h"
#include "trammel/model/joints/primitives/coordinate_rows.h"
#include "trammel/model/joints/primitives/position_coordinates.h"

namespace trammel::model {
namespace {

CoordinatePointer<Spatial> elevation(const CoordinateArray<Spatial, 3>& xyz) {
  return compose<Spatial, 3>(
      xyz, [](const Jets<3>& c) { return atan2(c[2], sqrt(c[0] * c[0] + c[1] * c[1])); });
}

void build_spatial_free(const Values& values, JointAssembly<Spatial>& joint) {
  const CoordinateArray<Spatial, 3> xyz{displacement(joint, 0), displacement(joint, 1),
                                        displacement(joint, 2)};
  const std::string& position = text(values, "position");
  if (position == "cartesian") {
    joint.add_coordinate("x", "m", xyz[0]);
    joint.add_coordinate("y", "m", xyz[1]);
    joint.add_coordinate("z", "m", xyz[2]);
  } else if (position == "cylindrical") {
    joint.add_coordinate("azimuth", "rad", azimuth<Spatial>({xyz[0], xyz[1]}));
    joint.add_coordinate("radius", "m", radius<Spatial, 2>({xyz[0], xyz[1]}));
    joint.add_coordinate("z", "m", xyz[2]);
  } else if (position == "formulas") {
    add_user_position<Spatial>(values, xyz, joint);
  } else {
    joint.add_coordinate("radius", "m", radius<Spatial, 3>(xyz));
    joint.add_coordinate("azimuth", "rad", azimuth<Spatial>({xyz[0], xyz[1]}));
    joint.add_coordinate("elevation", "rad", elevation(xyz));
  }
  add_euler_angles(values, joint);
}

}  // namespace

JointKind spatial_free() {
  std::vector<Field> fields{
      Field{.name = "position",
            .kind = FieldKind::choice,
            .description = "coordinates of the second frame's origin; poles lie on the z axis of "
                           "the first frame",
            .fallback = std::string("cartesian"),
            .choices = {"cartesian", "cylindrical", "spherical", "formulas"}}};
  fields.push_back(angles_field());
  for (Field& field : user_position_fields(Space::spatial)) fields.push_back(std::move(field));
  return {.name = "free",
          .space = Space::spatial,
          .summary = "no constraint: coordinates of the second body against the first",
          .fields = std::move(fields),
          .freedoms = Spatial::freedoms,
          .build_spatial = build_spatial_free,
          .allows = chain_of(
              {elementary::slide_x, elementary::slide_y, elementary::slide_z, elementary::ball},
              arrange_free<Spatial>),
          .mirroring = not_mirrored("its coordinates count along axes of the first frame, some of "
                                    "which the mirror reverses"),
          .symbol = JointSymbol::none};
}

}  // namespace trammel::model
