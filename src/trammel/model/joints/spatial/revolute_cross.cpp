#include "trammel/model/joints/spatial/revolute_cross.h"

#include <array>
#include <cmath>

#include <fmt/format.h>

#include "trammel/model/joint_assembly.h"
#include "trammel/model/joints/primitives/spatial.h"

namespace trammel::model {
namespace {

constexpr std::array<const char*, 3> labels{"cross product x", "cross product y",
                                            "cross product z"};
constexpr const char* letters = "xyz";
// Below it the two rows that are kept nearly agree.
constexpr double smallest_component = 0.05;

// The row that is left out.
int dropped_row(const Values& values, const Eigen::Vector3d& axis) {
  const std::string& rows = text(values, "rows");
  int dropped = 0;
  axis.cwiseAbs().maxCoeff(&dropped);
  if (rows == "best") return dropped;
  const int wanted = rows == "yz" ? 0 : (rows == "zx" ? 1 : 2);
  if (std::abs(axis[wanted]) < smallest_component) {
    throw core::InputError(
        fmt::format("the rows {} of the cross product depend on each other, since the axis has "
                    "the component {:.3g} along {}",
                    rows, axis[wanted], letters[wanted]),
        "leave 'rows' out, or keep the row of the small component");
  }
  return wanted;
}

void build_spatial_revolute_cross(const Values& values, JointAssembly<Spatial>& joint) {
  const Eigen::Matrix3d frame = joint.a.axes;
  const Eigen::Vector3d axis = vector(values, "axis").normalized();
  const int dropped = dropped_row(values, axis);
  align_axes(values, joint);
  add_coincident_points(joint);
  for (int i = 0; i < 3; ++i) {
    if (i == dropped) continue;
    const Eigen::Vector3d normal = frame * Eigen::Vector3d::Unit(i).cross(axis);
    joint.add(
        std::make_unique<SpatialAngle>(joint.a.node, normal, joint.b.node, joint.b.axes.col(2)),
        {labels[static_cast<std::size_t>(i)]});
  }
  joint.add_coordinate("angle", "rad",
                       std::make_unique<AngleCoordinate<Spatial>>(angle_about_z(joint.a, joint.b)));
}

}  // namespace

JointKind spatial_revolute_cross() {
  return {.name = "revolute_cross",
          .space = Space::spatial,
          .summary = "hinge in cross-product form, with two of three rows",
          .fields = {Field{.name = "axis",
                           .kind = FieldKind::direction,
                           .description = "joint axis, in the first frame's components",
                           .fallback = Eigen::Vector3d(0, 0, 1),
                           .mirrored = Mirrored::axial},
                     Field{.name = "axis_b",
                           .kind = FieldKind::direction,
                           .description =
                               "the same axis in the second frame's components, when different",
                           .optional = true,
                           .mirrored = Mirrored::axial},
                     Field{.name = "rows",
                           .kind = FieldKind::choice,
                           .description = "rows of the cross product that are kept, along the axes "
                                          "of the first frame",
                           .fallback = std::string("best"),
                           .choices = {"best", "yz", "zx", "xy"}}},
          .freedoms = 1,
          .build_spatial = build_spatial_revolute_cross,
          .allows = chain_of({elementary::turn_z}),
          .mirroring = mirrored_by_fields(),
          .symbol = JointSymbol::ball};
}

}  // namespace trammel::model
