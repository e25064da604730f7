// Velocities of the internal nodes of a connection.
#include <algorithm>

#include "trammel/model/connections/elastic_connection.h"

namespace trammel::model {

using Eigen::Index;

template <class S>
void ElasticConnection<S>::put_velocities(const Eigen::VectorXd& v, const Setting& at) const {
  Index next = 0;
  for (std::size_t i = 0; i < internal_.size(); ++i) {
    Kinematics& node = internal_pose(at, i);
    for (int k = 0; k < S::dimension; ++k) node.v[k] = v[next++];
    if (!internal_[i].turns) continue;
    if constexpr (S::space == Space::planar) {
      node.w = v[next++];
    } else {
      for (int k = 0; k < 3; ++k) node.w[k] = v[next++];
    }
  }
}

template <class S>
void ElasticConnection<S>::set_state_slopes(const Setting& at, Memory& memory) const {
  using Kind = typename Measure<S>::Kind;
  constexpr int n = S::freedoms;
  memory.f_z.setZero();
  for (const ActiveLoad& load : loads_) {
    load.law.linearise(at.place(), at.work);
    const std::vector<int>& nodes = load.law.nodes().nodes();
    const auto& inputs = load.law.formula().inputs();
    for (std::size_t k = 0; k < inputs.size(); ++k) {
      if (inputs[k].kind != Kind::state && inputs[k].kind != Kind::time) continue;
      const auto column =
          std::find(states_.begin(), states_.end(), inputs[k].index) - states_.begin();
      for (std::size_t i = 0; i < nodes.size(); ++i) {
        if (!is_internal(nodes[i])) continue;
        for (int d = 0; d < n; ++d) {
          const int unknown = unknown_of(nodes[i], d);
          if (unknown < 0) continue;
          const double slope = at.work.gradient[k] * at.work.row[static_cast<Index>(i) * n + d];
          if (inputs[k].kind == Kind::time) {
            memory.bias[unknown] += slope;
          } else {
            memory.f_z(unknown, column) += slope;
          }
        }
      }
    }
  }
}

// K_ie v_e.
template <class S>
void ElasticConnection<S>::add_external_motion(const Setting& at, Memory& memory) const {
  constexpr int n = S::freedoms;
  const std::vector<int>& bodies = external_.nodes();
  for (std::size_t slot = 0; slot < bodies.size(); ++slot) {
    const Kinematics& body = pose(at, bodies[slot]);
    Eigen::Matrix<double, n, 1> v;
    v << body.v, body.w;
    for (std::size_t i = 0; i < unknowns_.size(); ++i) {
      memory.bias[static_cast<Index>(i)] +=
          memory.K.row(unknowns_[i]).template segment<n>(static_cast<Index>(slot) * n).dot(v);
    }
  }
}

// The derivative of a state's rate by the velocities of the unknowns; gives the rate.
template <class S>
double ElasticConnection<S>::linearise_rate(const Formula<S>& rate,
                                            const Setting& at,
                                            Eigen::VectorXd& by_velocity) const {
  constexpr int n = S::freedoms;
  const double value = rate.gradient(at.place(), at.work);
  rate.jacobians(at.place(), at.work);
  by_velocity.setZero();
  for (std::size_t k = 0; k < rate.inputs().size(); ++k) {
    const Measure<S>& input = rate.inputs()[k];
    if (input.kind != Measure<S>::Kind::rate) continue;
    const int nodes[2] = {input.node_a, input.node_b};
    for (int end = 0; end < 2; ++end) {
      for (int d = 0; d < n && is_internal(nodes[end]); ++d) {
        const int unknown = unknown_of(nodes[end], d);
        if (unknown < 0) continue;
        by_velocity[unknown] += at.work.gradient[k] * at.work.jacobians[k][end * n + d];
      }
    }
  }
  return value;
}

template <class S>
void ElasticConnection<S>::add_state_motion(const Setting& at,
                                            Memory& memory,
                                            Eigen::MatrixXd& by_velocity) const {
  for (std::size_t k = 0; k < states_.size(); ++k) {
    const auto slope = memory.f_z.col(static_cast<Index>(k));
    const Formula<S>& rate = at.states[static_cast<std::size_t>(states_[k])].rate;
    memory.residual += slope * linearise_rate(rate, at, memory.rate_slope);
    by_velocity.noalias() += slope * memory.rate_slope.transpose();
  }
}

template <class S>
void ElasticConnection<S>::set_velocities(const Setting& at, Memory& memory) const {
  if (unknowns_.empty()) return;
  if (flows_) {
    set_flow(at, memory);
    return;
  }
  factor(at, memory);
  memory.bias.setZero();
  add_external_motion(at, memory);
  set_state_slopes(at, memory);
  // Newton's method for v_i: one step where the state equations are linear in velocities.
  constexpr int most_steps = 20;
  memory.v.setZero();
  for (int step = 0; step < most_steps; ++step) {
    put_velocities(memory.v, at);
    set_slopes_of_unknowns(memory);
    memory.residual = memory.bias;
    memory.residual.noalias() += memory.K_ii * memory.v;
    add_state_motion(at, memory, memory.K_ii);
    factor_unknowns(memory);
    solve_factored(memory.residual, memory, memory.step);
    memory.v -= memory.step;
    if (states_.empty() || !(memory.step.norm() > 1e-14 * memory.v.norm())) break;
  }
  put_velocities(memory.v, at);
}

template void ElasticConnection<Planar>::set_velocities(const Setting&, Memory&) const;
template void ElasticConnection<Spatial>::set_velocities(const Setting&, Memory&) const;
// What elastic_flow.cpp uses.
template void ElasticConnection<Planar>::put_velocities(const Eigen::VectorXd&,
                                                        const Setting&) const;
template void ElasticConnection<Spatial>::put_velocities(const Eigen::VectorXd&,
                                                         const Setting&) const;
template void ElasticConnection<Planar>::add_external_motion(const Setting&, Memory&) const;
template void ElasticConnection<Spatial>::add_external_motion(const Setting&, Memory&) const;
template void ElasticConnection<Planar>::set_state_slopes(const Setting&, Memory&) const;
template void ElasticConnection<Spatial>::set_state_slopes(const Setting&, Memory&) const;
template void ElasticConnection<Planar>::add_state_motion(const Setting&,
                                                          Memory&,
                                                          Eigen::MatrixXd&) const;
template void ElasticConnection<Spatial>::add_state_motion(const Setting&,
                                                           Memory&,
                                                           Eigen::MatrixXd&) const;

}  // namespace trammel::model
