#include "trammel/model/joints/planar/curve_on_curve.h"

#include <fmt/format.h>

#include "trammel/model/curves/curve_fields.h"
#include "trammel/model/curves/curve_functions.h"
#include "trammel/model/joints/primitives/coordinate_rows.h"

namespace trammel::model {
namespace {

CurvePointer<2> convex_profile(const Values& values, const std::string& suffix) {
  const CurvePointer<2> profile = given_profile(values, suffix);
  const double smallest = smallest_curvature(*profile);
  if (!(smallest > 0.0)) {
    throw core::InputError(
        fmt::format("'profile{}' is not convex (curvature {:.4g} 1/m): it may touch in two points",
                    suffix, smallest),
        "make both profiles convex everywhere");
  }
  return profile;
}

void build_planar_curve_on_curve(const Values& values, JointAssembly<Planar>& joint) {
  const ProfileGap gap(convex_profile(values, ""), convex_profile(values, "_b"));
  const CoordinatePointer<Planar> x = displacement(joint, 0);
  const CoordinatePointer<Planar> y = displacement(joint, 1);
  const CoordinatePointer<Planar> angle = relative_angle(joint);
  add_row(joint, compose<Planar, 3>({x, y, angle}, gap), 0.0, "contact");
  joint.contact = contact_row(values, 0, 1.0);
  const auto direction = [](const Jets<2>& d) { return atan2(d[1], d[0]); };
  joint.add_coordinate("center_angle", "rad", compose<Planar, 2>({x, y}, direction, true));
  joint.add_coordinate("angle", "rad", angle);
}

std::vector<Field> planar_curve_fields() {
  std::vector<Field> list = profile_fields();
  for (Field& field : profile_fields("_b")) list.push_back(std::move(field));
  return with_unilateral_fields(std::move(list));
}

}  // namespace

JointKind planar_curve_on_curve() {
  return {.name = "curve_on_curve",
          .space = Space::planar,
          .summary = "two convex profiles touch and slide on each other",
          .fields = planar_curve_fields(),
          .freedoms = 2,
          .build_planar = build_planar_curve_on_curve,
          .allows = closes_loops_only("the point of contact moves on both bodies"),
          .mirroring = not_mirrored("formulas and tables of a curve do not tell its mirror image"),
          .symbol = JointSymbol::profiles};
}

}  // namespace trammel::model
