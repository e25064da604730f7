#include "trammel/formulation/tree_motion.h"

#include <algorithm>

namespace trammel::formulation {
namespace {

using model::Node;
using system::Vector;

void write_pose(const Node<Planar>& node, const Pose<Planar>& pose, Vector& q) {
  q.segment<2>(node.q) = pose.p;
  if (node.freedoms == Planar::freedoms) q[node.q + 2] = pose.angle;
}
void write_pose(const Node<Spatial>& node, const Pose<Spatial>& pose, Vector& q) {
  q.segment<3>(node.q) = pose.p;
  if (node.freedoms == Spatial::freedoms) {
    q.segment<4>(node.q + 3) << pose.e.w(), pose.e.vec();
  }
}

// a * b, with the rotation of a that is known already.
Pose<Planar> placed(const Pose<Planar>& a, const Eigen::Matrix2d& R_a, const Pose<Planar>& b) {
  return {a.p + R_a * b.p, a.angle + b.angle};
}
Pose<Spatial> placed(const Pose<Spatial>& a,
                     const Eigen::Matrix3d& /*R_a*/,
                     const Pose<Spatial>& b) {
  return a * b;
}

// The rotation of such a pose.
Eigen::Matrix2d turned(const Pose<Planar>& pose,
                       const Eigen::Matrix2d& R_a,
                       const Pose<Planar>& b) {
  return b.angle == 0.0 ? R_a : pose.rotation();
}
Eigen::Matrix3d turned(const Pose<Spatial>& pose,
                       const Eigen::Matrix3d& /*R_a*/,
                       const Pose<Spatial>& /*b*/) {
  return pose.rotation();
}

// The rotational part of a twist in a node's axes.
Eigen::Matrix<double, 1, 1> in_body(const Eigen::Matrix2d& /*R*/, const Twist<Planar>& V) {
  return V.tail<1>();
}
Eigen::Vector3d in_body(const Eigen::Matrix3d& R, const Twist<Spatial>& V) {
  return R.transpose() * V.tail<3>();
}

// Moments of inertia about an origin far away are large numbers whose differences are needed: a
// model that stands far from the world's origin gets one of its own.
template <class S>
typename S::Point local_origin(const model::Mechanism<S>& mechanism) {
  constexpr double far = 100.0;  // sizes of the model
  if (mechanism.nodes.size() < 2) return S::Point::Zero();
  const typename S::Point place =
      mechanism.described.q.template segment<S::dimension>(mechanism.nodes[1].q);
  return place.norm() > far * mechanism.size ? place : typename S::Point(S::Point::Zero());
}

// A wrench about the origin from the force and moment on a node.
Twist<Planar> wrench_of(const Node<Planar>& node,
                        const Eigen::Vector2d& p,
                        const Eigen::Matrix2d& /*R*/,
                        const Vector& r) {
  Twist<Planar> W;
  W.head<2>() = r.segment<2>(node.v);
  W[2] = model::perpendicular(p).dot(W.head<2>());
  if (node.freedoms == Planar::freedoms) W[2] += r[node.v + 2];
  return W;
}
Twist<Spatial> wrench_of(const Node<Spatial>& node,
                         const Eigen::Vector3d& p,
                         const Eigen::Matrix3d& R,
                         const Vector& r) {
  Twist<Spatial> W;
  W.head<3>() = r.segment<3>(node.v);
  W.tail<3>() = p.cross(W.head<3>());
  if (node.freedoms == Spatial::freedoms) W.tail<3>() += R * r.segment<3>(node.v + 3);
  return W;
}

}  // namespace

template <class S>
TreeMotion<S>::TreeMotion(std::shared_ptr<const HingeTree<S>> tree,
                          std::shared_ptr<const model::Mechanism<S>> mechanism)
    : tree_(std::move(tree)), mechanism_(std::move(mechanism)), prescribed_(tree_, mechanism_) {
  const std::size_t joints = tree_->joints.size();
  const auto velocities = static_cast<std::size_t>(tree_->velocities);
  const std::size_t nodes = tree_->nodes.size();
  for (const TreeJoint<S>& joint : tree_->joints) {
    const bool form = joint.elementary.kind == ElementaryKind::form;
    form_of_.push_back(form ? static_cast<int>(forms_.size()) : -1);
    if (form) forms_.emplace_back();
  }
  prescribed_s_.assign(tree_->prescribed.size(), zero_);
  pose_.resize(joints);
  R_.assign(joints, Rotation::Identity());
  for (const TreeJoint<S>& joint : tree_->joints) {
    before_R_.push_back(joint.elementary.before.rotation());
  }
  V_.assign(joints, zero_);
  A_.assign(joints, zero_);
  wrench_.assign(joints, zero_);
  s_.assign(velocities, zero_);
  u_.assign(velocities, zero_);
  s_rate_.assign(velocities, zero_);
  b_.assign(velocities, zero_);
  origin_ = local_origin(*mechanism_);
  node_pose_.resize(nodes);
  node_p_.assign(nodes, Point::Zero());
  node_R_.assign(nodes, Rotation::Identity());
}

template <class S>
bool TreeMotion<S>::rotates(int node) const {
  return mechanism_->nodes[index(node)].freedoms == S::freedoms;
}

template <class S>
void TreeMotion<S>::set_columns(const TreeJoint<S>& joint, const Pose<S>& pose) {
  if (joint.prescribed >= 0) {
    prescribed_s_[index(joint.prescribed)] = elementary_column(joint.elementary, pose);
    return;
  }
  if constexpr (S::space == model::Space::spatial) {
    if (joint.elementary.kind == ElementaryKind::ball) {
      const Eigen::Matrix3d R = pose.rotation();
      for (int j = 0; j < 3; ++j) s_[index(joint.v + j)] = turning(pose.p, R.col(j));
      return;
    }
  }
  s_[index(joint.v)] = elementary_column(joint.elementary, pose);
}

template <class S>
Pose<S> TreeMotion<S>::set_form(const TreeJoint<S>& joint, const double* q, Form& form) {
  typename model::MotionForm<S>::Derivatives at;
  joint.elementary.form->differentiate(q, at);
  const int size = joint.velocities;
  std::copy_n(q, size, form.q.begin());
  for (int i = 0; i < size; ++i) {
    s_[index(joint.v + i)] = carried(form.frame, at.first[index(i)]);
    for (int j = 0; j < size; ++j) {
      const std::size_t place = index(i * S::freedoms + j);
      form.second[place] = carried(form.frame, at.second[place]);
    }
  }
  return form.frame * at.X;
}

template <class S>
void TreeMotion<S>::set_form_rates(const TreeJoint<S>& joint, const Vector& v, Form& form) {
  for (int i = 0; i < joint.velocities; ++i) {
    Twist<S>& e = form.e[index(i)];
    e.setZero();
    for (int j = 0; j < joint.velocities; ++j) {
      e += form.second[index(i * S::freedoms + j)] * v[joint.v + j];
    }
    u_[index(joint.v + i)] += e;
  }
}

// e_i' = V_p x e_i + sum s_ij v_j' + sum s_ijk v_j v_k.
template <class S>
void TreeMotion<S>::set_form_second_rates(const TreeJoint<S>& joint,
                                          const Vector& v,
                                          const Vector& a,
                                          Form& form) {
  typename model::MotionForm<S>::Columns third;
  joint.elementary.form->third(form.q.data(), v.data() + joint.v, third);
  for (int i = 0; i < joint.velocities; ++i) {
    Twist<S>& rate = form.e_rate[index(i)];
    rate = cross(V(joint.parent), form.e[index(i)]) + carried(form.frame, third[index(i)]);
    for (int j = 0; j < joint.velocities; ++j) {
      rate += form.second[index(i * S::freedoms + j)] * a[joint.v + j];
    }
  }
}

template <class S>
void TreeMotion<S>::set_positions(const Vector& q) {
  for (std::size_t k = 0; k < tree_->joints.size(); ++k) {
    const TreeJoint<S>& joint = tree_->joints[k];
    const double* value =
        joint.prescribed < 0 ? q.data() + joint.q : &prescribed_[joint.prescribed].q;
    Pose<S> before = joint.elementary.before;
    if (joint.parent < 0) before.p -= origin_;
    if (form_of_[k] >= 0) {
      Form& form = forms_[index(form_of_[k])];
      form.frame = joint.parent < 0 ? before : pose_[index(joint.parent)] * before;
      pose_[k] = set_form(joint, value, form);
      if constexpr (S::space == model::Space::planar) R_[k] = pose_[k].rotation();
      continue;
    }
    const Pose<S> moved = placed(before, before_R_[k], elementary_pose(joint.elementary, value));
    pose_[k] = joint.parent < 0
                   ? moved
                   : placed(pose_[index(joint.parent)], R_[index(joint.parent)], moved);
    if constexpr (S::space == model::Space::planar) R_[k] = pose_[k].rotation();
    set_columns(joint, pose_[k]);
  }
  for (std::size_t i = 1; i < tree_->nodes.size(); ++i) {
    const CarriedNode<S>& node = tree_->nodes[i];
    if (node.joint < 0) {
      node_pose_[i] = node.place;
      node_pose_[i].p -= origin_;
      node_R_[i] = node.place.rotation();
    } else {
      const Rotation& R = R_[index(node.joint)];
      node_pose_[i] = placed(pose_[index(node.joint)], R, node.place);
      node_R_[i] = turned(node_pose_[i], R, node.place);
    }
    node_p_[i] = node_pose_[i].p;
  }
}

template <class S>
void TreeMotion<S>::set_velocity(int number, const Vector& v) {
  const TreeJoint<S>& joint = tree_->joints[index(number)];
  const Twist<S>& parent = V(joint.parent);
  Twist<S> sum = parent;
  if (joint.prescribed >= 0) {
    sum += prescribed_s_[index(joint.prescribed)] * prescribed_[joint.prescribed].rate;
  }
  for (int i = joint.v; i < joint.v + joint.velocities; ++i) {
    sum += s(i) * v[i];
    u_[index(i)] = cross(parent, s(i));
  }
  const int form = form_of_[index(number)];
  if (form >= 0) set_form_rates(joint, v, forms_[index(form)]);
  V_[index(number)] = sum;
}

template <class S>
void TreeMotion<S>::set_velocities(const Vector& v) {
  for (std::size_t k = 0; k < tree_->joints.size(); ++k) set_velocity(static_cast<int>(k), v);
}

template <class S>
void TreeMotion<S>::set_accelerations(const Vector& v, const Vector& a) {
  for (std::size_t k = 0; k < tree_->joints.size(); ++k) {
    const TreeJoint<S>& joint = tree_->joints[k];
    A_[k] = A(joint.parent);
    if (joint.prescribed >= 0) {
      const Twist<S>& s = prescribed_s_[index(joint.prescribed)];
      const auto& value = prescribed_[joint.prescribed];
      A_[k] += s * value.acceleration + cross(V(joint.parent), s) * value.rate;
    }
    for (int i = joint.v; i < joint.v + joint.velocities; ++i) A_[k] += s(i) * a[i] + u(i) * v[i];
    if (form_of_[k] >= 0) set_form_second_rates(joint, v, a, forms_[index(form_of_[k])]);
  }
}

template <class S>
void TreeMotion<S>::set_second_derivatives() {
  for (std::size_t k = 0; k < tree_->joints.size(); ++k) {
    const TreeJoint<S>& joint = tree_->joints[k];
    for (int i = joint.v; i < joint.v + joint.velocities; ++i) {
      s_rate_[index(i)] = joint.elementary.kind == ElementaryKind::ball ? cross(V_[k], s(i)) : u(i);
      b_[index(i)] = cross(A(joint.parent), s(i)) + cross(V(joint.parent), u(i));
      if (form_of_[k] >= 0) b_[index(i)] += forms_[index(form_of_[k])].e_rate[index(i - joint.v)];
    }
  }
}

template <class S>
void TreeMotion<S>::write_positions(Vector& absolute_q) const {
  for (std::size_t i = 1; i < node_pose_.size(); ++i) {
    Pose<S> pose = node_pose_[i];
    pose.p += origin_;
    write_pose(mechanism_->nodes[i], pose, absolute_q);
  }
}

template <class S>
void TreeMotion<S>::write_velocities(Vector& absolute_v) const {
  for (std::size_t i = 1; i < node_pose_.size(); ++i) {
    const Node<S>& node = mechanism_->nodes[i];
    const Twist<S>& twist = V(tree_->nodes[i].joint);
    absolute_v.segment<S::dimension>(node.v) =
        twist.template head<S::dimension>() + turn_velocity(twist, node_p_[i]);
    if (node.freedoms == S::freedoms) {
      absolute_v.segment<S::rotations>(node.v + S::dimension) = in_body(node_R_[i], twist);
    }
  }
}

template <class S>
void TreeMotion<S>::write_accelerations(Vector& absolute_a) const {
  for (std::size_t i = 1; i < node_pose_.size(); ++i) {
    const Node<S>& node = mechanism_->nodes[i];
    const Twist<S>& twist = V(tree_->nodes[i].joint);
    const Twist<S>& rate = A(tree_->nodes[i].joint);
    const Point velocity = twist.template head<S::dimension>() + turn_velocity(twist, node_p_[i]);
    absolute_a.segment<S::dimension>(node.v) = rate.template head<S::dimension>() +
                                               turn_velocity(rate, node_p_[i]) +
                                               turn_velocity(twist, velocity);
    if (node.freedoms == S::freedoms) {
      absolute_a.segment<S::rotations>(node.v + S::dimension) = in_body(node_R_[i], rate);
    }
  }
}

template <class S>
void TreeMotion<S>::sum_wrenches(const Vector& absolute_r) {
  std::fill(wrench_.begin(), wrench_.end(), zero_);
  for (std::size_t i = 1; i < node_pose_.size(); ++i) {
    const int joint = tree_->nodes[i].joint;
    if (joint < 0) continue;
    wrench_[index(joint)] += wrench_of(mechanism_->nodes[i], node_p_[i], node_R_[i], absolute_r);
  }
  for (std::size_t k = tree_->joints.size(); k-- > 0;) {
    const int parent = tree_->joints[k].parent;
    if (parent >= 0) wrench_[index(parent)] += wrench_[k];
  }
}

template <class S>
void TreeMotion<S>::pull_back(const Vector& absolute_r, Vector& r) {
  sum_wrenches(absolute_r);
  r.resize(tree_->velocities);
  for (std::size_t k = 0; k < tree_->joints.size(); ++k) {
    const TreeJoint<S>& joint = tree_->joints[k];
    for (int i = joint.v; i < joint.v + joint.velocities; ++i) r[i] = s(i).dot(wrench_[k]);
  }
}

template <class S>
std::size_t TreeMotion<S>::memory_bytes() const {
  return (pose_.capacity() + node_pose_.capacity()) * sizeof(Pose<S>) +
         node_p_.capacity() * (sizeof(Point) + sizeof(Rotation)) +
         2 * R_.capacity() * sizeof(Rotation) +
         (V_.capacity() + A_.capacity() + wrench_.capacity() + 4 * s_.capacity()) *
             sizeof(Twist<S>);
}

template class TreeMotion<Planar>;
template class TreeMotion<Spatial>;

}  // namespace trammel::formulation
