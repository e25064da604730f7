#include "trammel/model/joints/spatial/revolute_spherical.h"

#include <cmath>

#include "trammel/model/elementary_joint.h"
#include "trammel/model/joints/primitives/coordinate_rows.h"

namespace trammel::model {
namespace {

void build_spatial_revolute_spherical(const Values& values, JointAssembly<Spatial>& joint) {
  align_z(joint.a, vector(values, "axis"));
  align_z(joint.b, vector(values, "axis"));
  const CoordinatePointer<Spatial> x = displacement(joint, 0);
  const CoordinatePointer<Spatial> y = displacement(joint, 1);
  const CoordinatePointer<Spatial> z = displacement(joint, 2);
  const auto described = [&](const CoordinatePointer<Spatial>& coordinate) {
    return coordinate->value(joint.described_a, joint.described_b);
  };
  const double length =
      has(values, "length") ? number(values, "length") : std::hypot(described(x), described(y));
  const double offset = has(values, "offset") ? number(values, "offset") : described(z);
  if (!(length > 0.0)) {
    throw core::InputError("the link has no length: its ball lies on the axis of its hinge",
                           "give 'length', or describe the ball away from the axis");
  }
  const auto radius = [length](const Jets<2>& d) {
    return (0.5 / length) * (d[0] * d[0] + d[1] * d[1] - Jet<2>(length * length));
  };
  add_row(joint, z, offset, "along hinge");
  add_row(joint, compose<Spatial, 2>({x, y}, radius), 0.0, "link length");
  const auto direction = [](const Jets<2>& d) { return atan2(d[1], d[0]); };
  joint.add_coordinate("link_angle", "rad", compose<Spatial, 2>({x, y}, direction, true));
  add_bryant_angles(joint);
}

// A link that turns on the first body and carries a ball.
void arrange_revolute_spherical(JointPlace<Spatial>& place, ElementaryChain<Spatial>& chain) {
  const Pose<Spatial> Y = place.described();
  const auto value = [&](const char* field, double described) {
    return has(place.values, field) ? number(place.values, field) : described;
  };
  chain.joints[1].before.p << value("length", Y.p.head<2>().norm()), 0.0, value("offset", Y.p.z());
}

}  // namespace

JointKind spatial_revolute_spherical() {
  return {.name = "revolute_spherical",
          .space = Space::spatial,
          .summary = "massless link with a hinge on the first body and a ball on the second",
          .fields = {Field{.name = "axis",
                           .kind = FieldKind::direction,
                           .description = "axis of the hinge, in the first frame's components",
                           .fallback = Eigen::Vector3d(0, 0, 1),
                           .mirrored = Mirrored::polar},
                     Field{.name = "length",
                           .dimension = core::dimension::length,
                           .description =
                               "distance of the ball from the axis; as described when not given",
                           .sign = Sign::positive,
                           .optional = true},
                     Field{.name = "offset",
                           .dimension = core::dimension::length,
                           .description =
                               "place of the ball along the axis; as described when not given",
                           .optional = true}},
          .freedoms = 4,
          .build_spatial = build_spatial_revolute_spherical,
          .allows = chain_of({elementary::turn_z, elementary::ball}, arrange_revolute_spherical),
          .mirroring = mirrored_by_fields(),
          .symbol = JointSymbol::ball};
}

}  // namespace trammel::model
