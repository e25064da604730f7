// Couplings, drives, force laws and first-order states of a rigid system.
#include "trammel/model/local_matrix.h"
#include "trammel/model/rigid_system.h"

namespace trammel::model {

using system::Vector;

template <class S>
void RigidSystem<S>::add_local(const LocalNodes& nodes,
                               const Vector& local,
                               double factor,
                               Vector& r) const {
  for (std::size_t slot = 0; slot < nodes.nodes().size(); ++slot) {
    const Node<S>& body = node(nodes.nodes()[slot]);
    const Eigen::Index first = static_cast<Eigen::Index>(slot) * S::freedoms;
    for (int k = 0; k < body.freedoms; ++k) r[body.v + k] += factor * local[first + k];
  }
}

template <class S>
double RigidSystem<S>::along_velocities(const LocalNodes& nodes, const Vector& local) const {
  double sum = 0.0;
  for (std::size_t slot = 0; slot < nodes.nodes().size(); ++slot) {
    const Kinematics& k = at(nodes.nodes()[slot]);
    NodeVector v;
    v << k.v, k.w;
    sum += v.dot(local.segment<S::freedoms>(static_cast<Eigen::Index>(slot) * S::freedoms));
  }
  return sum;
}

template <class S>
void RigidSystem<S>::add_relation_residuals(const system::Motion& motion,
                                            Vector& r,
                                            Vector& constraint) {
  const Place<S> place = place_at(motion.state);
  for (const NamedRelation<S>& named : mechanism_->relations) {
    constraint[named.row] = named.relation.linearise(place, work_);
    add_local(named.relation.nodes(), work_.row, motion.lambda[named.row], r);
  }
}

template <class S>
void RigidSystem<S>::add_law_forces(const system::State& state, double factor, Vector& f) {
  const Place<S> place = place_at(state);
  for (const NamedLaw<S>& named : mechanism_->laws) {
    if (named.law.depends_on_reactions()) continue;
    named.law.evaluate(place, work_);
    add_local(named.law.nodes(), work_.row, factor, f);
  }
}

template <class S>
void RigidSystem<S>::add_relation_tangents(const system::Motion& motion,
                                           const system::Weights& weights,
                                           system::KktMatrix& tangent) {
  const Place<S> place = place_at(motion.state);
  double* values = tangent.values.data();
  for (const NamedRelation<S>& named : mechanism_->relations) {
    named.relation.linearise(place, work_);
    for (std::size_t i = 0; i < named.jacobian.size(); ++i) {
      if (named.jacobian[i] >= 0) {
        values[named.jacobian[i]] += work_.row[static_cast<Eigen::Index>(i)];
      }
    }
    if (weights.position == 0.0) continue;
    named.relation.stiffness(place, weights.position * motion.lambda[named.row], work_);
    add_matrix(work_.matrix, named.relation.local_size(), 1.0, named.stiffness, values);
  }
}

template <class S>
void RigidSystem<S>::add_law_tangents(const system::Motion& motion,
                                      const system::Weights& weights,
                                      system::KktMatrix& tangent) {
  if (weights.position == 0.0 && weights.velocity == 0.0) return;
  constexpr int f = S::freedoms;
  const Place<S> place = place_at(motion);
  for (const NamedLaw<S>& named : mechanism_->laws) {
    named.law.tangent(place, work_);
    const auto& nodes = named.law.nodes().nodes();
    const int size = named.law.local_size();
    if (has_step_ && named.law.depends_on_velocity()) {
      for (std::size_t slot = 0; slot < nodes.size(); ++slot) {
        const NodeMatrix& pull_back = pull_back_[static_cast<std::size_t>(nodes[slot])];
        for (int i = 0; i < size; ++i) {
          auto entries =
              work_.second_matrix.template block<1, f>(i, static_cast<Eigen::Index>(slot) * f);
          entries = (entries * pull_back).eval();
        }
      }
    }
    double* values = tangent.values.data();
    add_matrix(work_.matrix, size, -weights.position, named.stiffness, values);
    add_matrix(work_.second_matrix, size, -weights.velocity, named.stiffness, values);
  }
}

template <class S>
void RigidSystem<S>::relation_positions(const system::State& state, Vector& g) {
  const Place<S> place = place_at(state);
  for (const NamedRelation<S>& named : mechanism_->relations) {
    const bool position = named.relation.level() == RelationLevel::position;
    g[named.row] = position ? named.relation.formula().value(place, work_) : 0.0;
  }
}

template <class S>
void RigidSystem<S>::relation_velocities(const system::State& state, Vector& g_dot) {
  const Place<S> place = place_at(state);
  for (const NamedRelation<S>& named : mechanism_->relations) {
    if (named.relation.level() == RelationLevel::velocity) {
      g_dot[named.row] = named.relation.formula().value(place, work_);
      continue;
    }
    const double by_time = named.relation.time_derivative(place, work_);
    named.relation.linearise(place, work_);
    g_dot[named.row] = by_time + along_velocities(named.relation.nodes(), work_.row);
  }
}

template <class S>
void RigidSystem<S>::relation_biases(const system::State& state, Vector& gamma) {
  const Place<S> place = place_at(state);
  for (const NamedRelation<S>& named : mechanism_->relations) {
    gamma[named.row] = named.relation.bias(place, work_);
  }
}

template <class S>
void RigidSystem<S>::add_law_power(const Law<S>& law, const Place<S>& place, system::Power& power) {
  const double work = law.magnitude(place, work_) * law.rate(place) +
                      law.potential_rate(place, state_rates_, work_);
  if (law.work_kind() == WorkKind::dissipation) {
    power.dissipated -= work;
  } else {
    const double loss = law.loss(place, work_);
    power.dissipated += loss;
    power.loads += work + loss;
  }
}

template <class S>
void RigidSystem<S>::add_formula_power(const system::Motion& motion, system::Power& power) {
  const Place<S> place = place_at(motion);
  if (!mechanism_->states.empty()) set_rates(motion.state, state_rates_);
  for (const NamedLaw<S>& named : mechanism_->laws) add_law_power(named.law, place, power);
  for (const NamedRelation<S>& named : mechanism_->relations) {
    power.drives += motion.lambda[named.row] * named.relation.time_derivative(place, work_);
  }
}

template <class S>
double RigidSystem<S>::relation_load(const NamedRelation<S>& named, const system::Motion& motion) {
  named.relation.formula().gradient(place_at(motion.state), work_);
  return -motion.lambda[named.row] * work_.gradient[static_cast<std::size_t>(named.leading)];
}

// ---- first-order states

template <class S>
void RigidSystem<S>::rates(const system::State& state, Vector& rates) {
  update(state);
  if (!memories_.empty()) settle_moving(state);
  set_rates(state, rates);
}

template <class S>
void RigidSystem<S>::set_rates(const system::State& state, Vector& rates) {
  const Place<S> place = place_at(state);
  rates.resize(mechanism_->sizes.z);
  for (std::size_t i = 0; i < mechanism_->states.size(); ++i) {
    rates[static_cast<Eigen::Index>(i)] = mechanism_->states[i].rate.value(place, work_);
  }
}

template <class S>
void RigidSystem<S>::rate_tangent(const system::State& state, Eigen::MatrixXd& tangent) {
  update(state);
  if (!memories_.empty()) settle_moving(state);
  const Place<S> place = place_at(state);
  tangent.setZero(mechanism_->sizes.z, mechanism_->sizes.z);
  for (std::size_t i = 0; i < mechanism_->states.size(); ++i) {
    const Formula<S>& rate = mechanism_->states[i].rate;
    rate.gradient(place, work_);
    for (std::size_t j = 0; j < rate.inputs().size(); ++j) {
      const Measure<S>& input = rate.inputs()[j];
      if (input.kind != Measure<S>::Kind::state) continue;
      tangent(static_cast<Eigen::Index>(i), input.index) += work_.gradient[j];
    }
  }
  if (!moving_states_.empty()) difference_rates(state, tangent);
}

template void RigidSystem<Planar>::add_local(const LocalNodes&,
                                             const Vector&,
                                             double,
                                             Vector&) const;
template void RigidSystem<Planar>::add_relation_residuals(const system::Motion&, Vector&, Vector&);
template void RigidSystem<Planar>::add_law_forces(const system::State&, double, Vector&);
template void RigidSystem<Planar>::add_relation_tangents(const system::Motion&,
                                                         const system::Weights&,
                                                         system::KktMatrix&);
template void RigidSystem<Planar>::add_law_tangents(const system::Motion&,
                                                    const system::Weights&,
                                                    system::KktMatrix&);
template void RigidSystem<Planar>::relation_positions(const system::State&, Vector&);
template void RigidSystem<Planar>::relation_velocities(const system::State&, Vector&);
template void RigidSystem<Planar>::relation_biases(const system::State&, Vector&);
template void RigidSystem<Planar>::add_formula_power(const system::Motion&, system::Power&);
template double RigidSystem<Planar>::relation_load(const NamedRelation<Planar>&,
                                                   const system::Motion&);
template void RigidSystem<Planar>::rates(const system::State&, Vector&);
template void RigidSystem<Planar>::add_law_power(const Law<Planar>&,
                                                 const Place<Planar>&,
                                                 system::Power&);
template void RigidSystem<Planar>::rate_tangent(const system::State&, Eigen::MatrixXd&);
template void RigidSystem<Spatial>::add_local(const LocalNodes&,
                                              const Vector&,
                                              double,
                                              Vector&) const;
template void RigidSystem<Spatial>::add_relation_residuals(const system::Motion&, Vector&, Vector&);
template void RigidSystem<Spatial>::add_law_forces(const system::State&, double, Vector&);
template void RigidSystem<Spatial>::add_relation_tangents(const system::Motion&,
                                                          const system::Weights&,
                                                          system::KktMatrix&);
template void RigidSystem<Spatial>::add_law_tangents(const system::Motion&,
                                                     const system::Weights&,
                                                     system::KktMatrix&);
template void RigidSystem<Spatial>::relation_positions(const system::State&, Vector&);
template void RigidSystem<Spatial>::relation_velocities(const system::State&, Vector&);
template void RigidSystem<Spatial>::relation_biases(const system::State&, Vector&);
template void RigidSystem<Spatial>::add_formula_power(const system::Motion&, system::Power&);
template double RigidSystem<Spatial>::relation_load(const NamedRelation<Spatial>&,
                                                    const system::Motion&);
template void RigidSystem<Spatial>::rates(const system::State&, Vector&);
template void RigidSystem<Spatial>::add_law_power(const Law<Spatial>&,
                                                  const Place<Spatial>&,
                                                  system::Power&);
template void RigidSystem<Spatial>::rate_tangent(const system::State&, Eigen::MatrixXd&);

}  // namespace trammel::model
