#include "trammel/model/elements/force_group.h"

#include <fmt/format.h>

#include "trammel/model/elements/local_freedoms.h"

namespace trammel::model {

using system::Vector;

template <class S>
void ForceGroup<S>::add(const Instant<S>& now, Part part, double factor, Vector& f) const {
  for (std::size_t i = part.first; i < part.last; ++i) {
    const Force<S>& force = *m_.forces[i].force;
    PairVector<S> local;
    force.evaluate(now.at(force.node_a()), now.at(force.node_b()), now.t, local);
    add_to_pair(m_, force.node_a(), force.node_b(), local, factor, f);
  }
}

template <class S>
void ForceGroup<S>::add_residual(const Instant<S>& now,
                                 Part part,
                                 Vector& r,
                                 Vector& /*rows*/) const {
  add(now, part, -1.0, r);
}

template <class S>
void ForceGroup<S>::add_forces(const Instant<S>& now, Part part, Vector& f) const {
  add(now, part, 1.0, f);
}

template <class S>
void ForceGroup<S>::add_tangent(const Instant<S>& now,
                                Part part,
                                const system::Weights& weights,
                                system::KktMatrix& tangent) const {
  if (weights.position == 0.0 && weights.velocity == 0.0) return;
  for (std::size_t i = part.first; i < part.last; ++i) {
    const Force<S>& force = *m_.forces[i].force;
    PairMatrix<S> f_q;
    PairMatrix<S> f_v;
    force.tangent(now.at(force.node_a()), now.at(force.node_b()), now.t, f_q, f_v);
    if (now.step != nullptr && force.depends_on_velocity()) {
      const auto& inverse_tangent = *now.inverse_tangent;
      f_v.template leftCols<S::freedoms>() *=
          inverse_tangent[static_cast<std::size_t>(force.node_a())];
      f_v.template rightCols<S::freedoms>() *=
          inverse_tangent[static_cast<std::size_t>(force.node_b())];
    }
    const PairMatrix<S> K = -weights.position * f_q - weights.velocity * f_v;
    add_runs<S>(m_.force_scatter, m_.first_force[i], m_.first_force[i + 1], K,
                tangent.values.data());
  }
}

template <class S>
void ForceGroup<S>::add_energy(const Instant<S>& now, system::Energy& energy) const {
  for (const NamedForce<S>& named : m_.forces) {
    const Force<S>& force = *named.force;
    energy.potential += force.potential(now.at(force.node_a()), now.at(force.node_b()));
  }
}

template <class S>
void ForceGroup<S>::add_power(const Instant<S>& now, system::Power& power) const {
  for (const NamedForce<S>& named : m_.forces) {
    const Force<S>& force = *named.force;
    const ForcePower part = force.power(now.at(force.node_a()), now.at(force.node_b()), now.t);
    power.dissipated += part.dissipated;
    power.loads += part.load;
  }
}

template <class S>
std::string ForceGroup<S>::obstacle() const {
  for (const NamedForce<S>& named : m_.forces) {
    if (!named.force->balances_energy()) {
      return fmt::format("force '{}' has no discrete gradient", named.name);
    }
  }
  return {};
}

template <class S>
void ForceGroup<S>::add_residual_between(const Instant<S>& now,
                                         const StepEnds<S>& ends,
                                         const Vector& /*x*/,
                                         Vector& r) const {
  for (const NamedForce<S>& named : m_.forces) {
    const Force<S>& force = *named.force;
    const auto a = static_cast<std::size_t>(force.node_a());
    const auto b = static_cast<std::size_t>(force.node_b());
    const StepKinematics<S> step{ends.from[a], ends.from[b], now.kinematics[a], now.kinematics[b],
                                 ends.to[a],   ends.to[b],   ends.turn[a],      ends.turn[b]};
    PairVector<S> local;
    force.evaluate_between(step, now.t, local);
    add_to_pair(m_, force.node_a(), force.node_b(), local, -1.0, r);
  }
}

template class ForceGroup<Planar>;
template class ForceGroup<Spatial>;

}  // namespace trammel::model
