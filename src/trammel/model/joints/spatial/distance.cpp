#include "trammel/model/joints/spatial/distance.h"

#include "trammel/model/joint_assembly.h"
#include "trammel/model/joints/primitives/spatial.h"

namespace trammel::model {
namespace {

void build(const Values& values, JointAssembly<Spatial>& joint) {
  const PointPair<Spatial> points = joint.points();
  const double length = has(values, "length")
                            ? number(values, "length")
                            : points.distance(joint.described_a, joint.described_b).norm();
  if (!(length > 0.0)) {
    throw core::InputError("the rod has no length: its two points coincide",
                           "give 'length', or describe the two points apart");
  }
  joint.add(std::make_unique<SpatialDistance>(joint.a, joint.b, length), {"distance"});
  // As a rope: slack where the points are closer, and pulling only.
  joint.contact = contact_row(values, 0, -1.0);
  if (!joint.contact->unilateral) joint.contact.reset();
  joint.add_coordinate("length", "m", std::make_unique<DistanceCoordinate<Spatial>>(points));
}

}  // namespace

JointKind spatial_distance() {
  return {.name = "distance",
          .space = Space::spatial,
          .summary = "massless rod: two points keep their distance",
          .fields = with_unilateral_fields(
              {Field{.name = "length",
                     .dimension = core::dimension::length,
                     .description = "length of the rod; the described distance when not given",
                     .sign = Sign::positive,
                     .optional = true}}),
          .freedoms = 5,
          .build_spatial = build};
}

}  // namespace trammel::model
