// Constraint rows made of coordinates and directions (coordinate.h), which bring their derivatives.
//
//     holonomic  g = c(q) - constant = 0       G = J^T
//     Pfaff      u = J(q) . v = 0              A = J^T
// In both, the bias is the derivative of the row along the motion, gamma = v^T H v, and the
// tangent of the reactions lambda H, with H the derivative of J.
#pragma once

#include <memory>

#include "trammel/model/composed_coordinate.h"
#include "trammel/model/joint_assembly.h"

namespace trammel::model {

/// A direction without motion; nonholonomic in general.
template <class S>
class DirectionRow : public Constraint<S> {
 public:
  using Kinematics = typename S::Kinematics;
  using Rows = typename Constraint<S>::Rows;
  using Jacobian = typename Constraint<S>::Jacobian;

  DirectionRow(int node_a, int node_b, DirectionPointer<S> direction);
  bool holonomic() const override { return false; }
  LocalPattern pattern() const override;
  void linearise(
      const Kinematics& a, const Kinematics& b, double t, Rows& g, Jacobian& G) const override;
  void bias(const Kinematics& a, const Kinematics& b, double t, Rows& gamma) const override;
  void add_stiffness(const Kinematics& a,
                     const Kinematics& b,
                     double t,
                     const double* lambda,
                     double scale,
                     PairMatrix<S>& K) const override;

 private:
  DirectionPointer<S> direction_;
};

/// A coordinate that keeps a value: its direction has no motion, and positions say so already.
template <class S>
class CoordinateRow final : public DirectionRow<S> {
 public:
  using typename DirectionRow<S>::Kinematics;
  using typename DirectionRow<S>::Rows;
  using typename DirectionRow<S>::Jacobian;

  CoordinateRow(int node_a, int node_b, CoordinatePointer<S> coordinate, double constant);
  bool holonomic() const override { return true; }
  void linearise(
      const Kinematics& a, const Kinematics& b, double t, Rows& g, Jacobian& G) const override;

 private:
  CoordinatePointer<S> coordinate_;
  double constant_;
};

/// Adds the row c = constant to a joint.
template <class S>
void add_row(JointAssembly<S>& joint,
             CoordinatePointer<S> coordinate,
             double constant,
             const char* label) {
  joint.add(std::make_unique<CoordinateRow<S>>(joint.a.node, joint.b.node, std::move(coordinate),
                                               constant),
            {label});
}

/// Adds the Pfaff row u = 0 to a joint.
template <class S>
void add_velocity_row(JointAssembly<S>& joint, DirectionPointer<S> direction, const char* label) {
  joint.add(std::make_unique<DirectionRow<S>>(joint.a.node, joint.b.node, std::move(direction)),
            {label});
}

/// p_b - p_a along axis i of frame a.
template <class S>
CoordinatePointer<S> displacement(const JointAssembly<S>& joint, int i) {
  return std::make_shared<DisplacementCoordinate<S>>(joint.points(), joint.a.axes.col(i));
}

/// The relative angle about z.
template <class S>
CoordinatePointer<S> relative_angle(const JointAssembly<S>& joint) {
  return std::make_shared<AngleCoordinate<S>>(angle_about_z(joint.a, joint.b));
}

/// Angle1 to angle3 of the free rotation between the frames.
void add_bryant_angles(JointAssembly<Spatial>& joint);

}  // namespace trammel::model
