#include "trammel/model/joints/planar/point_on_curve.h"

#include "trammel/model/curves/curve_fields.h"
#include "trammel/model/curves/curve_functions.h"
#include "trammel/model/joints/primitives/coordinate_rows.h"

namespace trammel::model {
namespace {

void build_planar_point_on_curve(const Values& values, JointAssembly<Planar>& joint) {
  const GivenCurve<2> given = given_curve<2>(values);
  const CoordinateArray<Planar, 2> point{displacement(joint, 0), displacement(joint, 1)};
  if (given.graph) {
    const auto height = [f = given.graph->heights[0]](const Jets<2>& e) {
      const auto y = evaluated(*f, e[0].value);
      return e[1] - chain(e[0], y.value, y.first, y.second);
    };
    add_row(joint, compose<Planar, 2>(point, height), 0.0, "off curve");
    joint.add_coordinate("parameter", "m", point[0]);
  } else {
    add_row(joint, compose<Planar, 2>(point, SignedDistance{given.curve}), 0.0, "off curve");
    joint.add_coordinate("parameter", "", compose<Planar, 2>(point, FootParameter<2>{given.curve}));
  }
  joint.contact = unilateral_row(values, 0, 1.0);
  joint.add_coordinate("angle", "rad", relative_angle(joint));
}

}  // namespace

JointKind planar_point_on_curve() {
  return {.name = "point_on_curve",
          .space = Space::planar,
          .summary = "a point of the second body stays on a curve of the first",
          .fields = with_unilateral_fields(curve_fields(Space::planar)),
          .freedoms = 2,
          .build_planar = build_planar_point_on_curve,
          .allows = closes_loops_only("the way along a curve is no elementary joint"),
          .mirroring = not_mirrored("formulas and tables of a curve do not tell its mirror image"),
          .symbol = JointSymbol::follower};
}

}  // namespace trammel::model
