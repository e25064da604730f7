#include "trammel/model/joints/spatial/point_on_curve.h"

#include "trammel/model/curves/curve_fields.h"
#include "trammel/model/curves/curve_functions.h"
#include "trammel/model/joints/primitives/coordinate_rows.h"

namespace trammel::model {
namespace {

void build_spatial_point_on_curve(const Values& values, JointAssembly<Spatial>& joint) {
  const GivenCurve<3> given = given_curve<3>(values);
  const CoordinateArray<Spatial, 3> point{displacement(joint, 0), displacement(joint, 1),
                                          displacement(joint, 2)};
  if (given.graph) {
    for (std::size_t i = 0; i < 2; ++i) {
      const auto height = [f = given.graph->heights[i]](const Jets<2>& e) {
        const auto y = evaluated(*f, e[0].value);
        return e[1] - chain(e[0], y.value, y.first, y.second);
      };
      add_row(joint, compose<Spatial, 2>({point[0], point[i + 1]}, height), 0.0,
              i == 0 ? "off curve 1" : "off curve 2");
    }
    joint.add_coordinate("parameter", "m", point[0]);
  } else {
    const Eigen::Matrix3d axes = best_reference(*given.curve);
    for (int i = 1; i < 3; ++i) {
      add_row(joint,
              compose<Spatial, 3>(point, NormalDistance{given.curve, axes.col(0), axes.col(i)}),
              0.0, i == 1 ? "off curve 1" : "off curve 2");
    }
    joint.add_coordinate("parameter", "",
                         compose<Spatial, 3>(point, FootParameter<3>{given.curve}));
  }
  add_bryant_angles(joint);
}

}  // namespace

JointKind spatial_point_on_curve() {
  return {.name = "point_on_curve",
          .space = Space::spatial,
          .summary = "a point of the second body stays on a curve of the first",
          .fields = curve_fields(Space::spatial),
          .freedoms = 4,
          .build_spatial = build_spatial_point_on_curve,
          .allows = closes_loops_only("the way along a curve is no elementary joint"),
          .mirroring = not_mirrored("formulas and tables of a curve do not tell its mirror image"),
          .symbol = JointSymbol::bead};
}

}  // namespace trammel::model
