#include "trammel/model/elements/joint_group.h"

#include "trammel/model/elements/joint_wrench.h"
#include "trammel/model/elements/local_freedoms.h"

namespace trammel::model {

using system::Vector;

template <class S>
void JointGroup<S>::add_residual(const Instant<S>& now, Part part, Vector& r, Vector& rows) const {
  for (std::size_t c = part.first; c < part.last; ++c) {
    const Constraint<S>& primitive = *m_.constraints[c];
    const int first = m_.first_row[c];
    typename Constraint<S>::Rows g;
    typename Constraint<S>::Jacobian G;
    G.setZero();
    primitive.linearise(now.at(primitive.node_a()), now.at(primitive.node_b()), now.t, g, G);
    PairVector<S> local = PairVector<S>::Zero();
    for (int i = 0; i < primitive.rows(); ++i) {
      rows[first + i] = g[i];
      local += (*now.lambda)[first + i] * G.row(i).transpose();
    }
    add_to_pair(m_, primitive.node_a(), primitive.node_b(), local, 1.0, r);
  }
}

template <class S>
void JointGroup<S>::add_tangent(const Instant<S>& now,
                                Part part,
                                const system::Weights& weights,
                                system::KktMatrix& tangent) const {
  double* values = tangent.values.data();
  for (std::size_t c = part.first; c < part.last; ++c) {
    const Constraint<S>& primitive = *m_.constraints[c];
    const typename S::Kinematics& a = now.at(primitive.node_a());
    const typename S::Kinematics& b = now.at(primitive.node_b());
    typename Constraint<S>::Rows g;
    typename Constraint<S>::Jacobian G;
    primitive.linearise(a, b, now.t, g, G);
    for (int k = m_.first_jacobian[c]; k < m_.first_jacobian[c + 1]; ++k) {
      const JacobianScatter& entry = m_.jacobian_scatter[static_cast<std::size_t>(k)];
      values[entry.position] += G.data()[entry.local];
    }
    if (weights.position == 0.0 || m_.first_stiffness[c] == m_.first_stiffness[c + 1]) continue;
    PairMatrix<S> K = PairMatrix<S>::Zero();
    primitive.add_stiffness(a, b, now.t, now.lambda->data() + m_.first_row[c], weights.position, K);
    add_runs<S>(m_.stiffness_scatter, m_.first_stiffness[c], m_.first_stiffness[c + 1], K, values);
  }
}

template <class S>
void JointGroup<S>::positions(const Instant<S>& now, Part part, Vector& g) const {
  for (std::size_t c = part.first; c < part.last; ++c) {
    const Constraint<S>& primitive = *m_.constraints[c];
    typename Constraint<S>::Rows rows = Constraint<S>::Rows::Zero();
    typename Constraint<S>::Jacobian G;
    if (primitive.holonomic()) {
      primitive.linearise(now.at(primitive.node_a()), now.at(primitive.node_b()), now.t, rows, G);
    }
    for (int i = 0; i < primitive.rows(); ++i) g[m_.first_row[c] + i] = rows[i];
  }
}

template <class S>
void JointGroup<S>::velocities(const Instant<S>& now, Part part, Vector& g_dot) const {
  for (std::size_t c = part.first; c < part.last; ++c) {
    const Constraint<S>& primitive = *m_.constraints[c];
    const typename S::Kinematics& a = now.at(primitive.node_a());
    const typename S::Kinematics& b = now.at(primitive.node_b());
    typename Constraint<S>::Rows rows;
    typename Constraint<S>::Jacobian G;
    G.setZero();
    primitive.linearise(a, b, now.t, rows, G);
    primitive.time_derivative(now.t, rows);
    const PairVector<S> v = pair_velocity<S>(a, b);
    for (int i = 0; i < primitive.rows(); ++i) {
      g_dot[m_.first_row[c] + i] = G.row(i).dot(v) + rows[i];
    }
  }
}

template <class S>
void JointGroup<S>::biases(const Instant<S>& now, Part part, Vector& gamma) const {
  for (std::size_t c = part.first; c < part.last; ++c) {
    const Constraint<S>& primitive = *m_.constraints[c];
    typename Constraint<S>::Rows rows;
    primitive.bias(now.at(primitive.node_a()), now.at(primitive.node_b()), now.t, rows);
    for (int i = 0; i < primitive.rows(); ++i) gamma[m_.first_row[c] + i] = rows[i];
  }
}

template <class S>
void JointGroup<S>::jacobian_product(const Instant<S>& now,
                                     Part part,
                                     const Vector& x,
                                     Vector& rows) const {
  for (std::size_t c = part.first; c < part.last; ++c) {
    const Constraint<S>& primitive = *m_.constraints[c];
    typename Constraint<S>::Rows g;
    typename Constraint<S>::Jacobian G;
    G.setZero();
    primitive.linearise(now.at(primitive.node_a()), now.at(primitive.node_b()), now.t, g, G);
    const PairVector<S> local = of_pair(m_, primitive.node_a(), primitive.node_b(), x);
    for (int i = 0; i < primitive.rows(); ++i) rows[m_.first_row[c] + i] = G.row(i).dot(local);
  }
}

template <class S>
void JointGroup<S>::add_transposed_product(const Instant<S>& now,
                                           Part part,
                                           const Vector& lambda,
                                           Vector& r) const {
  for (std::size_t c = part.first; c < part.last; ++c) {
    const Constraint<S>& primitive = *m_.constraints[c];
    typename Constraint<S>::Rows g;
    typename Constraint<S>::Jacobian G;
    G.setZero();
    primitive.linearise(now.at(primitive.node_a()), now.at(primitive.node_b()), now.t, g, G);
    PairVector<S> local = PairVector<S>::Zero();
    for (int i = 0; i < primitive.rows(); ++i) {
      local += lambda[m_.first_row[c] + i] * G.row(i).transpose();
    }
    add_to_pair(m_, primitive.node_a(), primitive.node_b(), local, 1.0, r);
  }
}

// Reactions do the work -lambda^T G v = lambda^T dg/dt on the bodies.
template <class S>
void JointGroup<S>::add_power(const Instant<S>& now, system::Power& power) const {
  for (std::size_t c = 0; c < m_.constraints.size(); ++c) {
    typename Constraint<S>::Rows g_t;
    m_.constraints[c]->time_derivative(now.t, g_t);
    for (int i = 0; i < m_.constraints[c]->rows(); ++i) {
      power.drives += (*now.lambda)[m_.first_row[c] + i] * g_t[i];
    }
  }
}

template <class S>
std::string JointGroup<S>::obstacle() const {
  if (m_.sizes.nonholonomic == 0) return {};
  return "reactions of nonholonomic rows, which hold at the end of a step, do work over it";
}

template <class S>
void JointGroup<S>::add_residual_between(const Instant<S>& now,
                                         const StepEnds<S>& ends,
                                         const Vector& x,
                                         Vector& r) const {
  constexpr int second = S::freedoms + S::dimension;  // first rotation of node b
  for (std::size_t c = 0; c < m_.constraints.size(); ++c) {
    const Constraint<S>& primitive = *m_.constraints[c];
    const auto a = static_cast<std::size_t>(primitive.node_a());
    const auto b = static_cast<std::size_t>(primitive.node_b());
    typename Constraint<S>::Rows g0;
    typename Constraint<S>::Rows g1;
    typename Constraint<S>::Rows g;
    typename Constraint<S>::Jacobian G;
    primitive.linearise(ends.from[a], ends.from[b], now.t, g0, G);
    primitive.linearise(ends.to[a], ends.to[b], now.t, g1, G);
    G.setZero();
    primitive.linearise(now.kinematics[a], now.kinematics[b], now.t, g, G);
    G.template middleCols<S::rotations>(S::dimension) *= ends.turn[a];
    G.template middleCols<S::rotations>(second) *= ends.turn[b];

    const PairVector<S> local_x = of_pair(m_, primitive.node_a(), primitive.node_b(), x);
    PairVector<S> turns = local_x;
    turns.template head<S::dimension>().setZero();
    turns.template segment<S::dimension>(S::freedoms).setZero();

    PairVector<S> local = PairVector<S>::Zero();
    constexpr double still = 1e-16;  // turns below 1e-8 rad: the lack is below round-off
    for (int i = 0; i < primitive.rows(); ++i) {
      const double lambda = (*now.lambda)[m_.first_row[c] + i];
      local += lambda * G.row(i).transpose();
      const double lack = g1[i] - g0[i] - G.row(i).dot(local_x);
      if (turns.squaredNorm() > still) local += lambda * lack / turns.squaredNorm() * turns;
    }
    add_to_pair(m_, primitive.node_a(), primitive.node_b(), local, 1.0, r);
  }
}

// The joint's constraints exert -G_b^T lambda on node b (about its centre of mass).
template <class S>
auto JointGroup<S>::reaction(const MechanismJoint<S>& joint, const Instant<S>& now) const
    -> NodeVector {
  NodeVector wrench = NodeVector::Zero();
  for (int c = joint.first_constraint; c < joint.first_constraint + joint.constraints; ++c) {
    const auto index = static_cast<std::size_t>(c);
    const Constraint<S>& primitive = *m_.constraints[index];
    typename Constraint<S>::Rows g;
    typename Constraint<S>::Jacobian G;
    G.setZero();
    primitive.linearise(now.at(joint.a.node), now.at(joint.b.node), now.t, g, G);
    for (int i = 0; i < primitive.rows(); ++i) {
      wrench -= (*now.lambda)[m_.first_row[index] + i] *
                G.row(i).template tail<S::freedoms>().transpose();
    }
  }
  return wrench;
}

// K = d(G^T lambda)/dq is the derivative of the negative wrench.
template <class S>
Eigen::Matrix<double, S::freedoms, pair_freedoms<S>> JointGroup<S>::reaction_slope(
    const MechanismJoint<S>& joint, const Instant<S>& now) const {
  PairMatrix<S> K = PairMatrix<S>::Zero();
  for (int c = joint.first_constraint; c < joint.first_constraint + joint.constraints; ++c) {
    const auto index = static_cast<std::size_t>(c);
    m_.constraints[index]->add_stiffness(now.at(joint.a.node), now.at(joint.b.node), now.t,
                                         now.lambda->data() + m_.first_row[index], 1.0, K);
  }
  return -K.template bottomRows<S::freedoms>();
}

// The wrench of a unit multiplier acts on node b.
template <class S>
void JointGroup<S>::set_reaction_weights(const Instant<S>& now, Vector& weights) const {
  const double length = m_.size;
  for (const MechanismJoint<S>& joint : m_.joints) {
    const typename S::Kinematics& b = now.at(joint.b.node);
    for (int c = joint.first_constraint; c < joint.first_constraint + joint.constraints; ++c) {
      const auto index = static_cast<std::size_t>(c);
      const Constraint<S>& primitive = *m_.constraints[index];
      typename Constraint<S>::Rows g;
      typename Constraint<S>::Jacobian G;
      G.setZero();
      primitive.linearise(now.at(joint.a.node), b, now.t, g, G);
      for (int i = 0; i < primitive.rows(); ++i) {
        const NodeVector wrench = G.row(i).template tail<S::freedoms>().transpose();
        const double force = wrench.template head<S::dimension>().squaredNorm();
        const double moment = squared_moment(b, joint.b.l, wrench);
        weights[m_.first_row[index] + i] = length * length * force + moment;
      }
    }
  }
}

template class JointGroup<Planar>;
template class JointGroup<Spatial>;

}  // namespace trammel::model
