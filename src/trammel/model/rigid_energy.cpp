// Energies and powers of a rigid system, for the ledger.
#include "trammel/model/rigid_system.h"

namespace trammel::model {
namespace {

double rotational_energy(const Node<Planar>& node, const Planar::Kinematics& k) {
  return 0.5 * node.inertia * k.w * k.w;
}

double rotational_energy(const Node<Spatial>& node, const Spatial::Kinematics& k) {
  return 0.5 * k.w.dot(node.inertia * k.w);
}

}  // namespace

template <class S>
system::Energy RigidSystem<S>::energy(const system::State& state) {
  const Mechanism<S>& m = *mechanism_;
  update(state);
  system::Energy energy;
  for (std::size_t i = 1; i < m.nodes.size(); ++i) {
    const Node<S>& body = m.nodes[i];
    const Kinematics& k = kinematics_[i];
    energy.kinetic += 0.5 * body.mass * k.v.squaredNorm();
    if (body.freedoms == S::freedoms) energy.kinetic += rotational_energy(body, k);
    energy.potential -= body.mass * m.gravity.dot(k.p);
  }
  for (const NamedForce<S>& named : m.forces) {
    const Force<S>& force = *named.force;
    energy.potential += force.potential(at(force.node_a()), at(force.node_b()));
  }
  const Place<S> place = place_at(state);
  for (const NamedLaw<S>& named : m.laws) energy.potential += named.law.potential(place, work_);
  energy.potential += connection_potential(state);
  return energy;
}

template <class S>
system::Power RigidSystem<S>::power(const system::Motion& motion) {
  const Mechanism<S>& m = *mechanism_;
  update(motion.state);
  system::Power power;
  for (const NamedForce<S>& named : m.forces) {
    const Force<S>& force = *named.force;
    const ForcePower part = force.power(at(force.node_a()), at(force.node_b()), motion.state.t);
    power.dissipated += part.dissipated;
    power.loads += part.load;
  }
  // Reactions do the work -lambda^T G v = lambda^T dg/dt on the bodies.
  for (std::size_t c = 0; c < m.constraints.size(); ++c) {
    typename Constraint<S>::Rows g_t;
    m.constraints[c]->time_derivative(motion.state.t, g_t);
    for (int i = 0; i < m.constraints[c]->rows(); ++i) {
      power.drives += motion.lambda[m.first_row[c] + i] * g_t[i];
    }
  }
  if (!memories_.empty()) settle_moving(motion.state);
  add_formula_power(motion, power);
  add_connection_power(motion.state, power);
  power.dissipated += joint_friction_power(motion);
  return power;
}

template system::Energy RigidSystem<Planar>::energy(const system::State&);
template system::Energy RigidSystem<Spatial>::energy(const system::State&);
template system::Power RigidSystem<Planar>::power(const system::Motion&);
template system::Power RigidSystem<Spatial>::power(const system::Motion&);

}  // namespace trammel::model
