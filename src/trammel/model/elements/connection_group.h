// Energetic and active connections: loads through internal nodes without mass, which stand where
// they balance.
#pragma once

#include "trammel/model/connections/elastic_connection.h"
#include "trammel/model/elements/element_group.h"
#include "trammel/model/mechanism.h"

namespace trammel::model {

template <class S>
class ConnectionGroup final : public ElementGroup<S> {
 public:
  using Vector = system::Vector;

  explicit ConnectionGroup(const Mechanism<S>& mechanism) : m_(mechanism) {}

  std::size_t size() const override { return m_.connections.size(); }
  std::vector<int> nodes(std::size_t element) const override {
    return m_.connections[element].connection->nodes().nodes();
  }

  void add_residual(const Instant<S>& now, Part part, Vector& r, Vector& rows) const override;
  void add_forces(const Instant<S>& now, Part part, Vector& f) const override;
  void add_tangent(const Instant<S>& now,
                   Part part,
                   const system::Weights& weights,
                   system::KktMatrix& tangent) const override;
  void add_energy(const Instant<S>& now, system::Energy& energy) const override;
  /// At internal nodes that move, see settle_moving().
  void add_power(const Instant<S>& now, system::Power& power) const override;
  std::string obstacle() const override;

  /// Puts all internal nodes where they balance.
  void settle(const Instant<S>& now) const;
  /// And gives them their velocities.
  void settle_moving(const Instant<S>& now) const;
  /// Where they balance is where they are looked for from now on.
  void accept(const Instant<S>& now) const;
  /// Rates of the states that are places of nodes, at nodes that move.
  void set_place_rates(const Instant<S>& now, Vector& rates) const;
  /// What its elements report, at internal nodes that move.
  void measure(const Instant<S>& now, double*& values) const;

 private:
  using Setting = typename ElasticConnection<S>::Setting;
  Setting setting(const Instant<S>& now) const {
    return {now.kinematics, now.clock, *now.z, now.history.turns, now.work, m_.states};
  }
  void add(const Instant<S>& now, Part part, double factor, Vector& f) const;

  const Mechanism<S>& m_;
};

}  // namespace trammel::model
