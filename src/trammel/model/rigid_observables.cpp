// What a rigid system lets people see: poses, velocities, joint coordinates, reactions.
#include <algorithm>
#include <array>
#include <cmath>

#include "trammel/model/frame_observables.h"
#include "trammel/model/observables.h"
#include "trammel/model/rigid_system.h"

namespace trammel::model {
namespace {

using system::Vector;

void observe_rotations(const Node<Planar>& node, const system::Motion& m, double*& out) {
  write(out, m.state.q[node.q + 2]);
  write(out, m.state.v[node.v + 2]);
  write(out, m.a[node.v + 2]);
}

void observe_rotations(const Node<Spatial>& node, const system::Motion& m, double*& out) {
  for (int i = 0; i < 4; ++i) write(out, m.state.q[node.q + 3 + i]);
  for (int i = 0; i < 3; ++i) write(out, m.state.v[node.v + 3 + i]);
  for (int i = 0; i < 3; ++i) write(out, m.a[node.v + 3 + i]);
}

// Position, velocity and acceleration of the body frame's origin from those of the mass centre.
void observe_origin(const Node<Planar>& node,
                    const Planar::Kinematics& k,
                    const Vector& a,
                    double*& out) {
  const double alpha = node.freedoms == Planar::freedoms ? a[node.v + 2] : 0.0;
  const Eigen::Vector2d arm = k.R * node.origin;
  write<2>(out, k.p + arm);
  write<2>(out, k.v + k.w * perpendicular(arm));
  write<2>(out, a.segment<2>(node.v) + alpha * perpendicular(arm) - k.w * k.w * arm);
}

void observe_origin(const Node<Spatial>& node,
                    const Spatial::Kinematics& k,
                    const Vector& a,
                    double*& out) {
  Eigen::Vector3d alpha = Eigen::Vector3d::Zero();
  if (node.freedoms == Spatial::freedoms) alpha = a.segment<3>(node.v + 3);
  write<3>(out, k.p + k.R * node.origin);
  write<3>(out, k.v + k.R * k.w.cross(node.origin));
  write<3>(out, a.segment<3>(node.v) +
                    k.R * (alpha.cross(node.origin) + k.w.cross(k.w.cross(node.origin))));
}

// Moment of a generalised force about the joint's point, world axes.
double moment_at(const Planar::Kinematics& k,
                 const Eigen::Vector2d& l,
                 const Eigen::Matrix<double, 3, 1>& wrench) {
  return wrench[2] - perpendicular(k.R * l).dot(wrench.head<2>());
}

Eigen::Vector3d moment_at(const Spatial::Kinematics& k,
                          const Eigen::Vector3d& l,
                          const Eigen::Matrix<double, 6, 1>& wrench) {
  return k.R * wrench.tail<3>() - (k.R * l).cross(wrench.head<3>());
}

template <class S>
void add_joint_quantities(const MechanismJoint<S>& joint, std::vector<Quantity>& list) {
  for (const auto& coordinate : joint.coordinates) {
    list.push_back(
        {joint.name + "." + coordinate.name, coordinate.unit, "joint", "joint coordinate"});
    list.push_back({joint.name + "." + coordinate.name + "_rate",
                    (*coordinate.unit == '\0' ? "1" : std::string(coordinate.unit)) + "/s", "joint",
                    "rate of the joint coordinate"});
  }
  for (const auto& output : joint.outputs) {
    list.push_back({joint.name + "." + output.name, output.unit, "joint", "of the joint"});
  }
  for (const auto& rate : joint.rates) {
    list.push_back({joint.name + "." + rate.name, rate.unit, "joint", "of the joint"});
  }
  if (joint.contact) {
    list.push_back({joint.name + ".load", "N", "", "of the contact; positive when it presses"});
    list.push_back({joint.name + ".gap", "m", "", "of the contact"});
  }
}

template <class S>
void add_reactions(const std::string& joint, std::vector<Quantity>& list) {
  constexpr int dimension = S::dimension;
  const std::string reaction = joint + ".reaction";
  add_components(list, reaction + ".force", dimension, "N", "world", "on the second body");
  if constexpr (S::space == Space::planar) {
    list.push_back({reaction + ".torque", "N m", "world", "on the second body, at the joint"});
  } else {
    add_components(list, reaction + ".torque", 3, "N m", "world",
                   "on the second body, at the joint");
  }
  add_components(list, reaction + ".joint_force", dimension, "N", "joint", "on the second body");
  if constexpr (S::space == Space::spatial) {
    add_components(list, reaction + ".joint_torque", 3, "N m", "joint",
                   "on the second body, at the joint");
  }
}

// Of a load on one body by many laws; `name` ends with a dot.
template <class S>
void add_wrench(const std::string& name, std::vector<Quantity>& list) {
  const char* const text = "about the body frame's origin";
  add_components(list, name + "force", S::dimension, "N", "world", "sum of the load");
  if constexpr (S::space == Space::planar) {
    list.push_back({name + "torque", "N m", "world", text});
  } else {
    add_components(list, name + "torque", 3, "N m", "world", text);
  }
}

template <class S>
void add_element_quantities(const Mechanism<S>& mechanism, std::vector<Quantity>& list) {
  for (const NamedForce<S>& named : mechanism.forces) {
    for (Quantity quantity : named.force->quantities()) {
      quantity.name = named.name + "." + quantity.name;
      list.push_back(std::move(quantity));
    }
  }
  for (const NamedConnection<S>& named : mechanism.connections) {
    for (Quantity quantity : named.connection->quantities()) {
      quantity.name = named.name + "." + quantity.name;
      list.push_back(std::move(quantity));
    }
  }
}

template <class S>
void add_formula_quantities(const Mechanism<S>& mechanism, std::vector<Quantity>& list) {
  for (const NamedRelation<S>& named : mechanism.relations) {
    list.push_back({named.name + ".load", named.unit, "", "force along its first coordinate"});
    if (named.contact) {
      list.push_back({named.name + ".gap",
                      core::si_unit(named.relation.formula().program().type().dimension), "",
                      "of the one-sided coupling"});
    }
    if (named.drive) list.push_back({named.name + ".power", "W", "", "brought in by the drive"});
  }
  std::string last;
  for (const NamedLaw<S>& named : mechanism.laws) {
    if (named.is_hidden()) {
      // The sum over all laws of the force, told once.
      if (named.name != last) add_wrench<S>(named.name, list);
      last = named.name;
      continue;
    }
    list.push_back({named.name, named.unit, "", "along its coordinate"});
  }
  for (const NamedJointFriction<S>& named : mechanism.joint_frictions) {
    list.push_back({named.name + ".load", named.unit, "", "along its coordinate"});
    list.push_back({named.name + ".normal_load", "N", "", "from the joint's reaction"});
  }
  for (const NamedSensor<S>& sensor : mechanism.sensors) {
    list.push_back({sensor.name, sensor.unit, "", "sensor"});
    list.push_back({sensor.name + "_rate", sensor.unit + "/s", "", "rate of the sensor"});
    if (!has_acceleration(mechanism, sensor.measure)) continue;
    list.push_back(
        {sensor.name + "_acceleration", sensor.unit + "/s^2", "", "derivative of the rate"});
  }
  for (const NamedFrame<S>& sensor : mechanism.frames) {
    add_frame_quantities(mechanism, sensor, list);
  }
  for (const NamedState<S>& state : mechanism.states) {
    list.push_back({state.name, state.unit, "", "first-order state"});
  }
  for (const NamedOutput<S>& output : mechanism.outputs) {
    list.push_back({output.name, output.unit, "", "of a force"});
  }
  for (const ChannelFormula& formula : mechanism.channel_formulas) {
    list.push_back({formula.name, formula.unit, "", formula.program->text()});
  }
}

}  // namespace

template <class S>
std::vector<Quantity> observable_quantities(const Mechanism<S>& mechanism) {
  constexpr int dimension = S::dimension;
  std::vector<Quantity> list;
  for (const Node<S>& body : mechanism.nodes) {
    if (body.freedoms == 0) continue;
    add_components(list, body.name + ".position", dimension, "m", "world", "body frame's origin");
    add_components(list, body.name + ".velocity", dimension, "m/s", "world", "of the origin");
    add_components(list, body.name + ".acceleration", dimension, "m/s^2", "world", "of the origin");
    if (body.freedoms == S::freedoms) add_rotations(list, body.name, S{});
  }
  for (const MechanismJoint<S>& joint : mechanism.joints) {
    add_joint_quantities(joint, list);
    add_reactions<S>(joint.name, list);
  }
  add_element_quantities(mechanism, list);
  add_formula_quantities(mechanism, list);
  return list;
}

template <class S>
std::vector<Quantity> RigidSystem<S>::observables() const {
  return observable_quantities(*mechanism_);
}

template <class S>
void RigidSystem<S>::observe_body(const Node<S>& body,
                                  const system::Motion& motion,
                                  double*& out) const {
  const auto index = static_cast<std::size_t>(&body - mechanism_->nodes.data());
  observe_origin(body, kinematics_[index], motion.a, out);
  if (body.freedoms == S::freedoms) observe_rotations(body, motion, out);
}

// The joint's constraints exert -G_b^T lambda on node b (about its centre of mass).
template <class S>
auto RigidSystem<S>::joint_reaction(const MechanismJoint<S>& joint,
                                    const system::Motion& motion) const -> NodeVector {
  const Kinematics& a = at(joint.a.node);
  const Kinematics& b = at(joint.b.node);
  NodeVector wrench = NodeVector::Zero();
  for (int c = joint.first_constraint; c < joint.first_constraint + joint.constraints; ++c) {
    const auto index = static_cast<std::size_t>(c);
    const Constraint<S>& primitive = *mechanism_->constraints[index];
    typename Constraint<S>::Rows g;
    typename Constraint<S>::Jacobian G;
    G.setZero();
    primitive.linearise(a, b, motion.state.t, g, G);
    for (int i = 0; i < primitive.rows(); ++i) {
      wrench -= motion.lambda[mechanism_->first_row[index] + i] *
                G.row(i).template tail<S::freedoms>().transpose();
    }
  }
  return wrench;
}

template <class S>
double RigidSystem<S>::normal_load(const NamedJointFriction<S>& named,
                                   const system::Motion& motion) const {
  const MechanismJoint<S>& joint = mechanism_->joints[named.joint];
  const NodeVector wrench = joint_reaction(joint, motion);
  const auto moment = moment_at(at(joint.b.node), joint.b.l, wrench);
  const double force = wrench.template head<S::dimension>().norm();
  if constexpr (S::space == Space::planar) {
    return named.parameters.normal_load(force, std::abs(moment));
  } else {
    return named.parameters.normal_load(force, moment.norm());
  }
}

template <class S>
void RigidSystem<S>::observe_contact(const MechanismJoint<S>& joint,
                                     const system::Motion& motion,
                                     double*& out) const {
  const ContactRow& contact = *joint.contact;
  write(out, contact.load(motion.lambda[contact.row]));
  for (int c = joint.first_constraint; c < joint.first_constraint + joint.constraints; ++c) {
    const auto index = static_cast<std::size_t>(c);
    const int place = contact.row - mechanism_->first_row[index];
    if (place < 0 || place >= mechanism_->constraints[index]->rows()) continue;
    typename Constraint<S>::Rows g;
    typename Constraint<S>::Jacobian G;
    mechanism_->constraints[index]->linearise(at(joint.a.node), at(joint.b.node), motion.state.t, g,
                                              G);
    write(out, contact.gap(g[place]));
    return;
  }
}

template <class S>
void RigidSystem<S>::observe_joint(const MechanismJoint<S>& joint,
                                   const system::Motion& motion,
                                   std::size_t& wrapping,
                                   double*& out) const {
  const Kinematics& a = at(joint.a.node);
  const Kinematics& b = at(joint.b.node);
  for (const auto& named : joint.coordinates) {
    double value = named.coordinate->value(a, b);
    if (named.coordinate->wraps()) value = nearest_turn(value, tracked_[wrapping++]);
    write(out, value);
    write(out, named.coordinate->rate(a, b));
  }

  for (const auto& output : joint.outputs) write(out, output.coordinate->value(a, b));
  for (const auto& rate : joint.rates) write(out, rate.direction->rate(a, b));
  if (joint.contact) observe_contact(joint, motion, out);

  const NodeVector wrench = joint_reaction(joint, motion);
  const typename S::Point force = wrench.template head<S::dimension>();
  const auto torque = moment_at(b, joint.b.l, wrench);
  write<S::dimension>(out, force);
  const Eigen::Matrix<double, S::dimension, S::dimension> to_joint =
      (a.R * joint.a.axes).transpose();
  if constexpr (S::space == Space::planar) {
    write(out, torque);
    write<2>(out, to_joint * force);
  } else {
    write<3>(out, torque);
    write<3>(out, to_joint * force);
    write<3>(out, to_joint * torque);
  }
}

// Couplings, laws, sensors, states, and the formulas of all channels before them.
template <class S>
void RigidSystem<S>::observe_formulas(const system::Motion& motion,
                                      const double* first,
                                      double*& out) {
  const Place<S> place = place_at(motion);
  for (const NamedRelation<S>& named : mechanism_->relations) {
    write(out, relation_load(named, motion));
    if (named.contact) write(out, named.relation.formula().value(place, work_));
    if (!named.drive) continue;
    const double by_time = named.relation.time_derivative(place, work_);
    write(out, motion.lambda[named.row] * by_time);
  }
  const std::vector<NamedLaw<S>>& laws = mechanism_->laws;
  for (std::size_t i = 0; i < laws.size(); ++i) {
    if (!laws[i].is_hidden()) {
      write(out, laws[i].law.magnitude(place, work_));
      continue;
    }
    // The sum over all laws of the force, which act on one body.
    NodeVector wrench = NodeVector::Zero();
    const int body = laws[i].law.nodes().nodes().front();
    const std::string& name = laws[i].name;
    for (; i < laws.size() && laws[i].name == name; ++i) {
      laws[i].law.evaluate(place, work_);
      wrench += work_.row.template head<S::freedoms>();
    }
    --i;
    const auto& node = mechanism_->nodes[static_cast<std::size_t>(body)];
    write<S::dimension>(out, wrench.template head<S::dimension>());
    const auto moment = moment_at(at(body), node.origin, wrench);
    if constexpr (S::space == Space::planar) {
      write(out, moment);
    } else {
      write<3>(out, moment);
    }
  }
  for (const NamedJointFriction<S>& named : mechanism_->joint_frictions) {
    const bool sticks = slip_of(named).slip == Slip::sticking;
    write(out, sticks ? -motion.lambda[named.row] : friction_load(named, motion).load);
    write(out, normal_load(named, motion));
  }
  for (const NamedSensor<S>& sensor : mechanism_->sensors) {
    const Measure<S>& measure = sensor.measure;
    write(out, measured(measure, place));
    write(out, measure.direction->rate(at(measure.node_a), at(measure.node_b)));
    if (has_acceleration(*mechanism_, measure)) {
      write(out, second_rate(*mechanism_, measure, place, motion.a));
    }
  }
  for (const NamedFrame<S>& sensor : mechanism_->frames)
    observe_frame(*mechanism_, sensor, place, motion, out);
  for (std::size_t i = 0; i < mechanism_->states.size(); ++i) {
    write(out, motion.state.z[static_cast<Eigen::Index>(i)]);
  }
  for (const NamedOutput<S>& output : mechanism_->outputs) {
    write(out, output.formula.value(place, work_));
  }
  if (!mechanism_->channel_formulas.empty()) observe_channel_formulas(motion, first, out);
}

template <class S>
void RigidSystem<S>::observe_channel_formulas(const system::Motion& motion,
                                              const double* first,
                                              double*& out) {
  const system::Energy energy = this->energy(motion.state);
  const system::Power power = this->power(motion);
  const std::array<double, ledger_entries.size()> ledger{
      energy.kinetic,   energy.potential, energy.kinetic + energy.potential,
      power.dissipated, power.loads,      power.drives};
  const Place<S> place = place_at(motion);
  const auto input = [&](int channel) {
    if (channel >= 0) return first[channel];
    if (channel == -1) return motion.state.t;
    const auto further = static_cast<std::size_t>(-2 - channel);
    if (further < ledger.size()) return ledger[further];
    return measured(mechanism_->channel_measures[further - ledger.size()], place);
  };
  for (const ChannelFormula& formula : mechanism_->channel_formulas) {
    work_.inputs.resize(formula.channels.size());
    std::transform(formula.channels.begin(), formula.channels.end(), work_.inputs.begin(), input);
    write(out, formula.program->value(work_.inputs, work_.program));
  }
}

template <class S>
void RigidSystem<S>::observe(const system::Motion& motion, double* values) {
  const double* first = values;
  update(motion.state);
  for (const Node<S>& body : mechanism_->nodes) {
    if (body.freedoms > 0) observe_body(body, motion, values);
  }
  std::size_t wrapping = 0;
  for (const MechanismJoint<S>& joint : mechanism_->joints) {
    observe_joint(joint, motion, wrapping, values);
  }
  for (const NamedForce<S>& named : mechanism_->forces) {
    const Force<S>& force = *named.force;
    force.measure(at(force.node_a()), at(force.node_b()), motion.state.t, values);
    values += named.channels;
  }
  if (!memories_.empty()) settle_moving(motion.state);
  for (const NamedConnection<S>& named : mechanism_->connections) {
    named.connection->measure(setting_at(motion.state), values);
  }
  observe_formulas(motion, first, values);
}

// The rest of the class is instantiated in rigid_system.cpp; these members live here.
template std::vector<Quantity> RigidSystem<Planar>::observables() const;
template std::vector<Quantity> RigidSystem<Spatial>::observables() const;
template std::vector<Quantity> observable_quantities(const Mechanism<Planar>&);
template std::vector<Quantity> observable_quantities(const Mechanism<Spatial>&);
template void RigidSystem<Planar>::observe(const system::Motion&, double*);
template void RigidSystem<Spatial>::observe(const system::Motion&, double*);
template auto RigidSystem<Planar>::joint_reaction(const MechanismJoint<Planar>&,
                                                  const system::Motion&) const -> NodeVector;
template auto RigidSystem<Spatial>::joint_reaction(const MechanismJoint<Spatial>&,
                                                   const system::Motion&) const -> NodeVector;
template double RigidSystem<Planar>::normal_load(const NamedJointFriction<Planar>&,
                                                 const system::Motion&) const;
template double RigidSystem<Spatial>::normal_load(const NamedJointFriction<Spatial>&,
                                                  const system::Motion&) const;

}  // namespace trammel::model
