#include "trammel/model/rigid_system.h"

#include <algorithm>

#include "trammel/math/rotation.h"
#include "trammel/model/kinds.h"
#include "trammel/model/node_state.h"

namespace trammel::model {

using system::Vector;

namespace {

// Inertia times acceleration plus the gyroscopic moment, of the rotational freedoms.
void add_rotational_inertia(const Node<Planar>& node,
                            const Planar::Kinematics& /*k*/,
                            const Vector& a,
                            Vector& r) {
  r[node.v + 2] = node.inertia * a[node.v + 2];
}

void add_rotational_inertia(const Node<Spatial>& node,
                            const Spatial::Kinematics& k,
                            const Vector& a,
                            Vector& r) {
  r.segment<3>(node.v + 3) =
      node.inertia * a.segment<3>(node.v + 3) + k.w.cross(node.inertia * k.w);
}

void gyroscopic_force(const Node<Planar>& node, const Planar::Kinematics& /*k*/, Vector& f) {
  f[node.v + 2] = 0.0;
}

void gyroscopic_force(const Node<Spatial>& node, const Spatial::Kinematics& k, Vector& f) {
  f.segment<3>(node.v + 3) = -k.w.cross(node.inertia * k.w);
}

// w_v d(gyroscopic)/dw + w_a inertia.
Eigen::Matrix<double, 1, 1> rotational_tangent(const Node<Planar>& node,
                                               const Planar::Kinematics& /*k*/,
                                               const system::Weights& w) {
  return Eigen::Matrix<double, 1, 1>(w.acceleration * node.inertia);
}

Eigen::Matrix3d rotational_tangent(const Node<Spatial>& node,
                                   const Spatial::Kinematics& k,
                                   const system::Weights& w) {
  return w.acceleration * node.inertia +
         w.velocity * (math::skew(k.w) * node.inertia - math::skew(node.inertia * k.w));
}

}  // namespace

template <class S>
RigidSystem<S>::RigidSystem(std::shared_ptr<const Mechanism<S>> mechanism)
    : mechanism_(std::move(mechanism)),
      kinematics_(mechanism_->nodes.size() + mechanism_->internal_nodes.size()) {
  const auto& forces = mechanism_->forces;
  const auto& laws = mechanism_->laws;
  const bool damped =
      std::any_of(forces.begin(), forces.end(),
                  [](const NamedForce<S>& named) { return named.force->depends_on_velocity(); }) ||
      std::any_of(laws.begin(), laws.end(),
                  [](const NamedLaw<S>& named) { return named.law.depends_on_velocity(); }) ||
      !mechanism_->joint_frictions.empty();
  if (damped) pull_back_.assign(mechanism_->nodes.size(), NodeMatrix::Identity());
  int largest = 0;
  for (const auto& named : mechanism_->relations) {
    largest = std::max(largest, named.relation.local_size());
  }
  for (const auto& named : laws) largest = std::max(largest, named.law.local_size());
  for (const auto& named : mechanism_->connections) {
    largest = std::max(largest, named.connection->workspace_size());
    memories_.push_back(named.connection->memory());
    for (const int state : named.connection->states()) {
      const bool known =
          std::find(moving_states_.begin(), moving_states_.end(), state) != moving_states_.end();
      if (!known) moving_states_.push_back(state);
    }
  }
  work_.reserve(largest);
  slips_.resize(mechanism_->joint_frictions.size());
  find_open_rows();
  has_reaction_loads_ = !mechanism_->joint_frictions.empty() ||
                        std::any_of(laws.begin(), laws.end(), [](const NamedLaw<S>& named) {
                          return named.law.depends_on_reactions();
                        });
  restart_angles();
}

template <class S>
std::unique_ptr<system::MechanicalSystem> RigidSystem<S>::clone() const {
  return std::make_unique<RigidSystem<S>>(*this);
}

// ---- the manifold

template <>
void RigidSystem<Planar>::move(const Vector& q, const Vector& x, Vector& q_moved) const {
  q_moved = q + x;
}

template <>
void RigidSystem<Planar>::displacement(const Vector& from, const Vector& to, Vector& x) const {
  x = to - from;
}

template <>
void RigidSystem<Planar>::pull_back(const Vector& /*x*/, const Vector& delta, Vector& dx) const {
  dx = delta;
}

template <>
void RigidSystem<Spatial>::move(const Vector& q, const Vector& x, Vector& q_moved) const {
  q_moved.resize(q.size());
  for (const NodePlace& node : mechanism_->places) {
    q_moved.segment<3>(node.q) = q.segment<3>(node.q) + x.segment<3>(node.v);
    if (node.freedoms < Spatial::freedoms) continue;
    const double* e = q.data() + node.q + 3;
    const Eigen::Quaterniond turned =
        Eigen::Quaterniond(e[0], e[1], e[2], e[3]) * math::exponential(x.segment<3>(node.v + 3));
    // First-order renormalisation: round-off is all there is to remove.
    const double factor = 1.5 - 0.5 * turned.squaredNorm();
    q_moved[node.q + 3] = factor * turned.w();
    q_moved.segment<3>(node.q + 4) = factor * turned.vec();
  }
}

template <>
void RigidSystem<Spatial>::displacement(const Vector& from, const Vector& to, Vector& x) const {
  x.resize(mechanism_->sizes.v);
  for (const NodePlace& node : mechanism_->places) {
    x.segment<3>(node.v) = to.segment<3>(node.q) - from.segment<3>(node.q);
    if (node.freedoms < Spatial::freedoms) continue;
    const double* f = from.data() + node.q + 3;
    const double* e = to.data() + node.q + 3;
    x.segment<3>(node.v + 3) =
        math::logarithm(Eigen::Quaterniond(f[0], f[1], f[2], f[3]).conjugate() *
                        Eigen::Quaterniond(e[0], e[1], e[2], e[3]));
  }
}

template <>
void RigidSystem<Spatial>::pull_back(const Vector& x, const Vector& delta, Vector& dx) const {
  dx.resize(delta.size());
  for (const NodePlace& node : mechanism_->places) {
    dx.segment<3>(node.v) = delta.segment<3>(node.v);
    if (node.freedoms < Spatial::freedoms) continue;
    dx.segment<3>(node.v + 3) =
        math::exponential_tangent_inverse(x.segment<3>(node.v + 3)) * delta.segment<3>(node.v + 3);
  }
}

// ---- equations of motion

template <class S>
void RigidSystem<S>::update(const system::State& state, std::vector<Kinematics>& kinematics) const {
  for (std::size_t i = 1; i < mechanism_->nodes.size(); ++i) {
    read_state(state, mechanism_->nodes[i], kinematics[i]);
  }
}

template <class S>
template <class OfNode, class OfConstraint>
void RigidSystem<S>::in_turns(OfNode&& of_node, OfConstraint&& of_constraint) const {
  const auto& constraints = mechanism_->constraints;
  std::size_t c = 0;
  for (int i = 1; i < static_cast<int>(mechanism_->nodes.size()); ++i) {
    of_node(i);
    for (; c < constraints.size(); ++c) {
      if (std::max(constraints[c]->node_a(), constraints[c]->node_b()) > i) break;
      of_constraint(c);
    }
  }
  for (; c < constraints.size(); ++c) of_constraint(c);
}

template <class S>
void RigidSystem<S>::add_to_nodes(
    int node_a, int node_b, const PairVector<S>& local, double factor, Vector& r) const {
  const Node<S>& a = node(node_a);
  const Node<S>& b = node(node_b);
  for (int i = 0; i < a.freedoms; ++i) r[a.v + i] += factor * local[i];
  for (int i = 0; i < b.freedoms; ++i) r[b.v + i] += factor * local[S::freedoms + i];
}

// M a, gyroscopic moments and gravity: the first part of r.
template <class S>
void RigidSystem<S>::set_inertia(const Vector& a, int i, Vector& r) const {
  const Node<S>& body = node(i);
  r.template segment<S::dimension>(body.v) =
      body.mass * (a.template segment<S::dimension>(body.v) - mechanism_->gravity);
  if (body.freedoms == S::freedoms) add_rotational_inertia(body, at(i), a, r);
}

template <class S>
void RigidSystem<S>::add_constraint_residual(const system::Motion& motion,
                                             std::size_t c,
                                             Vector& r,
                                             Vector& constraint) const {
  const Constraint<S>& primitive = *mechanism_->constraints[c];
  const int first = mechanism_->first_row[c];
  typename Constraint<S>::Rows g;
  typename Constraint<S>::Jacobian G;
  G.setZero();
  primitive.linearise(at(primitive.node_a()), at(primitive.node_b()), motion.state.t, g, G);
  PairVector<S> local = PairVector<S>::Zero();
  for (int i = 0; i < primitive.rows(); ++i) {
    constraint[first + i] = g[i];
    local += motion.lambda[first + i] * G.row(i).transpose();
  }
  add_to_nodes(primitive.node_a(), primitive.node_b(), local, 1.0, r);
}

template <class S>
void RigidSystem<S>::residual(const system::Motion& motion, Vector& r, Vector& constraint) {
  const Mechanism<S>& m = *mechanism_;
  constraint.resize(m.sizes.multipliers());
  r.resize(m.sizes.v);
  in_turns(
      [&](int i) {
        read_state(motion.state, node(i), kinematics_[static_cast<std::size_t>(i)]);
        set_inertia(motion.a, i, r);
      },
      [&](std::size_t c) { add_constraint_residual(motion, c, r, constraint); });
  for (const NamedForce<S>& named : m.forces) {
    const Force<S>& force = *named.force;
    PairVector<S> local;
    force.evaluate(at(force.node_a()), at(force.node_b()), motion.state.t, local);
    add_to_nodes(force.node_a(), force.node_b(), local, -1.0, r);
  }
  add_relation_residuals(motion, r, constraint);
  add_law_forces(motion.state, -1.0, r);
  add_connection_forces(motion.state, -1.0, r);
  add_reaction_loads(motion, -1.0, r);
  add_stick_residuals(motion, r, constraint);
}

template <class S>
void RigidSystem<S>::forces(const system::State& state, Vector& f) {
  const Mechanism<S>& m = *mechanism_;
  update(state);
  f.resize(m.sizes.v);
  for (std::size_t i = 1; i < m.nodes.size(); ++i) {
    const Node<S>& body = m.nodes[i];
    f.template segment<S::dimension>(body.v) = body.mass * m.gravity;
    if (body.freedoms == S::freedoms) gyroscopic_force(body, kinematics_[i], f);
  }
  for (const NamedForce<S>& named : m.forces) {
    const Force<S>& force = *named.force;
    PairVector<S> local;
    force.evaluate(at(force.node_a()), at(force.node_b()), state.t, local);
    add_to_nodes(force.node_a(), force.node_b(), local, 1.0, f);
  }
  add_law_forces(state, 1.0, f);
  add_connection_forces(state, 1.0, f);
}

// ---- tangent

template <class S>
void RigidSystem<S>::tangent(const system::Motion& motion,
                             const system::Weights& weights,
                             const Vector* step,
                             system::KktMatrix& tangent) {
  has_step_ = step != nullptr && S::space == Space::spatial;
  // The columns of a node begin at zero when its turn has come; constraints write only into those
  // of their nodes.
  const std::vector<int>& column_start = mechanism_->pattern->column_start;
  auto cleared = tangent.values.begin();
  const auto clear_to = [&](int column) {
    const auto end = tangent.values.begin() + column_start[static_cast<std::size_t>(column)];
    std::fill(cleared, end, 0.0);
    cleared = end;
  };
  in_turns(
      [&](int i) {
        const auto index = static_cast<std::size_t>(i);
        read_state(motion.state, node(i), kinematics_[index]);
        clear_to(node(i).v + node(i).freedoms);
        add_node_tangent(weights, step, index, tangent);
      },
      [&](std::size_t c) { add_constraint_tangent(motion, weights, c, tangent); });
  clear_to(mechanism_->pattern->size());
  add_force_tangents(motion.state.t, weights, tangent);
  add_relation_tangents(motion, weights, tangent);
  add_law_tangents(motion, weights, tangent);
  add_connection_tangents(motion.state, weights, tangent);
  add_joint_friction_tangents(motion, weights, tangent);
  add_stick_tangents(motion, weights, tangent);
}

template <class S>
void RigidSystem<S>::add_node_tangent(const system::Weights& weights,
                                      const Vector* step,
                                      std::size_t i,
                                      system::KktMatrix& tangent) {
  const Node<S>& body = mechanism_->nodes[i];
  const int* diagonal = mechanism_->pattern->diagonal.data() + body.v;
  double* values = tangent.values.data();
  for (int k = 0; k < S::dimension; ++k) values[diagonal[k]] += weights.acceleration * body.mass;
  if (body.freedoms < S::freedoms) return;
  Eigen::Matrix<double, S::rotations, S::rotations> rotational =
      rotational_tangent(body, kinematics_[i], weights);
  if constexpr (S::space == Space::spatial) {
    if (has_step_) {
      const Eigen::Matrix3d inverse =
          math::exponential_tangent_inverse(step->segment<3>(body.v + 3));
      if (!pull_back_.empty()) pull_back_[i].template bottomRightCorner<3, 3>() = inverse;
      rotational = rotational * inverse;
    }
  }
  // The rotational block is full, so that its columns are contiguous around the diagonal.
  for (int column = 0; column < S::rotations; ++column) {
    double* target = values + diagonal[S::dimension + column] - column;
    for (int row = 0; row < S::rotations; ++row) target[row] += rotational(row, column);
  }
}

template <class S>
void RigidSystem<S>::add_constraint_tangent(const system::Motion& motion,
                                            const system::Weights& weights,
                                            std::size_t c,
                                            system::KktMatrix& tangent) const {
  const Mechanism<S>& m = *mechanism_;
  double* values = tangent.values.data();
  const Constraint<S>& primitive = *m.constraints[c];
  const Kinematics& a = at(primitive.node_a());
  const Kinematics& b = at(primitive.node_b());
  typename Constraint<S>::Rows g;
  typename Constraint<S>::Jacobian G;
  primitive.linearise(a, b, motion.state.t, g, G);
  for (int k = m.first_jacobian[c]; k < m.first_jacobian[c + 1]; ++k) {
    const JacobianScatter& entry = m.jacobian_scatter[static_cast<std::size_t>(k)];
    values[entry.position] += G.data()[entry.local];
  }
  if (weights.position == 0.0 || m.first_stiffness[c] == m.first_stiffness[c + 1]) return;
  PairMatrix<S> K = PairMatrix<S>::Zero();
  primitive.add_stiffness(a, b, motion.state.t, motion.lambda.data() + m.first_row[c],
                          weights.position, K);
  for (int k = m.first_stiffness[c]; k < m.first_stiffness[c + 1]; ++k) {
    const StiffnessScatter& entry = m.stiffness_scatter[static_cast<std::size_t>(k)];
    for (int i = 0; i < entry.count; ++i) {
      values[entry.position + i] += K.data()[entry.local + i];
    }
  }
}

template <class S>
void RigidSystem<S>::add_force_tangents(double t,
                                        const system::Weights& weights,
                                        system::KktMatrix& tangent) {
  const Mechanism<S>& m = *mechanism_;
  if (weights.position == 0.0 && weights.velocity == 0.0) return;
  for (std::size_t i = 0; i < m.forces.size(); ++i) {
    const Force<S>& force = *m.forces[i].force;
    PairMatrix<S> f_q;
    PairMatrix<S> f_v;
    force.tangent(at(force.node_a()), at(force.node_b()), t, f_q, f_v);
    if (has_step_ && force.depends_on_velocity()) {
      f_v.template leftCols<S::freedoms>() *= pull_back_[static_cast<std::size_t>(force.node_a())];
      f_v.template rightCols<S::freedoms>() *= pull_back_[static_cast<std::size_t>(force.node_b())];
    }
    const PairMatrix<S> K = -weights.position * f_q - weights.velocity * f_v;
    for (int k = m.first_force[i]; k < m.first_force[i + 1]; ++k) {
      const StiffnessScatter& entry = m.force_scatter[static_cast<std::size_t>(k)];
      double* target = tangent.values.data() + entry.position;
      for (int i = 0; i < entry.count; ++i) target[i] += K.data()[entry.local + i];
    }
  }
}

// ---- constraint levels

template <class S>
void RigidSystem<S>::position_constraint(const system::State& state, Vector& g) {
  const Mechanism<S>& m = *mechanism_;
  update(state);
  g.resize(m.sizes.multipliers());
  for (std::size_t c = 0; c < m.constraints.size(); ++c) {
    const Constraint<S>& primitive = *m.constraints[c];
    typename Constraint<S>::Rows rows = Constraint<S>::Rows::Zero();
    typename Constraint<S>::Jacobian G;
    if (primitive.holonomic()) {
      primitive.linearise(at(primitive.node_a()), at(primitive.node_b()), state.t, rows, G);
    }
    for (int i = 0; i < primitive.rows(); ++i) g[m.first_row[c] + i] = rows[i];
  }
  relation_positions(state, g);
  stick_positions(g);
}

template <class S>
void RigidSystem<S>::velocity_constraint(const system::State& state, Vector& g_dot) {
  const Mechanism<S>& m = *mechanism_;
  update(state);
  g_dot.resize(m.sizes.multipliers());
  for (std::size_t c = 0; c < m.constraints.size(); ++c) {
    const Constraint<S>& primitive = *m.constraints[c];
    const Kinematics& a = at(primitive.node_a());
    const Kinematics& b = at(primitive.node_b());
    typename Constraint<S>::Rows rows;
    typename Constraint<S>::Jacobian G;
    G.setZero();
    primitive.linearise(a, b, state.t, rows, G);
    primitive.time_derivative(state.t, rows);
    const PairVector<S> v = pair_velocity<S>(a, b);
    for (int i = 0; i < primitive.rows(); ++i) {
      g_dot[m.first_row[c] + i] = G.row(i).dot(v) + rows[i];
    }
  }
  relation_velocities(state, g_dot);
  stick_velocities(g_dot);
}

template <class S>
void RigidSystem<S>::acceleration_bias(const system::State& state, Vector& gamma) {
  const Mechanism<S>& m = *mechanism_;
  update(state);
  gamma.resize(m.sizes.multipliers());
  for (std::size_t c = 0; c < m.constraints.size(); ++c) {
    const Constraint<S>& primitive = *m.constraints[c];
    typename Constraint<S>::Rows rows;
    primitive.bias(at(primitive.node_a()), at(primitive.node_b()), state.t, rows);
    for (int i = 0; i < primitive.rows(); ++i) gamma[m.first_row[c] + i] = rows[i];
  }
  relation_biases(state, gamma);
  stick_biases(gamma);
}

template <class S>
std::vector<RowName> RigidSystem<S>::row_names() const {
  std::vector<RowName> names(static_cast<std::size_t>(mechanism_->sizes.multipliers()));
  for (const MechanismJoint<S>& joint : mechanism_->joints) {
    auto label = mechanism_->label_sets[static_cast<std::size_t>(joint.labels)].begin();
    for (int c = joint.first_constraint; c < joint.first_constraint + joint.constraints; ++c) {
      const auto index = static_cast<std::size_t>(c);
      for (int i = 0; i < mechanism_->constraints[index]->rows(); ++i) {
        names[static_cast<std::size_t>(mechanism_->first_row[index] + i)] = {joint.name, *label++};
      }
    }
  }
  for (const NamedRelation<S>& named : mechanism_->relations) {
    names[static_cast<std::size_t>(named.row)] = {named.name, std::string(named.type)};
  }
  for (const NamedJointFriction<S>& named : mechanism_->joint_frictions) {
    if (named.row >= 0) names[static_cast<std::size_t>(named.row)] = {named.name, "stick"};
  }
  return names;
}

template <class S>
std::vector<JointRows> RigidSystem<S>::joints() const {
  std::vector<JointRows> list;
  for (const MechanismJoint<S>& joint : mechanism_->joints) {
    list.push_back({joint.name, std::string(joint.type), joint.first_row, joint.rows,
                    joint.first_velocity_row, joint.velocity_rows});
  }
  for (const NamedRelation<S>& named : mechanism_->relations) {
    const bool position = named.relation.level() == RelationLevel::position;
    list.push_back({named.name, std::string(named.type), named.row, position ? 1 : 0, named.row,
                    position ? 0 : 1});
  }
  return list;
}

template <class S>
std::vector<UnilateralRow> RigidSystem<S>::unilateral_rows() const {
  std::vector<UnilateralRow> list;
  const auto add = [&](const std::string& name, const std::optional<ContactRow>& contact) {
    if (!contact || !contact->unilateral) return;
    list.push_back({name, contact->row, contact->side, contact->starts_open});
  };
  for (const MechanismJoint<S>& joint : mechanism_->joints) add(joint.name, joint.contact);
  for (const NamedRelation<S>& named : mechanism_->relations) add(named.name, named.contact);
  return list;
}

template <class S>
std::size_t RigidSystem<S>::memory_bytes() const {
  return mechanism_->memory_bytes() + kinematics_.capacity() * sizeof(Kinematics) +
         pull_back_.capacity() * sizeof(NodeMatrix) + tracked_.capacity() * sizeof(double);
}

template class RigidSystem<Planar>;
template class RigidSystem<Spatial>;

std::unique_ptr<ModelSystem> compile(Description description) {
  core::Diagnostics diagnostics;
  check(description, diagnostics);
  diagnostics.throw_if_errors();
  if (description.space == Space::planar) {
    return std::make_unique<RigidSystem<Planar>>(build_mechanism<Planar>(description));
  }
  return std::make_unique<RigidSystem<Spatial>>(build_mechanism<Spatial>(description));
}

}  // namespace trammel::model
