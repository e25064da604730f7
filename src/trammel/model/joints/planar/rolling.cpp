#include "trammel/model/joints/planar/rolling.h"

#include <cmath>

#include "trammel/math/rotation.h"
#include "trammel/model/joints/primitives/coordinate_rows.h"

namespace trammel::model {
namespace {

double described(const JointAssembly<Planar>& joint, const CoordinatePointer<Planar>& coordinate) {
  return coordinate->value(joint.described_a, joint.described_b);
}

void build_planar_disc(const Values& values, JointAssembly<Planar>& joint) {
  const double radius = number(values, "radius");
  align_x(joint.a, vector(values, "axis"));
  align_x(joint.b, vector(values, "axis"));
  const CoordinatePointer<Planar> x = displacement(joint, 0);
  const CoordinatePointer<Planar> angle = relative_angle(joint);
  const auto rolled = [radius](const Jets<2>& c) { return c[0] + radius * c[1]; };
  const CoordinatePointer<Planar> slip = compose<Planar, 2>({x, angle}, rolled);
  add_row(joint, displacement(joint, 1), radius, "contact");
  add_row(joint, slip, described(joint, slip), "slip");
  joint.add_coordinate("angle", "rad", angle);
  joint.add_coordinate("displacement", "m", x);
}

void build_planar_discs(const Values& values, JointAssembly<Planar>& joint) {
  const double radius_a = number(values, "radius_a");
  const double radius_b = number(values, "radius_b");
  const double sum = radius_a + radius_b;
  if (radius_a == 0.0 || radius_b == 0.0) {
    throw core::InputError("a radius is zero", "give radii other than zero (a ring: negative)");
  }
  if (sum == 0.0 || (radius_a < 0.0 && radius_b < 0.0)) {
    throw core::InputError("the discs cannot touch in one point",
                           "make at most one radius negative, and the ring larger than the disc");
  }
  if ((radius_a < 0.0 && sum > 0.0) || (radius_b < 0.0 && sum > 0.0)) {
    throw core::InputError("the ring is smaller than the disc inside it",
                           "give the negative radius the greater size");
  }
  const CoordinatePointer<Planar> angle = relative_angle(joint);
  const auto direction = [](const Jets<2>& d) { return atan2(d[1], d[0]); };
  const CoordinatePointer<Planar> centers =
      compose<Planar, 2>({displacement(joint, 0), displacement(joint, 1)}, direction, true);
  const double angle_0 = described(joint, angle);
  const double centers_0 = described(joint, centers);
  const auto slip = [=](const Jets<2>& c) {
    const double expected = centers_0 + radius_b / sum * (c[1].value - angle_0);
    const double turns = math::full_turn * std::round((expected - c[0].value) / math::full_turn);
    return sum * c[0] - radius_b * c[1] - Jet<2>(sum * (centers_0 - turns) - radius_b * angle_0);
  };
  add_row<Planar>(joint, std::make_shared<DistanceCoordinate<Planar>>(joint.points()),
                  std::abs(sum), "contact");
  add_row(joint, compose<Planar, 2>({centers, angle}, slip), 0.0, "slip");
  joint.add_coordinate("angle", "rad", angle);
  joint.add_coordinate("center_angle", "rad", centers);
}

Field planar_radius_field(const char* name, const char* description) {
  return {.name = name, .dimension = core::dimension::length, .description = description};
}

}  // namespace

JointKind planar_rolling_disc() {
  return {.name = "rolling_disc",
          .space = Space::planar,
          .summary = "disc that rolls on a straight line without slipping",
          .fields = {Field{.name = "axis",
                           .kind = FieldKind::direction,
                           .description = "direction of the line, with the disc on its left, in "
                                          "the first frame's components",
                           .fallback = Eigen::Vector3d(1, 0, 0),
                           .mirrored = Mirrored::axial},
                     Field{.name = "radius",
                           .dimension = core::dimension::length,
                           .description = "of the disc about the second frame's origin",
                           .sign = Sign::positive}},
          .freedoms = 1,
          .build_planar = build_planar_disc,
          .allows = closes_loops_only("the point of contact moves on both bodies"),
          .mirroring = mirrored_by_fields(),
          .symbol = JointSymbol::pin};
}

JointKind planar_rolling_discs() {
  return {.name = "rolling_discs",
          .space = Space::planar,
          .summary = "disc that rolls on a disc, or in a ring, without slipping",
          .fields = {planar_radius_field("radius_a",
                                         "about the first frame's origin; negative: a ring"),
                     planar_radius_field("radius_b",
                                         "about the second frame's origin; negative: a ring")},
          .freedoms = 1,
          .build_planar = build_planar_discs,
          .allows = closes_loops_only("the point of contact moves on both bodies"),
          .mirroring = mirrored_by_fields(),
          .symbol = JointSymbol::pin};
}

}  // namespace trammel::model
