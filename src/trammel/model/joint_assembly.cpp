#include "trammel/model/joint_assembly.h"

#include <cmath>
#include <numbers>

#include "trammel/math/rotation.h"
#include "trammel/model/joints/primitives/planar.h"
#include "trammel/model/joints/primitives/spatial.h"

namespace trammel::model {

void add_coincident_points(JointAssembly<Planar>& joint) {
  joint.add(std::make_unique<PlanarCoincidentPoints>(joint.a, joint.b), {"point x", "point y"});
}

void add_coincident_points(JointAssembly<Spatial>& joint) {
  joint.add(std::make_unique<SpatialCoincidentPoints>(joint.a, joint.b),
            {"point x", "point y", "point z"});
}

void add_parallel_axes(JointAssembly<Spatial>& joint) {
  joint.add(
      std::make_unique<SpatialParallelAxes>(joint.a.node, joint.a.axes.col(0), joint.a.axes.col(1),
                                            joint.b.node, joint.b.axes.col(2)),
      {"axis tilt about y", "axis tilt about x"});
}

void add_point_on_axis(JointAssembly<Spatial>& joint) {
  for (int i = 0; i < 2; ++i) {
    joint.add(std::make_unique<SpatialPointInPlane>(joint.a, joint.a.axes.col(i), joint.b),
              {i == 0 ? "off axis along x" : "off axis along y"});
  }
}

void add_no_twist(JointAssembly<Spatial>& joint) {
  joint.add(std::make_unique<SpatialAngle>(joint.a.node, joint.a.axes.col(1), joint.b.node,
                                           joint.b.axes.col(0)),
            {"twist about z"});
}

void add_fixed_angle(JointAssembly<Planar>& joint) {
  const RelativeAngle<Planar> angle = angle_about_z(joint.a, joint.b);
  // The whole number of turns nearest to the described configuration.
  const double described = angle.value(joint.described_a, joint.described_b);
  const double turn = 2.0 * std::numbers::pi;
  const double turns = turn * std::round(described / turn);
  joint.add(std::make_unique<PlanarAngle>(joint.a.node, joint.b.node, turns - angle.offset),
            {"angle"});
}

void align_axes(const Values& values, JointAssembly<Spatial>& joint) {
  align_z(joint.a, vector(values, "axis"));
  align_z(joint.b, vector(values, has(values, "axis_b") ? "axis_b" : "axis"));
}

void align_z(NodeFrame<Spatial>& frame, const Eigen::Vector3d& axis) {
  const Eigen::Quaterniond turn =
      math::shortest_rotation(Eigen::Vector3d::UnitZ(), axis.normalized());
  frame.axes = frame.axes * turn.toRotationMatrix();
}

void align_x(NodeFrame<Planar>& frame, const Eigen::Vector3d& axis) {
  frame.axes = frame.axes * Eigen::Rotation2Dd(std::atan2(axis.y(), axis.x())).toRotationMatrix();
}

}  // namespace trammel::model
