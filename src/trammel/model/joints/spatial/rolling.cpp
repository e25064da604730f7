#include "trammel/model/joints/spatial/rolling.h"

#include <cmath>

#include "trammel/model/joints/primitives/coordinate_rows.h"

namespace trammel::model {
namespace {

struct Sizes {
  double disc = 0.0;  ///< R: the circle of the rim's middle
  double rim = 0.0;   ///< r: its rounding
};

// Turns both frames so that z is the plane's normal; reports where the centre is.
void add_place(const Values& values, JointAssembly<Spatial>& joint) {
  align_z(joint.a, vector(values, "normal"));
  align_z(joint.b, vector(values, "normal"));
  joint.add_coordinate("x", "m", displacement(joint, 0));
  joint.add_coordinate("y", "m", displacement(joint, 1));
  add_bryant_angles(joint);
}

DirectionPointer<Spatial> rotation(const JointAssembly<Spatial>& joint, int i) {
  return std::make_shared<RotationDirection>(joint.a.axes.col(i));
}

// x' - r w_y = 0, y' + r w_x = 0.
void build_spatial_sphere(const Values& values, JointAssembly<Spatial>& joint) {
  const double radius = number(values, "radius");
  add_place(values, joint);
  add_row(joint, displacement(joint, 2), radius, "contact");
  for (int i = 0; i < 2; ++i) {
    const double arm = i == 0 ? -radius : radius;
    const auto slip = [arm](const Jets<1>&) { return std::array<Jet<1>, 2>{1.0, arm}; };
    add_velocity_row(
        joint,
        compose_direction<Spatial, 2, 1>({displacement(joint, i), rotation(joint, 1 - i)},
                                         {displacement(joint, 2)}, slip),
        i == 0 ? "slip along x" : "slip along y");
  }
}

// With n the axle in axes of a and k = sqrt(1 - c^2):
//     x' - (R k + r) w_y - R c n_y / k w_z = 0,      y' + (R k + r) w_x + R c n_x / k w_z = 0.
void add_rolling(JointAssembly<Spatial>& joint, const Eigen::Vector3d& axle, const Sizes& sizes) {
  const auto cosine = [&](int i) {
    return std::make_shared<CosineCoordinate>(joint.a.axes.col(i), axle);
  };
  const auto height = [sizes](const Jets<2>& x) {
    return x[0] - sizes.disc * sqrt(Jet<2>(1.0) - x[1] * x[1]);
  };
  add_row(joint, compose<Spatial, 2>({displacement(joint, 2), cosine(2)}, height), sizes.rim,
          "contact");
  for (int i = 0; i < 2; ++i) {
    const double sign = i == 0 ? -1.0 : 1.0;
    const auto slip = [sizes, sign](const Jets<2>& n) {
      const Jet<2>& c = n[1];
      const Jet<2> k = sqrt(Jet<2>(1.0) - c * c);
      return std::array<Jet<2>, 3>{1.0, sign * (sizes.disc * k + Jet<2>(sizes.rim)),
                                   (sign * sizes.disc) * (c * n[0] / k)};
    };
    add_velocity_row(joint,
                     compose_direction<Spatial, 3, 2>(
                         {displacement(joint, i), rotation(joint, 1 - i), rotation(joint, 2)},
                         {cosine(1 - i), cosine(2)}, slip),
                     i == 0 ? "slip along x" : "slip along y");
  }
}

void build_spatial_disc(const Values& values, JointAssembly<Spatial>& joint) {
  Sizes sizes{number(values, "radius"), 0.0};
  if (has(values, "rim_radius")) {
    sizes.rim = number(values, "rim_radius");
    sizes.disc -= sizes.rim;
    if (!(sizes.disc > 0.0)) {
      throw core::InputError("rim_radius is not smaller than radius",
                             "give a smaller rim_radius, or use a rolling_sphere");
    }
  }
  const Eigen::Vector3d axle = joint.b.axes * vector(values, "axle").normalized();
  add_place(values, joint);
  const double c =
      CosineCoordinate(joint.a.axes.col(2), axle).value(joint.described_a, joint.described_b);
  if (std::abs(c) > 1.0 - 1e-9) {
    throw core::InputError("the disc lies flat on its plane: the axle is along the normal",
                           "describe it upright or tilted, or use a planar joint");
  }
  add_rolling(joint, axle, sizes);
}

Field normal_field() {
  return {.name = "normal",
          .kind = FieldKind::direction,
          .description =
              "normal of the plane, towards the rolling body, in the first frame's "
              "components",
          .fallback = Eigen::Vector3d(0, 0, 1),
          .mirrored = Mirrored::polar};
}

Field axle_field() {
  return {.name = "axle",
          .kind = FieldKind::direction,
          .description = "axis of the disc, in the second frame's components",
          .fallback = Eigen::Vector3d(0, 1, 0),
          .mirrored = Mirrored::axial};
}

Field spatial_radius_field(const char* description) {
  return {.name = "radius",
          .dimension = core::dimension::length,
          .description = description,
          .sign = Sign::positive};
}

}  // namespace

JointKind spatial_rolling_sphere() {
  return {.name = "rolling_sphere",
          .space = Space::spatial,
          .summary = "sphere that rolls on a plane without slipping",
          .fields = {normal_field(),
                     spatial_radius_field("of the sphere about the second frame's origin")},
          .freedoms = 3,
          .build_spatial = build_spatial_sphere,
          .allows = closes_loops_only("it also forbids velocities, which no coordinates express"),
          .mirroring = mirrored_by_fields(),
          .symbol = JointSymbol::ball};
}

JointKind spatial_rolling_disc() {
  return {.name = "rolling_disc",
          .space = Space::spatial,
          .summary = "thin disc that rolls on its edge on a plane without slipping",
          .fields = {normal_field(), axle_field(),
                     spatial_radius_field("of the disc about the second frame's origin")},
          .freedoms = 3,
          .build_spatial = build_spatial_disc,
          .allows = closes_loops_only("it also forbids velocities, which no coordinates express"),
          .mirroring = mirrored_by_fields(),
          .symbol = JointSymbol::ball};
}

JointKind spatial_rolling_wheel() {
  return {.name = "rolling_wheel",
          .space = Space::spatial,
          .summary = "wheel with a rounded rim that rolls on a plane without slipping",
          .fields = {normal_field(), axle_field(),
                     spatial_radius_field(
                         "greatest radius of the wheel about the second frame's origin"),
                     Field{.name = "rim_radius",
                           .dimension = core::dimension::length,
                           .description = "radius of the rim's cross-section",
                           .sign = Sign::positive}},
          .freedoms = 3,
          .build_spatial = build_spatial_disc,
          .allows = closes_loops_only("it also forbids velocities, which no coordinates express"),
          .mirroring = mirrored_by_fields(),
          .symbol = JointSymbol::ball};
}

}  // namespace trammel::model
