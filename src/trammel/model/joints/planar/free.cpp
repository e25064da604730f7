#include "trammel/model/joints/planar/free.h"

#include "trammel/model/joints/primitives/coordinate_rows.h"
#include "trammel/model/joints/primitives/position_coordinates.h"

namespace trammel::model {
namespace {

void build(const Values& values, JointAssembly<Planar>& joint) {
  const CoordinatePointer<Planar> x = displacement(joint, 0);
  const CoordinatePointer<Planar> y = displacement(joint, 1);
  if (text(values, "position") == "cartesian") {
    joint.add_coordinate("x", "m", x);
    joint.add_coordinate("y", "m", y);
  } else {
    joint.add_coordinate("azimuth", "rad", azimuth<Planar>({x, y}));
    joint.add_coordinate("radius", "m", radius<Planar, 2>({x, y}));
  }
  joint.add_coordinate("angle", "rad", relative_angle(joint));
}

}  // namespace

JointKind planar_free() {
  return {.name = "free",
          .space = Space::planar,
          .summary = "no constraint: coordinates of the second body against the first",
          .fields = {Field{.name = "position",
                           .kind = FieldKind::choice,
                           .description = "coordinates of the second frame's origin",
                           .fallback = std::string("cartesian"),
                           .choices = {"cartesian", "polar"}}},
          .freedoms = Planar::freedoms,
          .build_planar = build};
}

}  // namespace trammel::model
