#include "trammel/model/joints/spatial/universal.h"

#include "trammel/model/elementary_joint.h"
#include "trammel/model/joint_assembly.h"
#include "trammel/model/joints/primitives/spatial.h"

namespace trammel::model {
namespace {

// A unit vector perpendicular to the unit vector n, as near as possible to `wish`.
Eigen::Vector3d perpendicular_to(const Eigen::Vector3d& n, const Eigen::Vector3d& wish) {
  const Eigen::Vector3d across = wish - n.dot(wish) * n;
  return across.norm() > 1e-6 ? across.normalized() : n.unitOrthogonal();
}

void build_spatial_universal(const Values& values, JointAssembly<Spatial>& joint) {
  const Eigen::Vector3d n_a = joint.a.axes * vector(values, "axis").normalized();
  const Eigen::Vector3d n_b = joint.b.axes * vector(values, "axis_b").normalized();
  add_coincident_points(joint);
  joint.add(std::make_unique<SpatialAngle>(joint.a.node, n_a, joint.b.node, n_b),
            {"axes perpendicular"});

  // The second axis expressed in frame a, and the first in frame b, serve as zero directions, as
  // far as they are perpendicular to the axis they turn about.
  const Eigen::Vector3d zero_a =
      perpendicular_to(n_a, joint.a.axes * vector(values, "axis_b").normalized());
  const Eigen::Vector3d zero_b =
      perpendicular_to(n_b, joint.b.axes * vector(values, "axis").normalized());
  const RelativeAngle<Spatial> first{joint.a.node, joint.b.node, zero_a,      n_a.cross(zero_a),
                                     n_b,          joint.a.turn, joint.b.turn};
  const RelativeAngle<Spatial> second{joint.b.node, joint.a.node, zero_b,      zero_b.cross(n_b),
                                      n_a,          joint.b.turn, joint.a.turn};
  joint.add_coordinate("angle1", "rad", std::make_unique<AngleCoordinate<Spatial>>(first));
  joint.add_coordinate("angle2", "rad",
                       std::make_unique<ReversedCoordinate<Spatial>>(
                           std::make_unique<AngleCoordinate<Spatial>>(second)));
}

// Each axis stands in its own body.
void arrange_universal(JointPlace<Spatial>& place, ElementaryChain<Spatial>& chain) {
  const auto align = [&](NodeFrame<Spatial>& frame, const char* field) {
    const Eigen::Vector3d axis = frame.axes * vector(place.values, field).normalized();
    frame.axes = rotation_of_z(axis).rotation();
  };
  align(place.a, "axis");
  align(place.b, "axis_b");
  chain.after = {};  // z of frame b is the second axis
}

}  // namespace

JointKind spatial_universal() {
  return {.name = "universal",
          .space = Space::spatial,
          .summary = "Hooke joint: rotation about two perpendicular axes",
          .fields = {Field{.name = "axis",
                           .kind = FieldKind::direction,
                           .description =
                               "axis fixed in the first body, in the first frame's components",
                           .fallback = Eigen::Vector3d(1, 0, 0),
                           .mirrored = Mirrored::axial},
                     Field{.name = "axis_b",
                           .kind = FieldKind::direction,
                           .description =
                               "axis fixed in the second body, in the second frame's components",
                           .fallback = Eigen::Vector3d(0, 1, 0),
                           .mirrored = Mirrored::axial}},
          .freedoms = 2,
          .build_spatial = build_spatial_universal,
          .allows = chain_of({elementary::turn_z, elementary::turn_x}, arrange_universal),
          .mirroring = mirrored_by_fields(),
          .symbol = JointSymbol::cross};
}

}  // namespace trammel::model
