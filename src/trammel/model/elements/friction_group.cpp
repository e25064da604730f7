#include "trammel/model/elements/friction_group.h"

#include <cmath>

#include <fmt/format.h>

#include "trammel/model/elements/joint_wrench.h"
#include "trammel/model/elements/local_freedoms.h"
#include "trammel/system/open_row.h"

namespace trammel::model {

using system::Vector;

// ---- the load

template <class S>
double FrictionGroup<S>::normal_load(std::size_t friction, const Instant<S>& now) const {
  const Named& named = m_.joint_frictions[friction];
  const MechanismJoint<S>& joint = m_.joints[named.joint];
  const auto wrench = joints_.reaction(joint, now);
  const auto moment = moment_at(now.at(joint.b.node), joint.b.l, wrench);
  const double force = wrench.template head<S::dimension>().norm();
  if constexpr (S::space == Space::planar) {
    return named.parameters.normal_load(force, std::abs(moment));
  } else {
    return named.parameters.normal_load(force, moment.norm());
  }
}

template <class S>
PairVector<S> FrictionGroup<S>::normal_load_slope(const Named& named, const Instant<S>& now) const {
  const MechanismJoint<S>& joint = m_.joints[named.joint];
  const auto wrench_q = joints_.reaction_slope(joint, now);
  const auto wrench = joints_.reaction(joint, now);
  const typename S::Point force = wrench.template head<S::dimension>();
  double square = force.squaredNorm();
  PairVector<S> slope = wrench_q.template topRows<S::dimension>().transpose() * force;
  if (named.parameters.lever > 0.0) {
    const MomentSlope<S> moment = moment_slope(b(named, now), joint.b.l, wrench, wrench_q);
    const double weight = 1.0 / (named.parameters.lever * named.parameters.lever);
    square += weight * moment.value.squaredNorm();
    slope += weight * moment.slope.transpose() * moment.value;
  }
  if (square == 0.0) return PairVector<S>::Zero();
  return slope / std::sqrt(square);
}

template <class S>
JointFrictionParameters::Load FrictionGroup<S>::smooth_load(std::size_t friction,
                                                            const Instant<S>& now) const {
  const Named& named = m_.joint_frictions[friction];
  const double rate = named.coordinate->rate(a(named, now), b(named, now));
  return named.parameters.at(rate, normal_load(friction, now),
                             now.history.frictions[friction].slip);
}

template <class S>
double FrictionGroup<S>::load(std::size_t friction, const Instant<S>& now) const {
  return sticks(friction, now) ? -(*now.lambda)[m_.joint_frictions[friction].row]
                               : smooth_load(friction, now).load;
}

template <class S>
void FrictionGroup<S>::add_loads(const Instant<S>& now, Part part, double factor, Vector& f) const {
  for (std::size_t i = part.first; i < part.last; ++i) {
    const Named& named = m_.joint_frictions[i];
    const MechanismJoint<S>& joint = m_.joints[named.joint];
    PairVector<S> J;
    named.coordinate->jacobian(a(named, now), b(named, now), J);
    add_to_pair(m_, joint.a.node, joint.b.node, J, factor * smooth_load(i, now).load, f);
  }
}

template <class S>
void FrictionGroup<S>::add_constraint_dependent_forces(const Instant<S>& now, Vector& h) const {
  add_loads(now, {0, size()}, 1.0, h);
}

template <class S>
void FrictionGroup<S>::add_power(const Instant<S>& now, system::Power& power) const {
  for (std::size_t i = 0; i < size(); ++i) {
    const Named& named = m_.joint_frictions[i];
    const double rate = named.coordinate->rate(a(named, now), b(named, now));
    power.dissipated -= smooth_load(i, now).load * rate;
  }
}

template <class S>
std::string FrictionGroup<S>::obstacle() const {
  for (const Named& named : m_.joint_frictions) {
    if (named.row >= 0) {
      return fmt::format("friction '{}' sticks by a row that has no discrete gradient", named.name);
    }
  }
  return {};
}

template <class S>
void FrictionGroup<S>::add_residual_between(const Instant<S>& now,
                                            const StepEnds<S>& /*ends*/,
                                            const Vector& /*x*/,
                                            Vector& r) const {
  add_loads(now, {0, size()}, -1.0, r);
}

// ---- load and row in the equations

template <class S>
void FrictionGroup<S>::add_residual(const Instant<S>& now,
                                    Part part,
                                    Vector& r,
                                    Vector& rows) const {
  add_loads(now, part, -1.0, r);
  for (std::size_t i = part.first; i < part.last; ++i) {
    const Named& named = m_.joint_frictions[i];
    if (named.row < 0) continue;
    rows[named.row] = 0.0;
    if (!sticks(i, now)) continue;
    const MechanismJoint<S>& joint = m_.joints[named.joint];
    PairVector<S> J;
    named.coordinate->jacobian(a(named, now), b(named, now), J);
    rows[named.row] = distance_from_hold(i, now);
    add_to_pair(m_, joint.a.node, joint.b.node, J, (*now.lambda)[named.row], r);
  }
}

template <class S>
void FrictionGroup<S>::add_tangent(const Instant<S>& now,
                                   Part part,
                                   const system::Weights& weights,
                                   system::KktMatrix& tangent) const {
  for (std::size_t i = part.first; i < part.last; ++i) {
    if (weights.position != 0.0 || weights.velocity != 0.0) {
      add_load_tangent(i, now, weights, tangent);
    }
    const int row = m_.joint_frictions[i].row;
    if (row < 0) continue;
    if (sticks(i, now)) {
      add_stick_tangent(i, now, weights, tangent);
    } else {
      system::open_row(row, tangent);
    }
  }
}

// As a law F(x', N) along the coordinate, see law.h; the multipliers in N are fixed.
template <class S>
void FrictionGroup<S>::add_load_tangent(std::size_t friction,
                                        const Instant<S>& now,
                                        const system::Weights& weights,
                                        system::KktMatrix& tangent) const {
  constexpr int n = S::freedoms;
  const Named& named = m_.joint_frictions[friction];
  const MechanismJoint<S>& joint = m_.joints[named.joint];
  const typename S::Kinematics& node_a = a(named, now);
  const typename S::Kinematics& node_b = b(named, now);
  const auto F = smooth_load(friction, now);
  const auto per_normal_load = named.parameters.at(named.coordinate->rate(node_a, node_b), 1.0,
                                                   now.history.frictions[friction].slip);
  PairVector<S> J;
  PairMatrix<S> H;
  named.coordinate->jacobian(node_a, node_b, J);
  named.coordinate->derivative(node_a, node_b, H);
  const PairVector<S> rate_q = H.transpose() * pair_velocity<S>(node_a, node_b);
  const PairVector<S> F_q =
      F.by_rate * rate_q + per_normal_load.load * normal_load_slope(named, now);
  const PairMatrix<S> f_q = F.load * H + J * F_q.transpose();
  PairMatrix<S> f_v = F.by_rate * J * J.transpose();
  if (now.step != nullptr) {
    f_v.template leftCols<n>() *= (*now.inverse_tangent)[static_cast<std::size_t>(joint.a.node)];
    f_v.template rightCols<n>() *= (*now.inverse_tangent)[static_cast<std::size_t>(joint.b.node)];
  }
  add_pair_matrix(named, -weights.position * f_q - weights.velocity * f_v, tangent);
}

template <class S>
void FrictionGroup<S>::add_stick_tangent(std::size_t friction,
                                         const Instant<S>& now,
                                         const system::Weights& weights,
                                         system::KktMatrix& tangent) const {
  constexpr int n = S::freedoms;
  const Named& named = m_.joint_frictions[friction];
  const MechanismJoint<S>& joint = m_.joints[named.joint];
  PairVector<S> J;
  PairMatrix<S> H;
  named.coordinate->jacobian(a(named, now), b(named, now), J);
  auto position = named.jacobian.begin();
  for (const int number : named.nodes.nodes()) {
    const int offset = number == joint.a.node ? 0 : n;
    for (int k = 0; k < n; ++k, ++position) {
      if (*position >= 0) tangent.values[static_cast<std::size_t>(*position)] += J[offset + k];
    }
  }
  if (weights.position == 0.0) return;
  named.coordinate->derivative(a(named, now), b(named, now), H);
  add_pair_matrix(named, weights.position * (*now.lambda)[named.row] * H, tangent);
}

template <class S>
void FrictionGroup<S>::add_pair_matrix(const Named& named,
                                       const PairMatrix<S>& K,
                                       system::KktMatrix& tangent) const {
  constexpr int n = S::freedoms;
  const int node_a = m_.joints[named.joint].a.node;
  const auto offset = [&](int number) { return number == node_a ? 0 : n; };
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

// ---- the row by level

template <class S>
double FrictionGroup<S>::coordinate(std::size_t friction, const Instant<S>& now) const {
  const Named& named = m_.joint_frictions[friction];
  return named.coordinate->value(a(named, now), b(named, now));
}

template <class S>
double FrictionGroup<S>::distance_from_hold(std::size_t friction, const Instant<S>& now) const {
  const double moved = coordinate(friction, now) - now.history.frictions[friction].held_at;
  const bool wraps = m_.joint_frictions[friction].coordinate->wraps();
  return wraps ? std::remainder(moved, 2.0 * M_PI) : moved;
}

template <class S>
void FrictionGroup<S>::positions(const Instant<S>& now, Part part, Vector& g) const {
  for (std::size_t i = part.first; i < part.last; ++i) {
    const int row = m_.joint_frictions[i].row;
    if (row >= 0) g[row] = sticks(i, now) ? distance_from_hold(i, now) : 0.0;
  }
}

template <class S>
void FrictionGroup<S>::velocities(const Instant<S>& now, Part part, Vector& g_dot) const {
  for (std::size_t i = part.first; i < part.last; ++i) {
    const Named& named = m_.joint_frictions[i];
    if (named.row < 0) continue;
    g_dot[named.row] = sticks(i, now) ? named.coordinate->rate(a(named, now), b(named, now)) : 0.0;
  }
}

template <class S>
void FrictionGroup<S>::biases(const Instant<S>& now, Part part, Vector& gamma) const {
  for (std::size_t i = part.first; i < part.last; ++i) {
    const Named& named = m_.joint_frictions[i];
    if (named.row < 0) continue;
    gamma[named.row] = 0.0;
    if (!sticks(i, now)) continue;
    PairMatrix<S> H;
    named.coordinate->derivative(a(named, now), b(named, now), H);
    const PairVector<S> v = pair_velocity<S>(a(named, now), b(named, now));
    gamma[named.row] = v.dot(H * v);
  }
}

template <class S>
void FrictionGroup<S>::jacobian_product(const Instant<S>& now,
                                        Part part,
                                        const Vector& x,
                                        Vector& rows) const {
  for (std::size_t i = part.first; i < part.last; ++i) {
    const Named& named = m_.joint_frictions[i];
    if (named.row < 0) continue;
    const MechanismJoint<S>& joint = m_.joints[named.joint];
    PairVector<S> J;
    named.coordinate->jacobian(a(named, now), b(named, now), J);
    rows[named.row] = sticks(i, now) ? J.dot(of_pair(m_, joint.a.node, joint.b.node, x)) : 0.0;
  }
}

template <class S>
void FrictionGroup<S>::add_transposed_product(const Instant<S>& now,
                                              Part part,
                                              const Vector& lambda,
                                              Vector& r) const {
  for (std::size_t i = part.first; i < part.last; ++i) {
    const Named& named = m_.joint_frictions[i];
    if (named.row < 0 || !sticks(i, now)) continue;
    const MechanismJoint<S>& joint = m_.joints[named.joint];
    PairVector<S> J;
    named.coordinate->jacobian(a(named, now), b(named, now), J);
    add_to_pair(m_, joint.a.node, joint.b.node, J, lambda[named.row], r);
  }
}

template <class S>
SlipPlace FrictionGroup<S>::slip_at(std::size_t friction, const Instant<S>& now) const {
  const Named& named = m_.joint_frictions[friction];
  const MechanismJoint<S>& joint = m_.joints[named.joint];
  const typename S::Kinematics& node_a = a(named, now);
  const typename S::Kinematics& node_b = b(named, now);
  PairVector<S> J;
  PairMatrix<S> H;
  named.coordinate->jacobian(node_a, node_b, J);
  named.coordinate->derivative(node_a, node_b, H);
  const PairVector<S> v = pair_velocity<S>(node_a, node_b);
  const double acceleration = v.dot(H * v) + J.dot(of_pair(m_, joint.a.node, joint.b.node, *now.a));
  return {named.coordinate->rate(node_a, node_b), acceleration,
          named.parameters.limit(normal_load(friction, now))};
}

template class FrictionGroup<Planar>;
template class FrictionGroup<Spatial>;

}  // namespace trammel::model
