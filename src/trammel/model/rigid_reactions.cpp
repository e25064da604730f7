// Loads of a rigid system that depend on reactions: friction in joints, laws that read loads.
#include <cmath>

#include "trammel/math/rotation.h"
#include "trammel/model/rigid_system.h"

namespace trammel::model {

using system::Vector;

namespace {

// Moment about the joint's point in body axes (its size is that in world axes), and its derivative
// from that of the wrench.
template <class S>
struct MomentSlope {
  Eigen::Matrix<double, S::rotations, 1> value;
  Eigen::Matrix<double, S::rotations, pair_freedoms<S>> slope;
};

MomentSlope<Spatial> moment_slope(const Spatial::Kinematics& k,
                                  const Eigen::Vector3d& l,
                                  const Eigen::Matrix<double, 6, 1>& wrench,
                                  const Eigen::Matrix<double, 6, 12>& wrench_q) {
  const Eigen::Vector3d force = k.R.transpose() * wrench.head<3>();
  Eigen::Matrix<double, 3, 12> force_q = k.R.transpose() * wrench_q.topRows<3>();
  force_q.rightCols<3>() += math::skew(force);
  return {wrench.tail<3>() - l.cross(force), wrench_q.bottomRows<3>() - math::skew(l) * force_q};
}

MomentSlope<Planar> moment_slope(const Planar::Kinematics& k,
                                 const Eigen::Vector2d& l,
                                 const Eigen::Matrix<double, 3, 1>& wrench,
                                 const Eigen::Matrix<double, 3, 6>& wrench_q) {
  const Eigen::Vector2d arm = k.R * l;
  MomentSlope<Planar> moment;
  moment.value[0] = wrench[2] - perpendicular(arm).dot(wrench.head<2>());
  moment.slope = wrench_q.row(2) - perpendicular(arm).transpose() * wrench_q.topRows<2>();
  moment.slope(0, 5) += arm.dot(wrench.head<2>());
  return moment;
}

// |T|^2 about the joint's point.
double squared_moment(const Planar::Kinematics& k,
                      const Eigen::Vector2d& l,
                      const Eigen::Matrix<double, 3, 1>& wrench) {
  const double moment = wrench[2] - perpendicular(k.R * l).dot(wrench.head<2>());
  return moment * moment;
}

double squared_moment(const Spatial::Kinematics& k,
                      const Eigen::Vector3d& l,
                      const Eigen::Matrix<double, 6, 1>& wrench) {
  return (wrench.tail<3>() - l.cross(k.R.transpose() * wrench.head<3>())).squaredNorm();
}

}  // namespace

// dN/dq at fixed multipliers: K = d(G^T lambda)/dq is the derivative of the negative wrench.
template <class S>
PairVector<S> RigidSystem<S>::normal_load_slope(const NamedJointFriction<S>& named,
                                                const system::Motion& motion) const {
  constexpr int n = S::freedoms;
  const MechanismJoint<S>& joint = mechanism_->joints[named.joint];
  const Kinematics& a = at(joint.a.node);
  const Kinematics& b = at(joint.b.node);
  PairMatrix<S> K = PairMatrix<S>::Zero();
  for (int c = joint.first_constraint; c < joint.first_constraint + joint.constraints; ++c) {
    const auto index = static_cast<std::size_t>(c);
    mechanism_->constraints[index]->add_stiffness(
        a, b, motion.state.t, motion.lambda.data() + mechanism_->first_row[index], 1.0, K);
  }
  const Eigen::Matrix<double, n, pair_freedoms<S>> wrench_q = -K.template bottomRows<n>();
  const NodeVector wrench = joint_reaction(joint, motion);
  const typename S::Point force = wrench.template head<S::dimension>();
  double square = force.squaredNorm();
  PairVector<S> slope = wrench_q.template topRows<S::dimension>().transpose() * force;
  if (named.parameters.lever > 0.0) {
    const MomentSlope<S> moment = moment_slope(b, joint.b.l, wrench, wrench_q);
    const double weight = 1.0 / (named.parameters.lever * named.parameters.lever);
    square += weight * moment.value.squaredNorm();
    slope += weight * moment.slope.transpose() * moment.value;
  }
  if (square == 0.0) return PairVector<S>::Zero();
  return slope / std::sqrt(square);
}

template <class S>
JointFrictionParameters::Load RigidSystem<S>::friction_load(const NamedJointFriction<S>& named,
                                                            const system::Motion& motion) const {
  const MechanismJoint<S>& joint = mechanism_->joints[named.joint];
  const double rate = named.coordinate->rate(at(joint.a.node), at(joint.b.node));
  return named.parameters.at(rate, normal_load(named, motion), slip_of(named).slip);
}

template <class S>
void RigidSystem<S>::add_reaction_loads(const system::Motion& motion, double factor, Vector& f) {
  for (const NamedJointFriction<S>& named : mechanism_->joint_frictions) {
    const MechanismJoint<S>& joint = mechanism_->joints[named.joint];
    const Kinematics& a = at(joint.a.node);
    const Kinematics& b = at(joint.b.node);
    PairVector<S> J;
    named.coordinate->jacobian(a, b, J);
    add_to_nodes(joint.a.node, joint.b.node, J, factor * friction_load(named, motion).load, f);
  }
  const Place<S> place = place_at(motion);
  for (const NamedLaw<S>& named : mechanism_->laws) {
    if (!named.law.depends_on_reactions()) continue;
    named.law.evaluate(place, work_);
    add_local(named.law.nodes(), work_.row, factor, f);
  }
}

template <class S>
void RigidSystem<S>::reaction_loads(const system::Motion& motion, Vector& h) {
  update(motion.state);
  h.setZero(mechanism_->sizes.v);
  add_reaction_loads(motion, 1.0, h);
}

// Of every joint's rows; the wrench of a unit multiplier acts on node b.
template <class S>
void RigidSystem<S>::reaction_weights(const system::State& state, Vector& weights) {
  update(state);
  weights.setZero(mechanism_->sizes.multipliers());
  const double length = mechanism_->size;
  for (const MechanismJoint<S>& joint : mechanism_->joints) {
    const Kinematics& b = at(joint.b.node);
    for (int c = joint.first_constraint; c < joint.first_constraint + joint.constraints; ++c) {
      const auto index = static_cast<std::size_t>(c);
      const Constraint<S>& primitive = *mechanism_->constraints[index];
      typename Constraint<S>::Rows g;
      typename Constraint<S>::Jacobian G;
      G.setZero();
      primitive.linearise(at(joint.a.node), b, state.t, g, G);
      for (int i = 0; i < primitive.rows(); ++i) {
        const NodeVector wrench = G.row(i).template tail<S::freedoms>().transpose();
        const double force = wrench.template head<S::dimension>().squaredNorm();
        const double moment = squared_moment(b, joint.b.l, wrench);
        weights[mechanism_->first_row[index] + i] = length * length * force + moment;
      }
    }
  }
}

// As a law F(x', N) along the coordinate, see law.h; the multipliers in N are fixed.
template <class S>
void RigidSystem<S>::add_joint_friction_tangents(const system::Motion& motion,
                                                 const system::Weights& weights,
                                                 system::KktMatrix& tangent) {
  if (weights.position == 0.0 && weights.velocity == 0.0) return;
  constexpr int n = S::freedoms;
  for (const NamedJointFriction<S>& named : mechanism_->joint_frictions) {
    const MechanismJoint<S>& joint = mechanism_->joints[named.joint];
    const Kinematics& a = at(joint.a.node);
    const Kinematics& b = at(joint.b.node);
    const auto F = friction_load(named, motion);
    const auto per_normal_load =
        named.parameters.at(named.coordinate->rate(a, b), 1.0, slip_of(named).slip);
    PairVector<S> J;
    PairMatrix<S> H;
    named.coordinate->jacobian(a, b, J);
    named.coordinate->derivative(a, b, H);
    const PairVector<S> rate_q = H.transpose() * pair_velocity<S>(a, b);
    const PairVector<S> F_q =
        F.by_rate * rate_q + per_normal_load.load * normal_load_slope(named, motion);
    const PairMatrix<S> f_q = F.load * H + J * F_q.transpose();
    PairMatrix<S> f_v = F.by_rate * J * J.transpose();
    if (has_step_) {
      f_v.template leftCols<n>() *= pull_back_[static_cast<std::size_t>(joint.a.node)];
      f_v.template rightCols<n>() *= pull_back_[static_cast<std::size_t>(joint.b.node)];
    }
    const PairMatrix<S> K = -weights.position * f_q - weights.velocity * f_v;
    add_pair_matrix(named, joint, K, tangent);
  }
}

// Entries of the nodes that are not the ground, by columns as in named.stiffness.
template <class S>
void RigidSystem<S>::add_pair_matrix(const NamedJointFriction<S>& named,
                                     const MechanismJoint<S>& joint,
                                     const PairMatrix<S>& K,
                                     system::KktMatrix& tangent) const {
  constexpr int n = S::freedoms;
  const auto offset = [&](int number) { return number == joint.a.node ? 0 : n; };
  auto position = named.stiffness.begin();
  for (const int column : named.nodes.nodes()) {
    for (int j = 0; j < n; ++j) {
      for (const int row : named.nodes.nodes()) {
        for (int i = 0; i < n; ++i, ++position) {
          if (*position < 0) continue;
          tangent.values[static_cast<std::size_t>(*position)] +=
              K(offset(row) + i, offset(column) + j);
        }
      }
    }
  }
}

template <class S>
double RigidSystem<S>::joint_friction_power(const system::Motion& motion) const {
  double dissipated = 0.0;
  for (const NamedJointFriction<S>& named : mechanism_->joint_frictions) {
    const MechanismJoint<S>& joint = mechanism_->joints[named.joint];
    const double rate = named.coordinate->rate(at(joint.a.node), at(joint.b.node));
    dissipated -= friction_load(named, motion).load * rate;
  }
  return dissipated;
}

template JointFrictionParameters::Load RigidSystem<Planar>::friction_load(
    const NamedJointFriction<Planar>&, const system::Motion&) const;
template JointFrictionParameters::Load RigidSystem<Spatial>::friction_load(
    const NamedJointFriction<Spatial>&, const system::Motion&) const;
template void RigidSystem<Planar>::add_reaction_loads(const system::Motion&, double, Vector&);
template void RigidSystem<Planar>::reaction_loads(const system::Motion&, Vector&);
template void RigidSystem<Planar>::reaction_weights(const system::State&, Vector&);
template void RigidSystem<Planar>::add_joint_friction_tangents(const system::Motion&,
                                                               const system::Weights&,
                                                               system::KktMatrix&);
template void RigidSystem<Planar>::add_pair_matrix(const NamedJointFriction<Planar>&,
                                                   const MechanismJoint<Planar>&,
                                                   const PairMatrix<Planar>&,
                                                   system::KktMatrix&) const;
template double RigidSystem<Planar>::joint_friction_power(const system::Motion&) const;
template void RigidSystem<Spatial>::add_reaction_loads(const system::Motion&, double, Vector&);
template void RigidSystem<Spatial>::reaction_loads(const system::Motion&, Vector&);
template void RigidSystem<Spatial>::reaction_weights(const system::State&, Vector&);
template void RigidSystem<Spatial>::add_joint_friction_tangents(const system::Motion&,
                                                                const system::Weights&,
                                                                system::KktMatrix&);
template void RigidSystem<Spatial>::add_pair_matrix(const NamedJointFriction<Spatial>&,
                                                    const MechanismJoint<Spatial>&,
                                                    const PairMatrix<Spatial>&,
                                                    system::KktMatrix&) const;
template double RigidSystem<Spatial>::joint_friction_power(const system::Motion&) const;

}  // namespace trammel::model
