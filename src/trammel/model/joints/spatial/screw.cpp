#include "trammel/model/joints/spatial/screw.h"

#include <cmath>

#include "trammel/math/rotation.h"
#include "trammel/model/elementary_joint.h"
#include "trammel/model/joints/primitives/coordinate_rows.h"

namespace trammel::model {
namespace {

double screw_lead(const Values& values) {
  return (text(values, "hand") == "left" ? -1.0 : 1.0) * number(values, "pitch") / math::full_turn;
}

void build_spatial_screw(const Values& values, JointAssembly<Spatial>& joint) {
  align_axes(values, joint);
  add_parallel_axes(joint);
  add_point_on_axis(joint);
  const double lead = screw_lead(values);
  const CoordinatePointer<Spatial> s = displacement(joint, 2);
  const CoordinatePointer<Spatial> angle = relative_angle(joint);
  const double s_0 = s->value(joint.described_a, joint.described_b);
  const double angle_0 = angle->value(joint.described_a, joint.described_b);
  const auto thread = [=](const Jets<2>& x) {
    const double expected = angle_0 + (x[0].value - s_0) / lead;
    const double turns = math::full_turn * std::round((expected - x[1].value) / math::full_turn);
    return x[0] - lead * x[1] - Jet<2>(s_0 + lead * (turns - angle_0));
  };
  add_row(joint, compose<Spatial, 2>({s, angle}, thread), 0.0, "thread");
  joint.add_coordinate("angle", "rad", angle);
  joint.add_coordinate("displacement", "m", s);
}

// The thread passes through the described place: s = s_0 + lead (angle - angle_0).
void arrange_screw(JointPlace<Spatial>& place, ElementaryChain<Spatial>& chain) {
  ElementaryJoint<Spatial>& thread = chain.joints.front();
  thread.lead = screw_lead(place.values);
  const Pose<Spatial> Y = place.described();
  const Eigen::Vector3d x = Y.e * Eigen::Vector3d::UnitX();
  thread.before.p.z() = Y.p.z() - thread.lead * std::atan2(x.y(), x.x());
}

}  // namespace

JointKind spatial_screw() {
  return {.name = "screw",
          .space = Space::spatial,
          .summary = "nut on a screw: translation along an axis with the rotation about it",
          .fields = {Field{.name = "axis",
                           .kind = FieldKind::direction,
                           .description = "joint axis, in the first frame's components",
                           .fallback = Eigen::Vector3d(0, 0, 1),
                           .mirrored = Mirrored::axial},
                     Field{.name = "axis_b",
                           .kind = FieldKind::direction,
                           .description =
                               "the same axis in the second frame's components, when different",
                           .optional = true},
                     Field{.name = "pitch",
                           .dimension = core::dimension::length,
                           .description = "translation per turn",
                           .sign = Sign::positive},
                     Field{.name = "hand",
                           .kind = FieldKind::choice,
                           .description = "right: positive turns about the axis move along it",
                           .fallback = std::string("right"),
                           .choices = {"right", "left"},
                           .mirrored = Mirrored::hand}},
          .freedoms = 1,
          .build_spatial = build_spatial_screw,
          .allows = chain_of({elementary::screw_z}, arrange_screw),
          .mirroring = mirrored_without_axis_b(),
          .symbol = JointSymbol::ball};
}

}  // namespace trammel::model
