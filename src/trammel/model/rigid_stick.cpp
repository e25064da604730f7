// Rows by which friction in joints sticks: x - x_held = 0 while it does, open otherwise.
#include <cmath>

#include "trammel/model/rigid_system.h"
#include "trammel/system/open_row.h"

namespace trammel::model {

using system::Vector;

template <class S>
void RigidSystem<S>::find_open_rows() {
  open_rows_.clear();
  for (const NamedJointFriction<S>& named : mechanism_->joint_frictions) {
    const bool sticks = slip_of(named).slip == Slip::sticking;
    if (named.row >= 0 && !sticks) open_rows_.push_back(named.row);
  }
}

template <class S>
std::vector<StickRow> RigidSystem<S>::stick_rows() const {
  std::vector<StickRow> list;
  for (std::size_t i = 0; i < mechanism_->joint_frictions.size(); ++i) {
    const NamedJointFriction<S>& named = mechanism_->joint_frictions[i];
    if (named.row < 0) continue;
    const double scale = named.unit == "N" ? mechanism_->size : 1.0;
    list.push_back({named.name, named.row, i, scale});
  }
  return list;
}

template <class S>
void RigidSystem<S>::set_slip(const StickRow& row, Slip slip, const system::State& state) {
  update(state);
  const NamedJointFriction<S>& named = mechanism_->joint_frictions[row.number];
  const MechanismJoint<S>& joint = mechanism_->joints[named.joint];
  slips_[row.number] = {slip, named.coordinate->value(at(joint.a.node), at(joint.b.node))};
  find_open_rows();
}

template <class S>
SlipPlace RigidSystem<S>::slip_at(const StickRow& row, const system::Motion& motion) {
  update(motion.state);
  const NamedJointFriction<S>& named = mechanism_->joint_frictions[row.number];
  const MechanismJoint<S>& joint = mechanism_->joints[named.joint];
  const Kinematics& a = at(joint.a.node);
  const Kinematics& b = at(joint.b.node);
  PairVector<S> J;
  PairMatrix<S> H;
  named.coordinate->jacobian(a, b, J);
  named.coordinate->derivative(a, b, H);
  const PairVector<S> v = pair_velocity<S>(a, b);
  double acceleration = v.dot(H * v);
  for (const int end : {0, 1}) {
    const Node<S>& body = node(end == 0 ? joint.a.node : joint.b.node);
    acceleration +=
        J.segment(end * S::freedoms, body.freedoms).dot(motion.a.segment(body.v, body.freedoms));
  }
  return {named.coordinate->rate(a, b), acceleration,
          named.parameters.limit(normal_load(named, motion))};
}

// Angles that wrap are compared within half a turn.
template <class S>
double RigidSystem<S>::distance_from_hold(const NamedJointFriction<S>& named) const {
  const MechanismJoint<S>& joint = mechanism_->joints[named.joint];
  const double moved =
      named.coordinate->value(at(joint.a.node), at(joint.b.node)) - slip_of(named).held_at;
  return named.coordinate->wraps() ? std::remainder(moved, 2.0 * M_PI) : moved;
}

template <class S>
void RigidSystem<S>::add_stick_residuals(const system::Motion& motion,
                                         Vector& r,
                                         Vector& constraint) const {
  for (const NamedJointFriction<S>& named : mechanism_->joint_frictions) {
    if (named.row < 0) continue;
    constraint[named.row] = 0.0;
    if (slip_of(named).slip != Slip::sticking) continue;
    const MechanismJoint<S>& joint = mechanism_->joints[named.joint];
    PairVector<S> J;
    named.coordinate->jacobian(at(joint.a.node), at(joint.b.node), J);
    constraint[named.row] = distance_from_hold(named);
    add_to_nodes(joint.a.node, joint.b.node, J, motion.lambda[named.row], r);
  }
}

template <class S>
void RigidSystem<S>::add_stick_tangents(const system::Motion& motion,
                                        const system::Weights& weights,
                                        system::KktMatrix& tangent) const {
  constexpr int n = S::freedoms;
  for (const int row : open_rows_) system::open_row(row, tangent);
  for (const NamedJointFriction<S>& named : mechanism_->joint_frictions) {
    if (named.row < 0 || slip_of(named).slip != Slip::sticking) continue;
    const MechanismJoint<S>& joint = mechanism_->joints[named.joint];
    PairVector<S> J;
    PairMatrix<S> H;
    named.coordinate->jacobian(at(joint.a.node), at(joint.b.node), J);
    auto position = named.jacobian.begin();
    for (const int number : named.nodes.nodes()) {
      const int offset = number == joint.a.node ? 0 : n;
      for (int k = 0; k < n; ++k, ++position) {
        if (*position >= 0) tangent.values[static_cast<std::size_t>(*position)] += J[offset + k];
      }
    }
    if (weights.position == 0.0) continue;
    named.coordinate->derivative(at(joint.a.node), at(joint.b.node), H);
    add_pair_matrix(named, joint, weights.position * motion.lambda[named.row] * H, tangent);
  }
}

template <class S>
void RigidSystem<S>::stick_positions(Vector& g) const {
  for (const NamedJointFriction<S>& named : mechanism_->joint_frictions) {
    if (named.row < 0) continue;
    g[named.row] = slip_of(named).slip == Slip::sticking ? distance_from_hold(named) : 0.0;
  }
}

template <class S>
void RigidSystem<S>::stick_velocities(Vector& g_dot) const {
  for (const NamedJointFriction<S>& named : mechanism_->joint_frictions) {
    if (named.row < 0) continue;
    const MechanismJoint<S>& joint = mechanism_->joints[named.joint];
    const bool sticks = slip_of(named).slip == Slip::sticking;
    g_dot[named.row] = sticks ? named.coordinate->rate(at(joint.a.node), at(joint.b.node)) : 0.0;
  }
}

template <class S>
void RigidSystem<S>::stick_biases(Vector& gamma) const {
  for (const NamedJointFriction<S>& named : mechanism_->joint_frictions) {
    if (named.row < 0) continue;
    gamma[named.row] = 0.0;
    if (slip_of(named).slip != Slip::sticking) continue;
    const MechanismJoint<S>& joint = mechanism_->joints[named.joint];
    PairMatrix<S> H;
    named.coordinate->derivative(at(joint.a.node), at(joint.b.node), H);
    const PairVector<S> v = pair_velocity<S>(at(joint.a.node), at(joint.b.node));
    gamma[named.row] = v.dot(H * v);
  }
}

// The rest of the class is instantiated in rigid_system.cpp; these members live here.
template void RigidSystem<Planar>::find_open_rows();
template std::vector<StickRow> RigidSystem<Planar>::stick_rows() const;
template void RigidSystem<Planar>::set_slip(const StickRow&, Slip, const system::State&);
template SlipPlace RigidSystem<Planar>::slip_at(const StickRow&, const system::Motion&);
template void RigidSystem<Planar>::add_stick_residuals(const system::Motion&,
                                                       Vector&,
                                                       Vector&) const;
template void RigidSystem<Planar>::add_stick_tangents(const system::Motion&,
                                                      const system::Weights&,
                                                      system::KktMatrix&) const;
template void RigidSystem<Planar>::stick_positions(Vector&) const;
template void RigidSystem<Planar>::stick_velocities(Vector&) const;
template void RigidSystem<Planar>::stick_biases(Vector&) const;
template void RigidSystem<Spatial>::find_open_rows();
template std::vector<StickRow> RigidSystem<Spatial>::stick_rows() const;
template void RigidSystem<Spatial>::set_slip(const StickRow&, Slip, const system::State&);
template SlipPlace RigidSystem<Spatial>::slip_at(const StickRow&, const system::Motion&);
template void RigidSystem<Spatial>::add_stick_residuals(const system::Motion&,
                                                        Vector&,
                                                        Vector&) const;
template void RigidSystem<Spatial>::add_stick_tangents(const system::Motion&,
                                                       const system::Weights&,
                                                       system::KktMatrix&) const;
template void RigidSystem<Spatial>::stick_positions(Vector&) const;
template void RigidSystem<Spatial>::stick_velocities(Vector&) const;
template void RigidSystem<Spatial>::stick_biases(Vector&) const;

}  // namespace trammel::model
