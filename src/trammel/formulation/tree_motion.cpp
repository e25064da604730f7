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
  const std::size_t steps = tree_->steps.size();
  const auto velocities = static_cast<std::size_t>(tree_->velocities);
  const std::size_t nodes = tree_->nodes.size();
  for (const TreeStep<S>& step : tree_->steps) {
    const bool place = step.step.kind == ElementaryKind::place;
    place_of_.push_back(place ? static_cast<int>(places_.size()) : -1);
    if (place) places_.emplace_back();
  }
  prescribed_s_.assign(tree_->prescribed.size(), zero_);
  pose_.resize(steps);
  V_.assign(steps, zero_);
  A_.assign(steps, zero_);
  wrench_.assign(steps, zero_);
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

template <>
Twist<Planar> TreeMotion<Planar>::column(const ElementaryJoint<Planar>& step,
                                         const Pose<Planar>& pose) {
  return step.kind == ElementaryKind::slide ? sliding<Planar>(step.sign * pose.rotation().col(0))
                                            : turning(pose.p, step.sign);
}

template <>
Twist<Spatial> TreeMotion<Spatial>::column(const ElementaryJoint<Spatial>& step,
                                           const Pose<Spatial>& pose) {
  const Eigen::Vector3d n = step.sign * (pose.e * Eigen::Vector3d::UnitZ());
  Twist<Spatial> s = step.kind == ElementaryKind::slide ? sliding<Spatial>(n) : turning(pose.p, n);
  if (step.kind == ElementaryKind::screw) s.head<3>() += step.lead * n;
  return s;
}

template <class S>
void TreeMotion<S>::set_columns(const TreeStep<S>& step, const Pose<S>& pose) {
  if (step.prescribed >= 0) {
    prescribed_s_[index(step.prescribed)] = column(step.step, pose);
    return;
  }
  if constexpr (S::space == model::Space::spatial) {
    if (step.step.kind == ElementaryKind::ball) {
      const Eigen::Matrix3d R = pose.rotation();
      for (int j = 0; j < 3; ++j) s_[index(step.v + j)] = turning(pose.p, R.col(j));
      return;
    }
  }
  s_[index(step.v)] = column(step.step, pose);
}

template <class S>
void TreeMotion<S>::set_place(const TreeStep<S>& step,
                              const Pose<S>& pose,
                              const double* q,
                              Place& place) {
  std::copy_n(q, S::dimension, place.q.begin());
  place.axes = step.step.sign * pose.rotation();
  const PositionForm<S>& form = *step.step.form;
  for (int i = 0; i < S::dimension; ++i) {
    s_[index(step.v + i)] = sliding<S>(place.axes * form.first(q, i));
    for (int j = 0; j < S::dimension; ++j) {
      place.second[index(i * S::dimension + j)] = sliding<S>(place.axes * form.second(q, i, j));
    }
  }
}

template <class S>
void TreeMotion<S>::set_place_rates(const TreeStep<S>& step, const Vector& v, Place& place) {
  for (int i = 0; i < S::dimension; ++i) {
    Twist<S>& e = place.e[index(i)];
    e.setZero();
    for (int j = 0; j < S::dimension; ++j) {
      e += place.second[index(i * S::dimension + j)] * v[step.v + j];
    }
    u_[index(step.v + i)] += e;
  }
}

// e_i' = V_p x e_i + sum s_ij v_j' + sum s_ijk v_j v_k.
template <class S>
void TreeMotion<S>::set_place_second_rates(const TreeStep<S>& step,
                                           const Vector& v,
                                           const Vector& a,
                                           Place& place) {
  for (int i = 0; i < S::dimension; ++i) {
    Twist<S>& rate = place.e_rate[index(i)];
    rate = cross(V(step.parent), place.e[index(i)]) +
           sliding<S>(place.axes * step.step.form->third(place.q.data(), i, v.data() + step.v));
    for (int j = 0; j < S::dimension; ++j) {
      rate += place.second[index(i * S::dimension + j)] * a[step.v + j];
    }
  }
}

