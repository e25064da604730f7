#include "trammel/model/elements/connection_group.h"

#include <fmt/format.h>

#include "trammel/model/elements/law_group.h"
#include "trammel/model/elements/local_freedoms.h"
#include "trammel/model/local_matrix.h"

namespace trammel::model {

using system::Vector;

template <class S>
void ConnectionGroup<S>::settle(const Instant<S>& now) const {
  for (std::size_t i = 0; i < size(); ++i) {
    m_.connections[i].connection->settle(setting(now), (*now.memories)[i]);
  }
}

template <class S>
void ConnectionGroup<S>::settle_moving(const Instant<S>& now) const {
  settle(now);
  for (std::size_t i = 0; i < size(); ++i) {
    m_.connections[i].connection->set_velocities(setting(now), (*now.memories)[i]);
  }
}

template <class S>
void ConnectionGroup<S>::set_place_rates(const Instant<S>& now, Vector& rates) const {
  for (const NamedConnection<S>& named : m_.connections) {
    if (named.connection->flows()) named.connection->set_place_rates(setting(now), rates);
  }
}

template <class S>
void ConnectionGroup<S>::accept(const Instant<S>& now) const {
  for (std::size_t i = 0; i < size(); ++i) {
    const ElasticConnection<S>& connection = *m_.connections[i].connection;
    ConnectionMemory<S>& memory = (*now.memories)[i];
    if (connection.settle(setting(now), memory)) connection.accept(setting(now), memory);
  }
}

template <class S>
void ConnectionGroup<S>::add(const Instant<S>& now, Part part, double factor, Vector& f) const {
  for (std::size_t i = part.first; i < part.last; ++i) {
    const ElasticConnection<S>& connection = *m_.connections[i].connection;
    connection.evaluate(setting(now), (*now.memories)[i], now.work.row);
    add_to_nodes(m_, connection.nodes(), now.work.row, factor, f);
  }
}

template <class S>
void ConnectionGroup<S>::add_residual(const Instant<S>& now,
                                      Part part,
                                      Vector& r,
                                      Vector& /*rows*/) const {
  add(now, part, -1.0, r);
}

template <class S>
void ConnectionGroup<S>::add_forces(const Instant<S>& now, Part part, Vector& f) const {
  add(now, part, 1.0, f);
}

template <class S>
void ConnectionGroup<S>::add_tangent(const Instant<S>& now,
                                     Part part,
                                     const system::Weights& weights,
                                     system::KktMatrix& tangent) const {
  for (std::size_t i = part.first; i < part.last; ++i) {
    const NamedConnection<S>& named = m_.connections[i];
    const ElasticConnection<S>& connection = *named.connection;
    if (weights.position == 0.0 && (weights.velocity == 0.0 || !connection.flows())) continue;
    const int size = connection.local_size();
    connection.tangent(setting(now), (*now.memories)[i], now.work.matrix, now.work.second_matrix);
    double* const values = tangent.values.data();
    add_matrix(now.work.matrix, size, -weights.position, named.stiffness, values);
    if (!connection.flows()) continue;
    if (now.step != nullptr) turn_columns(connection.nodes(), size, now);
    add_matrix(now.work.second_matrix, size, -weights.velocity, named.stiffness, values);
  }
}

template <class S>
void ConnectionGroup<S>::add_energy(const Instant<S>& now, system::Energy& energy) const {
  settle(now);
  for (const NamedConnection<S>& named : m_.connections) {
    energy.potential += named.connection->potential(setting(now));
  }
}

template <class S>
void ConnectionGroup<S>::add_power(const Instant<S>& now, system::Power& power) const {
  const Place<S> place = now.place();
  for (const NamedConnection<S>& named : m_.connections) {
    const ForcePower part = named.connection->power(setting(now));
    power.dissipated += part.dissipated;
    power.loads += part.load;
    for (const auto& load : named.connection->loads()) {
      add_law_power(load.law, place, *now.state_rates, now.work, power);
    }
  }
}

template <class S>
std::string ConnectionGroup<S>::obstacle() const {
  if (m_.connections.empty()) return {};
  return fmt::format("connection '{}' has no discrete gradient", m_.connections.front().name);
}

template <class S>
void ConnectionGroup<S>::measure(const Instant<S>& now, double*& values) const {
  for (const NamedConnection<S>& named : m_.connections) {
    named.connection->measure(setting(now), values);
  }
}

template class ConnectionGroup<Planar>;
template class ConnectionGroup<Spatial>;

}  // namespace trammel::model
