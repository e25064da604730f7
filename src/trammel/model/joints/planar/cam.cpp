#include "trammel/model/joints/planar/cam.h"

#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include "trammel/model/curves/curve_fields.h"
#include "trammel/model/curves/curve_functions.h"
#include "trammel/model/joints/primitives/coordinate_rows.h"

namespace trammel::model {
namespace {

void build_roller(const Values& values, JointAssembly<Planar>& joint) {
  const CurvePointer<2> profile = given_profile(values);
  const double radius = number(values, "roller_radius");
  const double hollow = -smallest_curvature(*profile);
  if (hollow * radius >= 1.0) {
    throw core::InputError(
        fmt::format("the roller's radius of {:g} m does not fit into the hollow of the cam, whose "
                    "radius is {:.4g} m",
                    radius, 1.0 / hollow),
        "make the roller smaller or the profile flatter");
  }
  const CoordinateArray<Planar, 2> center{displacement(joint, 0), displacement(joint, 1)};
  // The profile runs counterclockwise: its outside is on the right.
  const auto gap = [distance = SignedDistance{profile}](const Jets<2>& e) {
    return -1.0 * distance(e);
  };
  add_row(joint, compose<Planar, 2>(center, gap), radius, "contact");
  joint.contact = contact_row(values, 0, 1.0);
  const CoordinatePointer<Planar> angle = relative_angle(joint);
  joint.add_coordinate("contact_angle", "rad",
                       compose<Planar, 2>(center, FootParameter<2>{profile}, true));
  joint.add_coordinate("angle", "rad", angle);
  joint.add_output("normal_angle", "rad", compose<Planar, 2>(center, NormalAngle{profile}));
  joint.add_output("curvature", "1/m", compose<Planar, 2>(center, FootCurvature{profile}));
  // Velocity of the roller's material past that of the cam, along the tangent.
  const auto weights = [normal = NormalAngle{profile}, radius](const Jets<2>& e) {
    const Jet<2> alpha = normal(e);
    return std::array<Jet<2>, 3>{-1.0 * sin(alpha), cos(alpha), Jet<2>(-radius)};
  };
  joint.add_rate("slip", "m/s",
                 compose_direction<Planar, 3, 2>({center[0], center[1], angle}, center, weights));
}

void build_flat(const Values& values, JointAssembly<Planar>& joint) {
  const CurvePointer<2> profile = given_profile(values);
  if (const double smallest = smallest_curvature(*profile); !(smallest > 0.0)) {
    throw core::InputError(
        fmt::format("the cam is not convex (curvature {:.4g} 1/m): a flat face bridges its hollow",
                    smallest),
        "make the profile convex everywhere, or use a cam_roller");
  }
  align_x(joint.b, vector(values, "face"));
  const CoordinatePointer<Planar> angle = relative_angle(joint);
  // n is the face turned by +90 degrees.
  const auto normal = compose<Planar, 1>(
      {angle}, [](const Jets<1>& phi) { return phi[0] + Jet<1>(0.5 * std::numbers::pi); });
  const CoordinateArray<Planar, 3> place{displacement(joint, 0), displacement(joint, 1), normal};
  add_row(joint, compose<Planar, 3>(place, FaceGap{profile}), 0.0, "contact");
  joint.contact = contact_row(values, 0, 1.0);
  const auto slide = [](const Jets<3>& x) { return sin(x[2]) * x[0] - cos(x[2]) * x[1]; };
  joint.add_coordinate("angle", "rad", angle);
  joint.add_coordinate("slide", "m", compose<Planar, 3>(place, slide));
}

std::vector<Field> fields_with(Field field) {
  std::vector<Field> fields = profile_fields();
  fields.push_back(std::move(field));
  return with_unilateral_fields(std::move(fields));
}

}  // namespace

JointKind planar_cam_roller() {
  return {.name = "cam_roller",
          .space = Space::planar,
          .summary = "a roller of the second body runs on a cam of the first",
          .fields = fields_with({.name = "roller_radius",
                                 .dimension = core::dimension::length,
                                 .description = "about the second frame's origin; 0: a knife edge",
                                 .fallback = 0.0,
                                 .sign = Sign::non_negative}),
          .freedoms = 2,
          .build_planar = build_roller,
          .allows = closes_loops_only("the point of contact moves on both bodies"),
          .mirroring = not_mirrored("formulas and tables of a curve do not tell its mirror image"),
          .symbol = JointSymbol::roller_on_cam};
}

JointKind planar_cam_flat() {
  return {.name = "cam_flat",
          .space = Space::planar,
          .summary = "a flat face of the second body rests on a convex cam of the first",
          .fields =
              fields_with({.name = "face",
                           .kind = FieldKind::direction,
                           .description = "direction along the face, with the cam on its right, in "
                                          "the second frame's components",
                           .fallback = Eigen::Vector3d(1, 0, 0)}),
          .freedoms = 2,
          .build_planar = build_flat,
          .allows = closes_loops_only("the point of contact moves on both bodies"),
          .mirroring = not_mirrored("formulas and tables of a curve do not tell its mirror image"),
          .symbol = JointSymbol::face_on_cam};
}

}  // namespace trammel::model
