#include "trammel/model/joints/planar/prismatic.h"

#include "trammel/model/joint_assembly.h"
#include "trammel/model/joints/primitives/planar.h"

namespace trammel::model {
namespace {

void build_planar_prismatic(const Values& values, JointAssembly<Planar>& joint) {
  align_x(joint.a, vector(values, "axis"));
  align_x(joint.b, vector(values, has(values, "axis_b") ? "axis_b" : "axis"));
  joint.add(std::make_unique<PlanarPointOnLine>(joint.a, joint.a.axes.col(1), joint.b),
            {"off axis"});
  add_fixed_angle(joint);
  joint.add_coordinate(
      "displacement", "m",
      std::make_unique<DisplacementCoordinate<Planar>>(joint.points(), joint.a.axes.col(0)));
}

}  // namespace

JointKind planar_prismatic() {
  return {.name = "prismatic",
          .space = Space::planar,
          .summary = "slider: translation along an axis, no rotation",
          .fields = {Field{.name = "axis",
                           .kind = FieldKind::direction,
                           .description = "sliding direction, in the first frame's components",
                           .fallback = Eigen::Vector3d(1, 0, 0),
                           .mirrored = Mirrored::polar},
                     Field{.name = "axis_b",
                           .kind = FieldKind::direction,
                           .description =
                               "the same axis in the second frame's components, when different",
                           .optional = true,
                           .mirrored = Mirrored::polar}},
          .freedoms = 1,
          .build_planar = build_planar_prismatic,
          .allows = chain_of({elementary::slide_x}),
          .mirroring = mirrored_by_fields(),
          .symbol = JointSymbol::rail};
}

}  // namespace trammel::model
