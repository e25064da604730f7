// Energetic and active connections of a rigid system.
#include <algorithm>
#include <cmath>

#include "trammel/model/local_matrix.h"
#include "trammel/model/rigid_system.h"

namespace trammel::model {

using system::Vector;

template <class S>
void RigidSystem<S>::settle(const system::State& state) {
  for (std::size_t i = 0; i < memories_.size(); ++i) {
    mechanism_->connections[i].connection->settle(setting_at(state), memories_[i]);
  }
}

template <class S>
void RigidSystem<S>::settle_moving(const system::State& state) {
  settle(state);
  for (std::size_t i = 0; i < memories_.size(); ++i) {
    mechanism_->connections[i].connection->set_velocities(setting_at(state), mechanism_->states,
                                                          memories_[i]);
  }
}

template <class S>
void RigidSystem<S>::add_connection_forces(const system::State& state, double factor, Vector& f) {
  for (std::size_t i = 0; i < memories_.size(); ++i) {
    const ElasticConnection<S>& connection = *mechanism_->connections[i].connection;
    connection.evaluate(setting_at(state), memories_[i], work_.row);
    add_local(connection.nodes(), work_.row, factor, f);
  }
}

template <class S>
void RigidSystem<S>::add_connection_tangents(const system::State& state,
                                             const system::Weights& weights,
                                             system::KktMatrix& tangent) {
  if (weights.position == 0.0) return;
  for (std::size_t i = 0; i < memories_.size(); ++i) {
    const NamedConnection<S>& named = mechanism_->connections[i];
    named.connection->tangent(setting_at(state), memories_[i], work_.matrix);
    add_matrix(work_.matrix, named.connection->local_size(), -weights.position, named.stiffness,
               tangent.values.data());
  }
}

template <class S>
double RigidSystem<S>::connection_potential(const system::State& state) {
  settle(state);
  double sum = 0.0;
  for (const NamedConnection<S>& named : mechanism_->connections) {
    sum += named.connection->potential(setting_at(state));
  }
  return sum;
}

template <class S>
void RigidSystem<S>::add_connection_power(const system::State& state, system::Power& power) {
  const Place<S> place = place_at(state);
  for (const NamedConnection<S>& named : mechanism_->connections) {
    const ForcePower part = named.connection->power(setting_at(state));
    power.dissipated += part.dissipated;
    power.loads += part.load;
    for (const auto& load : named.connection->loads()) add_law_power(load.law, place, power);
  }
}

// States move internal nodes and change their velocities, which needs second derivatives of the
// loads: central differences.
template <class S>
void RigidSystem<S>::difference_rates(const system::State& state, Eigen::MatrixXd& tangent) {
  probe_ = state;
  for (const int j : moving_states_) {
    const double step = 1e-6 * std::max(1.0, std::abs(state.z[j]));
    probe_.z[j] = state.z[j] + step;
    rates(probe_, rates_above_);
    probe_.z[j] = state.z[j] - step;
    rates(probe_, rates_below_);
    probe_.z[j] = state.z[j];
    tangent.col(j) = (rates_above_ - rates_below_) / (2.0 * step);
  }
}

template void RigidSystem<Planar>::settle(const system::State&);
template void RigidSystem<Planar>::settle_moving(const system::State&);
template void RigidSystem<Planar>::add_connection_forces(const system::State&, double, Vector&);
template void RigidSystem<Planar>::add_connection_tangents(const system::State&,
                                                           const system::Weights&,
                                                           system::KktMatrix&);
template double RigidSystem<Planar>::connection_potential(const system::State&);
template void RigidSystem<Planar>::add_connection_power(const system::State&, system::Power&);
template void RigidSystem<Planar>::difference_rates(const system::State&, Eigen::MatrixXd&);
template void RigidSystem<Spatial>::settle(const system::State&);
template void RigidSystem<Spatial>::settle_moving(const system::State&);
template void RigidSystem<Spatial>::add_connection_forces(const system::State&, double, Vector&);
template void RigidSystem<Spatial>::add_connection_tangents(const system::State&,
                                                            const system::Weights&,
                                                            system::KktMatrix&);
template double RigidSystem<Spatial>::connection_potential(const system::State&);
template void RigidSystem<Spatial>::add_connection_power(const system::State&, system::Power&);
template void RigidSystem<Spatial>::difference_rates(const system::State&, Eigen::MatrixXd&);

}  // namespace trammel::model
