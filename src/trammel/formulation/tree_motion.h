// The motion of a hinge tree, by one recursion from the ground outwards [Sol1983, 5.2].
//
// In twists about a fixed origin (twist.h), with p the parent of elementary joint k and s its
// columns,
//
//     V_k = V_p + s v                         velocity
//     A_k = A_p + s v' + u v,  u = V_p x s    its time derivative
//
// The columns of a form (motion_form.h) change with its own coordinates, d s_i/d q_j = s_ij: then
// u_i = V_p x s_i + e_i with e_i = sum s_ij v_j, and b gets e_i' besides.
//
// Prescribed elementary joints have the rates of their drives instead of v and v'.
//
// The tangent needs how these change when the tree is moved by delta along its coordinates. Body i
// with xi_i = sum s delta over its path has dV_i = -V_i x xi_i + sum u delta and
// dA_i = -A_i x xi_i - V_i x (sum u delta) + sum b delta, b = A_p x s + V_p x u; and A_i changes
// with v by -V_i x s + u + s', where s' = V_k x s (for a ball s' differs from u).
#pragma once

#include <array>
#include <memory>
#include <vector>

#include "trammel/formulation/prescribed_hinges.h"
#include "trammel/formulation/twist.h"

namespace trammel::formulation {

template <class S>
class TreeMotion {
 public:
  using Point = typename S::Point;
  using Rotation = Eigen::Matrix<double, S::dimension, S::dimension>;

  TreeMotion(std::shared_ptr<const HingeTree<S>> tree,
             std::shared_ptr<const model::Mechanism<S>> mechanism);

  const HingeTree<S>& tree() const { return *tree_; }

  /// Of prescribed elementary joints; before all others.
  void set_time(double t) { prescribed_.set_time(t); }
  /// Poses of all elementary joints and nodes, and the columns s.
  void set_positions(const system::Vector& q);
  /// After set_positions.
  void set_velocities(const system::Vector& v);
  /// Of the elementary joint with this number, after those of its parent.
  void set_velocity(int number, const system::Vector& v);
  /// After set_velocities.
  void set_accelerations(const system::Vector& v, const system::Vector& a);
  /// Columns s' and b, after the others.
  void set_second_derivatives();

  /// Absolute coordinates, velocities and accelerations of all nodes.
  void write_positions(system::Vector& absolute_q) const;
  void write_velocities(system::Vector& absolute_v) const;
  void write_accelerations(system::Vector& absolute_a) const;

  /// The wrench of all nodes behind each elementary joint.
  void sum_wrenches(const system::Vector& absolute_r);
  /// S^T r, with the sums of wrenches on the way.
  void pull_back(const system::Vector& absolute_r, system::Vector& r);

  /// Per elementary joint (0 for the ground is a zero twist): index -1 is allowed.
  const Twist<S>& V(int joint) const { return joint < 0 ? zero_ : V_[index(joint)]; }
  const Twist<S>& A(int joint) const { return joint < 0 ? zero_ : A_[index(joint)]; }
  /// Per velocity component.
  const Twist<S>& s(int i) const { return s_[index(i)]; }
  const Twist<S>& u(int i) const { return u_[index(i)]; }
  const Twist<S>& s_rate(int i) const { return s_rate_[index(i)]; }
  const Twist<S>& b(int i) const { return b_[index(i)]; }
  const Twist<S>& wrench(int joint) const { return wrench_[index(joint)]; }
  /// s_ij of a form, null for others; i, j count its own coordinates.
  const Twist<S>* column_derivative(int joint, int i, int j) const {
    const int number = form_of_[index(joint)];
    return number < 0 ? nullptr : &forms_[index(number)].second[index(i * S::freedoms + j)];
  }
  const PrescribedMotion<S>& prescribed() const { return prescribed_; }

  const Point& node_position(int node) const { return node_p_[index(node)]; }
  const Rotation& node_rotation(int node) const { return node_R_[index(node)]; }
  bool rotates(int node) const;
  TwistMatrix<S> node_map(int node) const {
    return formulation::node_map(node_position(node), node_rotation(node), rotates(node));
  }
  std::size_t memory_bytes() const;

 private:
  static std::size_t index(int i) { return static_cast<std::size_t>(i); }
  void set_columns(const TreeJoint<S>& joint, const Pose<S>& pose);
  /// What changes with the coordinates of a form.
  struct Form {
    std::array<double, S::freedoms> q{};
    Pose<S> frame;  ///< in which it is seen
    std::array<Twist<S>, S::freedoms * S::freedoms> second;
    std::array<Twist<S>, S::freedoms> e;
    std::array<Twist<S>, S::freedoms> e_rate;
  };
  /// Returns where the frame behind it stands.
  Pose<S> set_form(const TreeJoint<S>& joint, const double* q, Form& form);
  void set_form_rates(const TreeJoint<S>& joint, const system::Vector& v, Form& form);
  void set_form_second_rates(const TreeJoint<S>& joint,
                             const system::Vector& v,
                             const system::Vector& a,
                             Form& form);

  std::shared_ptr<const HingeTree<S>> tree_;
  std::shared_ptr<const model::Mechanism<S>> mechanism_;
  PrescribedMotion<S> prescribed_;
  std::vector<Form> forms_;
  std::vector<int>
      form_of_;  ///< number among the forms, per elementary joint; -1 for other elementary joints
  std::vector<Twist<S>> prescribed_s_;  ///< columns of prescribed elementary joints
  Twist<S> zero_ = Twist<S>::Zero();
  std::vector<Pose<S>> pose_;  ///< of elementary joints
  /// Rotations of these, and of the frames before them: of planar ones, which poses know by angles.
  std::vector<Rotation> R_;
  std::vector<Rotation> before_R_;
  std::vector<Pose<S>> node_pose_;
  Point origin_ = Point::Zero();  ///< of all twists and poses here, in the world
  std::vector<Point> node_p_;
  std::vector<Rotation> node_R_;
  std::vector<Twist<S>> V_;
  std::vector<Twist<S>> A_;
  std::vector<Twist<S>> s_;
  std::vector<Twist<S>> u_;
  std::vector<Twist<S>> s_rate_;
  std::vector<Twist<S>> b_;
  std::vector<Twist<S>> wrench_;
};

}  // namespace trammel::formulation
