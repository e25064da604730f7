#include "trammel/model/joints/planar/free.h"

#include "trammel/model/joints/primitives/coordinate_rows.h"
#include "trammel/model/joints/primitives/position_coordinates.h"

namespace trammel::model {
namespace {

void build_planar_free(const Values& values, JointAssembly<Planar>& joint) {
  const CoordinatePointer<Planar> x = displacement(joint, 0);
  const CoordinatePointer<Planar> y = displacement(joint, 1);
  const std::string& position = text(values, "position");
  if (position == "cartesian") {
    joint.add_coordinate("x", "m", x);
    joint.add_coordinate("y", "m", y);
  } else if (position == "formulas") {
    add_user_position<Planar>(values, {x, y}, joint);
  } else {
    joint.add_coordinate("azimuth", "rad", azimuth<Planar>({x, y}));
    joint.add_coordinate("radius", "m", radius<Planar, 2>({x, y}));
  }
  joint.add_coordinate("angle", "rad", relative_angle(joint));
}

}  // namespace

JointKind planar_free() {
  std::vector<Field> fields{Field{.name = "position",
                                  .kind = FieldKind::choice,
                                  .description = "coordinates of the second frame's origin",
                                  .fallback = std::string("cartesian"),
                                  .choices = {"cartesian", "polar", "formulas"}}};
  for (Field& field : user_position_fields(Space::planar)) fields.push_back(std::move(field));
  return {.name = "free",
          .space = Space::planar,
          .summary = "no constraint: coordinates of the second body against the first",
          .fields = std::move(fields),
          .freedoms = Planar::freedoms,
          .build_planar = build_planar_free,
          .allows = chain_of({elementary::slide_x, elementary::slide_y, elementary::turn_z},
                             arrange_free<Planar>),
          .mirroring = not_mirrored("its coordinates count along axes of the first frame, some of "
                                    "which the mirror reverses"),
          .symbol = JointSymbol::none};
}

}  // namespace trammel::model