template <class S>
void TreeMotion<S>::set_positions(const Vector& q) {
  for (std::size_t k = 0; k < tree_->steps.size(); ++k) {
    const TreeStep<S>& step = tree_->steps[k];
    const double* value = step.prescribed < 0 ? q.data() + step.q : &prescribed_[step.prescribed].q;
    Pose<S> before = step.step.before;
    if (step.parent < 0) before.p -= origin_;
    const Pose<S> moved = before * elementary_pose(step.step, value);
    pose_[k] = step.parent < 0 ? moved : pose_[index(step.parent)] * moved;
    if (place_of_[k] >= 0) {
      set_place(step, pose_[k], value, places_[index(place_of_[k])]);
    } else {
      set_columns(step, pose_[k]);
    }
  }
  for (std::size_t i = 1; i < tree_->nodes.size(); ++i) {
    const CarriedNode<S>& node = tree_->nodes[i];
    node_pose_[i] = node.step < 0 ? node.place : pose_[index(node.step)] * node.place;
    if (node.step < 0) node_pose_[i].p -= origin_;
    node_p_[i] = node_pose_[i].p;
    node_R_[i] = node_pose_[i].rotation();
  }
}

template <class S>
void TreeMotion<S>::set_velocity(int number, const Vector& v) {
  const TreeStep<S>& step = tree_->steps[index(number)];
  const Twist<S>& parent = V(step.parent);
  Twist<S> sum = parent;
  if (step.prescribed >= 0) {
    sum += prescribed_s_[index(step.prescribed)] * prescribed_[step.prescribed].rate;
  }
  for (int i = step.v; i < step.v + step.velocities; ++i) {
    sum += s(i) * v[i];
    u_[index(i)] = cross(parent, s(i));
  }
  const int place = place_of_[index(number)];
  if (place >= 0) set_place_rates(step, v, places_[index(place)]);
  V_[index(number)] = sum;
}

template <class S>
void TreeMotion<S>::set_velocities(const Vector& v) {
  for (std::size_t k = 0; k < tree_->steps.size(); ++k) set_velocity(static_cast<int>(k), v);
}

template <class S>
void TreeMotion<S>::set_accelerations(const Vector& v, const Vector& a) {
  for (std::size_t k = 0; k < tree_->steps.size(); ++k) {
    const TreeStep<S>& step = tree_->steps[k];
    A_[k] = A(step.parent);
    if (step.prescribed >= 0) {
      const Twist<S>& s = prescribed_s_[index(step.prescribed)];
      const auto& value = prescribed_[step.prescribed];
      A_[k] += s * value.acceleration + cross(V(step.parent), s) * value.rate;
    }
    for (int i = step.v; i < step.v + step.velocities; ++i) A_[k] += s(i) * a[i] + u(i) * v[i];
    if (place_of_[k] >= 0) set_place_second_rates(step, v, a, places_[index(place_of_[k])]);
  }
}

template <class S>
void TreeMotion<S>::set_second_derivatives() {
  for (std::size_t k = 0; k < tree_->steps.size(); ++k) {
    const TreeStep<S>& step = tree_->steps[k];
    for (int i = step.v; i < step.v + step.velocities; ++i) {
      s_rate_[index(i)] = step.step.kind == ElementaryKind::ball ? cross(V_[k], s(i)) : u(i);
      b_[index(i)] = cross(A(step.parent), s(i)) + cross(V(step.parent), u(i));
      if (place_of_[k] >= 0) b_[index(i)] += places_[index(place_of_[k])].e_rate[index(i - step.v)];
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
    const Twist<S>& twist = V(tree_->nodes[i].step);
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
    const Twist<S>& twist = V(tree_->nodes[i].step);
    const Twist<S>& rate = A(tree_->nodes[i].step);
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
    const int step = tree_->nodes[i].step;
    if (step < 0) continue;
    wrench_[index(step)] += wrench_of(mechanism_->nodes[i], node_p_[i], node_R_[i], absolute_r);
  }
  for (std::size_t k = tree_->steps.size(); k-- > 0;) {
    const int parent = tree_->steps[k].parent;
    if (parent >= 0) wrench_[index(parent)] += wrench_[k];
  }
}

template <class S>
void TreeMotion<S>::pull_back(const Vector& absolute_r, Vector& r) {
  sum_wrenches(absolute_r);
  r.resize(tree_->velocities);
  for (std::size_t k = 0; k < tree_->steps.size(); ++k) {
    const TreeStep<S>& step = tree_->steps[k];
    for (int i = step.v; i < step.v + step.velocities; ++i) r[i] = s(i).dot(wrench_[k]);
  }
}

template <class S>
std::size_t TreeMotion<S>::memory_bytes() const {
  return (pose_.capacity() + node_pose_.capacity()) * sizeof(Pose<S>) +
         node_p_.capacity() * (sizeof(Point) + sizeof(Rotation)) +
         (V_.capacity() + A_.capacity() + wrench_.capacity() + 4 * s_.capacity()) *
             sizeof(Twist<S>);
}

template class TreeMotion<Planar>;
template class TreeMotion<Spatial>;

}  // namespace trammel::formulation
