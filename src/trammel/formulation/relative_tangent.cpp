#include "trammel/formulation/relative_tangent.h"

#include <cmath>

#include "trammel/math/rotation.h"

namespace trammel::formulation {
namespace {

using model::Node;
using system::Vector;

// Matrices on twists: w x a, as the linear part.
TwistMatrix<Spatial> turn_of(const Eigen::Vector3d& a, double factor) {
  TwistMatrix<Spatial> L = TwistMatrix<Spatial>::Zero();
  L.topRightCorner<3, 3>() = -factor * math::skew(a);
  return L;
}
TwistMatrix<Planar> turn_of(const Eigen::Vector2d& a, double factor) {
  TwistMatrix<Planar> L = TwistMatrix<Planar>::Zero();
  L.topRightCorner<2, 1>() = factor * model::perpendicular(a);
  return L;
}

// dA by c2: 2 c2_w x p', and -w x c2_w in body axes.
TwistMatrix<Spatial> coriolis(const Eigen::Vector3d& velocity,
                              const Eigen::Vector3d& w,
                              const Eigen::Matrix3d& R) {
  TwistMatrix<Spatial> L = turn_of(velocity, 2.0);
  L.bottomRightCorner<3, 3>() = -R.transpose() * math::skew(w);
  return L;
}
TwistMatrix<Planar> coriolis(const Eigen::Vector2d& velocity,
                             const Eigen::Matrix<double, 1, 1>& /*w*/,
                             const Eigen::Matrix2d& /*R*/) {
  return turn_of(velocity, 2.0);
}

// Change of a node's wrench about the origin when the node is moved and r keeps its components.
TwistMatrix<Spatial> turned_load(const Node<Spatial>& node,
                                 const Eigen::Vector3d& p,
                                 const Eigen::Matrix3d& R,
                                 const Vector& r) {
  TwistMatrix<Spatial> N = TwistMatrix<Spatial>::Zero();
  const Eigen::Matrix3d F = math::skew(r.segment<3>(node.v));
  N.bottomLeftCorner<3, 3>() = -F;
  N.bottomRightCorner<3, 3>() = F * math::skew(p);
  if (node.freedoms == Spatial::freedoms) {
    N.bottomRightCorner<3, 3>() -= math::skew(R * r.segment<3>(node.v + 3));
  }
  return N;
}
TwistMatrix<Planar> turned_load(const Node<Planar>& node,
                                const Eigen::Vector2d& p,
                                const Eigen::Matrix2d& /*R*/,
                                const Vector& r) {
  TwistMatrix<Planar> N = TwistMatrix<Planar>::Zero();
  const Eigen::Vector2d across(r[node.v + 1], -r[node.v]);
  N.bottomLeftCorner<1, 2>() = across.transpose();
  N(2, 2) = across.dot(model::perpendicular(p));
  return N;
}

template <class S>
TwistMatrix<S> mass_matrix(const Node<S>& node) {
  TwistMatrix<S> M = TwistMatrix<S>::Zero();
  M.diagonal().template head<S::dimension>().setConstant(node.mass);
  if (node.freedoms == S::freedoms) {
    if constexpr (S::space == model::Space::planar) {
      M(2, 2) = node.inertia;
    } else {
      M.template bottomRightCorner<3, 3>() = node.inertia;
    }
  }
  return M;
}

}  // namespace

template <class S>
RelativeTangent<S>::RelativeTangent(std::shared_ptr<const model::Mechanism<S>> mechanism,
                                    std::shared_ptr<const RelativePattern> pattern)
    : mechanism_(std::move(mechanism)),
      pattern_(std::move(pattern)),
      sums_(pattern_->slots.size()) {
  const auto velocities = static_cast<std::size_t>(pattern_->pattern->velocities);
  c1_.resize(velocities);
  c2_.resize(velocities);
  c3_.resize(velocities);
}

template <class S>
void RelativeTangent<S>::set_columns(const TreeMotion<S>& motion,
                                     const system::Weights& weights,
                                     const Vector* step) {
  const double w_q = weights.position;
  const double w_v = weights.velocity;
  const double w_a = weights.acceleration;
  position_weight_ = w_q;
  for (const TreeJoint<S>& tree_joint : motion.tree().joints) {
    for (int i = tree_joint.v; i < tree_joint.v + tree_joint.velocities; ++i) {
      const auto k = static_cast<std::size_t>(i);
      c1_[k] = w_q * motion.s(i);
      c2_[k] = w_q * motion.u(i) + w_v * motion.s(i);
      c3_[k] = w_q * motion.b(i) + w_v * (motion.u(i) + motion.s_rate(i)) + w_a * motion.s(i);
    }
    if (step == nullptr || tree_joint.elementary.kind != ElementaryKind::ball) continue;
    const Eigen::Matrix3d P = math::inverse_tangent_operator(step->segment<3>(tree_joint.v));
    for (int j = 0; j < 3; ++j) {
      const auto k = static_cast<std::size_t>(tree_joint.v + j);
      c2_[k] = w_q * motion.u(tree_joint.v + j);
      c3_[k] = w_q * motion.b(tree_joint.v + j);
      for (int l = 0; l < 3; ++l) {
        const int i = tree_joint.v + l;
        c2_[k] += P(l, j) * w_v * motion.s(i);
        c3_[k] += P(l, j) * (w_v * (motion.u(i) + motion.s_rate(i)) + w_a * motion.s(i));
      }
    }
  }
}

template <class S>
void RelativeTangent<S>::add_nodes(const TreeMotion<S>& motion,
                                   const Absolute& absolute,
                                   bool only_mass) {
  for (std::size_t i = 1; i < mechanism_->nodes.size(); ++i) {
    if (pattern_->node_slots[i] < 0) continue;
    const Node<S>& node = mechanism_->nodes[i];
    const auto number = static_cast<int>(i);
    Sums& sums = sums_[static_cast<std::size_t>(pattern_->node_slots[i])];
    const TwistMatrix<S> E = motion.node_map(number);
    const TwistMatrix<S> load = E.transpose() * mass_matrix(node);  // E^T M
    sums.K3.noalias() += load * E;
    if (only_mass) continue;
    const typename S::Point velocity =
        absolute.motion.state.v.template segment<S::dimension>(node.v);
    const typename S::Point acceleration = absolute.motion.a.template segment<S::dimension>(node.v);
    const Eigen::Matrix<double, S::rotations, 1> w =
        motion.V(motion.tree().nodes[i].joint).template tail<S::rotations>();
    sums.K2.noalias() += load * coriolis(velocity, w, motion.node_rotation(number));
    sums.K1.noalias() += load * turn_of(acceleration, 1.0);
    sums.K1 +=
        turned_load(node, motion.node_position(number), motion.node_rotation(number), absolute.r);
  }
}

template <class S>
void RelativeTangent<S>::add_pairs(const TreeMotion<S>& motion, const Absolute& absolute) {
  for (const NodePair& pair : pattern_->pairs) {
    TwistMatrix<S> K_q = TwistMatrix<S>::Zero();
    TwistMatrix<S> K_v = TwistMatrix<S>::Zero();
    for (int k = pair.first; k < pair.first + pair.count; ++k) {
      const BlockEntry& entry = pattern_->entries[static_cast<std::size_t>(k)];
      const auto position = static_cast<std::size_t>(entry.position);
      K_q(entry.row, entry.column) = absolute.K_q.values[position];
      K_v(entry.row, entry.column) = absolute.K_v.values[position];
    }
    Sums& sums = sums_[static_cast<std::size_t>(pair.slot)];
    const TwistMatrix<S> E_i = motion.node_map(pair.row_node);
    const TwistMatrix<S> E_j = motion.node_map(pair.column_node);
    const Node<S>& node = mechanism_->nodes[static_cast<std::size_t>(pair.column_node)];
    const typename S::Point velocity =
        absolute.motion.state.v.template segment<S::dimension>(node.v);
    const TwistMatrix<S> damping = E_i.transpose() * K_v;
    sums.K1.noalias() += E_i.transpose() * K_q * E_j;
    sums.K1.noalias() += damping * turn_of(velocity, 1.0);
    sums.K2.noalias() += damping * E_j;
  }
}

template <class S>
void RelativeTangent<S>::assemble(const TreeMotion<S>& motion,
                                  const Absolute& absolute,
                                  const system::Weights& weights,
                                  const Vector* step,
                                  system::KktMatrix& tangent) {
  for (Sums& sums : sums_) {
    sums.K1.setZero();
    sums.K2.setZero();
    sums.K3.setZero();
  }
  const bool only_mass = weights.position == 0.0 && weights.velocity == 0.0;
  set_columns(motion, weights, step);
  add_nodes(motion, absolute, only_mass);
  if (!only_mass) add_pairs(motion, absolute);
  for (std::size_t k = 0; k < pattern_->slots.size(); ++k) {
    const Slot& slot = pattern_->slots[k];
    add_slot(motion, slot, sums_[k], tangent);
    if (slot.target < 0) continue;
    Sums& target = sums_[static_cast<std::size_t>(slot.target)];
    target.K1 += sums_[k].K1;
    target.K2 += sums_[k].K2;
    target.K3 += sums_[k].K3;
  }
}

template <class S>
double RelativeTangent<S>::own_curvature(
    const TreeMotion<S>& motion, const Slot& slot, int joint, int i, int j) const {
  if (position_weight_ == 0.0 || joint != slot.row || slot.row != slot.column) return 0.0;
  const Twist<S>* derivative = motion.column_derivative(joint, j, i);
  return derivative == nullptr ? 0.0 : position_weight_ * derivative->dot(motion.wrench(joint));
}

template <class S>
void RelativeTangent<S>::add_slot(const TreeMotion<S>& motion,
                                  const Slot& slot,
                                  const Sums& sums,
                                  system::KktMatrix& tangent) const {
  const auto& joints = motion.tree().joints;
  const int* position = pattern_->positions.data() + slot.first_position;
  double* values = tangent.values.data();
  const auto at = [&](int joint) -> const TreeJoint<S>& {
    return joints[static_cast<std::size_t>(joint)];
  };
  if (slot.row >= slot.column) {
    const TreeJoint<S>& own = at(slot.row);
    for (int j = own.v; j < own.v + own.velocities; ++j) {
      const Twist<S>& s = motion.s(j);
      Twist<S> f1 = sums.K1.transpose() * s;
      if (slot.row == slot.column) f1 += cross_wrench(s, motion.wrench(slot.row));
      const Twist<S> f2 = sums.K2.transpose() * s;
      const Twist<S> f3 = sums.K3.transpose() * s;
      for (int l = slot.column; l >= 0; l = at(l).parent) {
        for (int m = at(l).v; m < at(l).v + at(l).velocities; ++m) {
          const auto c = static_cast<std::size_t>(m);
          values[*position++] += f1.dot(c1_[c]) + f2.dot(c2_[c]) + f3.dot(c3_[c]) +
                                 own_curvature(motion, slot, l, j - own.v, m - own.v);
        }
      }
    }
  }
  if (slot.column >= slot.row) {
    const TreeJoint<S>& own = at(slot.column);
    const int first = slot.row == slot.column ? own.parent : slot.row;
    for (int m = own.v; m < own.v + own.velocities; ++m) {
      const auto c = static_cast<std::size_t>(m);
      const Twist<S> load = sums.K1 * c1_[c] + sums.K2 * c2_[c] + sums.K3 * c3_[c];
      for (int l = first; l >= 0; l = at(l).parent) {
        for (int j = at(l).v; j < at(l).v + at(l).velocities; ++j) {
          values[*position++] += motion.s(j).dot(load);
        }
      }
    }
  }
}

template <class S>
void RelativeTangent<S>::assemble_rows(const TreeMotion<S>& motion,
                                       const system::KktMatrix& absolute,
                                       double length,
                                       system::KktMatrix& tangent) const {
  const auto linear = [](const Twist<S>& s) { return s.template head<S::dimension>().norm(); };
  const auto angular = [](const Twist<S>& s) { return s.template tail<S::rotations>().norm(); };
  const auto& joints = motion.tree().joints;
  for (const RowPart& part : pattern_->rows) {
    Twist<S> row = Twist<S>::Zero();
    for (int k = part.first; k < part.first + part.count; ++k) {
      const BlockEntry& entry = pattern_->row_entries[static_cast<std::size_t>(k)];
      row[entry.column] = absolute.values[static_cast<std::size_t>(entry.position)];
    }
    const Twist<S> load = motion.node_map(part.node).transpose() * row;
    const double load_size = linear(load) * length + angular(load);
    const int* position = pattern_->positions.data() + part.first_position;
    int joint = motion.tree().nodes[static_cast<std::size_t>(part.node)].joint;
    for (; joint >= 0; joint = joints[static_cast<std::size_t>(joint)].parent) {
      const TreeJoint<S>& on_path = joints[static_cast<std::size_t>(joint)];
      for (int m = on_path.v; m < on_path.v + on_path.velocities; ++m) {
        double& entry = tangent.values[static_cast<std::size_t>(*position++)];
        const Twist<S>& s = motion.s(m);
        const double terms = std::abs(entry) + load_size * (linear(s) / length + angular(s));
        entry += load.dot(s);
        if (std::abs(entry) <= cancelled_share * terms) entry = 0.0;
      }
    }
  }
}

template <class S>
std::size_t RelativeTangent<S>::memory_bytes() const {
  return sums_.capacity() * sizeof(Sums) + 3 * c1_.capacity() * sizeof(Twist<S>);
}

template class RelativeTangent<Planar>;
template class RelativeTangent<Spatial>;

}  // namespace trammel::formulation
