#include "trammel/model/joints/spatial/constant_velocity.h"

#include "trammel/model/euler_coordinate.h"
#include "trammel/model/joints/primitives/coordinate_rows.h"

namespace trammel::model {
namespace {

void build_spatial_constant_velocity(const Values& values, JointAssembly<Spatial>& joint) {
  align_axes(values, joint);
  add_coincident_points(joint);
  const auto cosine = [&](int i, int j) {
    return std::make_shared<CosineCoordinate>(joint.a.axes.col(i), joint.b.axes.col(j));
  };
  const auto spin = [](const Jets<2>& c) { return 0.5 * (c[0] - c[1]); };
  add_row(joint, compose<Spatial, 2>({cosine(1, 0), cosine(0, 1)}, spin), 0.0, "equal spin");
  // The first two Bryant angles place the second shaft; the third follows.
  for (int i = 0; i < 2; ++i) {
    joint.add_coordinate(
        i == 0 ? "tilt1" : "tilt2", "rad",
        std::make_unique<EulerCoordinate>(joint.a, joint.b, math::EulerSequence::bryant_xyz(), i));
  }
}

}  // namespace

JointKind spatial_constant_velocity() {
  return {
      .name = "constant_velocity",
      .space = Space::spatial,
      .summary = "homokinetic joint: shafts at any angle turn with equal speeds",
      .fields = {Field{.name = "axis",
                       .kind = FieldKind::direction,
                       .description = "axis of the first shaft, in the first frame's components",
                       .fallback = Eigen::Vector3d(0, 0, 1),
                       .mirrored = Mirrored::axial},
                 Field{.name = "axis_b",
                       .kind = FieldKind::direction,
                       .description = "axis of the second shaft in the second frame's "
                                      "components, when different",
                       .optional = true,
                       .mirrored = Mirrored::axial}},
      .freedoms = 2,
      .build_spatial = build_spatial_constant_velocity,
      .allows = closes_loops_only(
          "its two angles act at once, about axes in the plane between the shafts"),
      .mirroring = mirrored_without_axis_b(),
      .symbol = JointSymbol::ball};
}

}  // namespace trammel::model
