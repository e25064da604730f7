// The energy balance of rigid systems: forces and reactions with exact work over a step.
#include <cmath>

#include <fmt/format.h>

#include "trammel/model/rigid_system.h"

namespace trammel::model {

using system::Vector;

template <class S>
std::string RigidSystem<S>::obstacle() const {
  for (const NamedForce<S>& named : mechanism_->forces) {
    if (!named.force->balances_energy()) {
      return fmt::format("force '{}' has no discrete gradient", named.name);
    }
  }
  if (!mechanism_->laws.empty()) {
    return fmt::format("'{}' is a force by a formula, which has no discrete gradient",
                       mechanism_->laws.front().name);
  }
  if (!mechanism_->connections.empty()) {
    return fmt::format("connection '{}' has no discrete gradient",
                       mechanism_->connections.front().name);
  }
  if (!mechanism_->relations.empty()) {
    return fmt::format("'{}' is a constraint by a formula, which has no discrete gradient",
                       mechanism_->relations.front().name);
  }
  for (const NamedJointFriction<S>& named : mechanism_->joint_frictions) {
    if (named.row >= 0) {
      return fmt::format("friction '{}' sticks by a row that has no discrete gradient", named.name);
    }
  }
  if (mechanism_->sizes.nonholonomic > 0) {
    return "reactions of nonholonomic rows, which hold at the end of a step, do work over it";
  }
  return {};
}

template <class S>
StepKinematics<S> RigidSystem<S>::over_step(int node_a, int node_b) const {
  const auto a = static_cast<std::size_t>(node_a);
  const auto b = static_cast<std::size_t>(node_b);
  return {from_[a], from_[b], at(node_a), at(node_b), to_[a], to_[b], turn_[a], turn_[b]};
}

template <class S>
void RigidSystem<S>::residual_between(const system::State& from,
                                      const system::Motion& middle,
                                      const system::State& to,
                                      const Vector& x,
                                      Vector& r) {
  const Mechanism<S>& m = *mechanism_;
  from_.resize(m.nodes.size());
  to_.resize(m.nodes.size());
  turn_.resize(m.nodes.size(), 1.0);
  update(from, from_);
  update(to, to_);
  update(middle.state);
  for (std::size_t i = 1; i < m.nodes.size(); ++i) {
    if (m.nodes[i].freedoms < S::freedoms) continue;
    const double half = 0.5 * x.segment<S::rotations>(m.nodes[i].v + S::dimension).norm();
    turn_[i] = half > 1e-4 ? std::sin(half) / half : 1.0 - half * half / 6.0;
  }
  r.resize(m.sizes.v);
  for (int i = 1; i < static_cast<int>(m.nodes.size()); ++i) set_inertia(middle.a, i, r);
  add_reactions_between(middle, x, r);
  for (const NamedForce<S>& named : m.forces) {
    const Force<S>& force = *named.force;
    PairVector<S> local;
    force.evaluate_between(over_step(force.node_a(), force.node_b()), middle.state.t, local);
    add_to_nodes(force.node_a(), force.node_b(), local, -1.0, r);
  }
  add_reaction_loads(middle, -1.0, r);
}

// Rows that are linear in positions and rotation matrices have G x = g(to) - g(from) by the turn
// factors alone. What others lack is added along the turns of both nodes [Gonzalez 1996].
template <class S>
void RigidSystem<S>::add_reactions_between(const system::Motion& middle,
                                           const Vector& x,
                                           Vector& r) const {
  constexpr int second = S::freedoms + S::dimension;  // first rotation of node b
  const Mechanism<S>& m = *mechanism_;
  const double t = middle.state.t;
  for (std::size_t c = 0; c < m.constraints.size(); ++c) {
    const Constraint<S>& primitive = *m.constraints[c];
    const StepKinematics<S> step = over_step(primitive.node_a(), primitive.node_b());
    typename Constraint<S>::Rows g0;
    typename Constraint<S>::Rows g1;
    typename Constraint<S>::Rows g;
    typename Constraint<S>::Jacobian G;
    primitive.linearise(step.a0, step.b0, t, g0, G);
    primitive.linearise(step.a1, step.b1, t, g1, G);
    G.setZero();
    primitive.linearise(step.a, step.b, t, g, G);
    G.template middleCols<S::rotations>(S::dimension) *= step.turn_a;
    G.template middleCols<S::rotations>(second) *= step.turn_b;

    PairVector<S> local_x = PairVector<S>::Zero();
    const Node<S>& a = node(primitive.node_a());
    const Node<S>& b = node(primitive.node_b());
    for (int i = 0; i < a.freedoms; ++i) local_x[i] = x[a.v + i];
    for (int i = 0; i < b.freedoms; ++i) local_x[S::freedoms + i] = x[b.v + i];
    PairVector<S> turns = local_x;
    turns.template head<S::dimension>().setZero();
    turns.template segment<S::dimension>(S::freedoms).setZero();

    PairVector<S> local = PairVector<S>::Zero();
    constexpr double still = 1e-16;  // turns below 1e-8 rad: the lack is below round-off
    for (int i = 0; i < primitive.rows(); ++i) {
      const double lambda = middle.lambda[m.first_row[c] + i];
      local += lambda * G.row(i).transpose();
      const double lack = g1[i] - g0[i] - G.row(i).dot(local_x);
      if (turns.squaredNorm() > still) local += lambda * lack / turns.squaredNorm() * turns;
    }
    add_to_nodes(primitive.node_a(), primitive.node_b(), local, 1.0, r);
  }
}

// The rest of the class is instantiated in rigid_system.cpp; these members live here.
template std::string RigidSystem<Planar>::obstacle() const;
template std::string RigidSystem<Spatial>::obstacle() const;
template void RigidSystem<Planar>::residual_between(
    const system::State&, const system::Motion&, const system::State&, const Vector&, Vector&);
template void RigidSystem<Spatial>::residual_between(
    const system::State&, const system::Motion&, const system::State&, const Vector&, Vector&);

}  // namespace trammel::model
