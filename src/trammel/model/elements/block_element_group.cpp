#include "trammel/model/elements/block_element_group.h"

#include <fmt/format.h>

#include "trammel/model/local_matrix.h"

namespace trammel::model {

using system::Vector;

template <class S>
std::vector<int> BlockElementGroup<S>::nodes(std::size_t element) const {
  const Footing& footing = m_.elements[element].footing;
  std::vector<int> nodes = footing.nodes;
  if (!footing.amplitudes.empty()) {
    nodes.push_back(1);
    nodes.push_back(static_cast<int>(m_.nodes.size()) - 1);
  }
  return nodes;
}

template <class S>
void BlockElementGroup<S>::add_residual(const Instant<S>& now,
                                        Part part,
                                        Vector& r,
                                        Vector& /*rows*/) const {
  ElementScratch& scratch = *now.scratch;
  for (std::size_t i = part.first; i < part.last; ++i) {
    const NamedElement<S>& named = m_.elements[i];
    if (left_out(named, now)) continue;
    const FootingMotion<S> on = motion(named, now);
    auto f = scratch.column(0, named.footing.size());
    auto a = scratch.column(1, named.footing.size());
    gather(named.footing, *now.a, a);
    if (named.element->residual(on, a, f)) {
      scatter(named.footing, f, 1.0, r);
      continue;
    }
    named.element->forces(on, f);
    scatter(named.footing, f, -1.0, r);
    auto M = scratch.square(0, named.footing.size());
    if (!named.element->mass(on, M)) continue;
    f.noalias() = M * a;
    scatter(named.footing, f, 1.0, r);
  }
}

template <class S>
void BlockElementGroup<S>::add_forces(const Instant<S>& now, Part part, Vector& f) const {
  for (std::size_t i = part.first; i < part.last; ++i) {
    const NamedElement<S>& named = m_.elements[i];
    auto local = now.scratch->column(0, named.footing.size());
    named.element->forces(motion(named, now), local);
    scatter(named.footing, local, 1.0, f);
  }
}

template <class S>
void BlockElementGroup<S>::add_tangent(const Instant<S>& now,
                                       Part part,
                                       const system::Weights& weights,
                                       system::KktMatrix& tangent) const {
  for (std::size_t i = part.first; i < part.last; ++i) {
    const NamedElement<S>& named = m_.elements[i];
    if (!left_out(named, now)) add_element_tangent(now, named, weights, named.stiffness, tangent);
  }
}

template <class S>
void BlockElementGroup<S>::add_direct_tangent(const Instant<S>& now,
                                              const system::Weights& weights,
                                              const std::vector<std::vector<int>>& positions,
                                              system::KktMatrix& tangent) const {
  for (std::size_t i = 0; i < m_.elements.size(); ++i) {
    if (!m_.elements[i].direct) continue;
    add_element_tangent(now, m_.elements[i], weights, positions[i], tangent);
  }
}

template <class S>
void BlockElementGroup<S>::add_element_tangent(const Instant<S>& now,
                                               const NamedElement<S>& named,
                                               const system::Weights& weights,
                                               const std::vector<int>& positions,
                                               system::KktMatrix& tangent) const {
  constexpr int f = S::freedoms;
  ElementScratch& scratch = *now.scratch;
  const int size = named.footing.size();
  const FootingMotion<S> on = motion(named, now);
  auto K = scratch.square(0, size);
  auto a = scratch.column(0, size);
  gather(named.footing, *now.a, a);
  if (now.step == nullptr && named.element->weighted_tangent(on, a, weights, K)) {
    add_matrix(K, size, 1.0, positions, tangent.values.data());
    return;
  }
  auto D = scratch.square(1, size);
  auto M = scratch.square(2, size);
  // Where nodes are carried, tangents by positions, velocities and accelerations are asked for
  // one by one.
  const bool by_velocity = weights.velocity != 0.0 && named.element->depends_on_velocity();
  if (weights.position != 0.0 || by_velocity) named.element->tangent(on, a, K, D);
  if (weights.acceleration != 0.0) named.element->mass(on, M);
  D = weights.velocity * D + weights.acceleration * M;
  if (now.step != nullptr) {
    for (std::size_t slot = 0; slot < named.footing.nodes.size(); ++slot) {
      const auto node = static_cast<std::size_t>(named.footing.nodes[slot]);
      auto columns = D.template middleCols<f>(static_cast<Eigen::Index>(slot) * f);
      for (int row = 0; row < size; ++row) {
        columns.row(row) = (columns.row(row) * (*now.inverse_tangent)[node]).eval();
      }
    }
  }
  K = weights.position * K + D;
  add_matrix(K, size, 1.0, positions, tangent.values.data());
}

template <class S>
void BlockElementGroup<S>::add_mass_product(const Instant<S>& now,
                                            Part part,
                                            const Vector& x,
                                            Vector& y) const {
  ElementScratch& scratch = *now.scratch;
  for (std::size_t i = part.first; i < part.last; ++i) {
    const NamedElement<S>& named = m_.elements[i];
    const int size = named.footing.size();
    auto M = scratch.square(0, size);
    if (!named.element->mass(motion(named, now), M)) continue;
    auto local = scratch.column(0, size);
    auto product = scratch.column(1, size);
    gather(named.footing, x, local);
    product.noalias() = M * local;
    scatter(named.footing, product, 1.0, y);
  }
}

template <class S>
bool BlockElementGroup<S>::add_lumped_mass(const Instant<S>& now, Vector& m) const {
  for (const NamedElement<S>& named : m_.elements) {
    const FootingMotion<S> on = motion(named, now);
    auto M = now.scratch->square(0, named.footing.size());
    if (!named.element->mass(on, M)) continue;
    auto lumped = now.scratch->column(0, named.footing.size());
    if (!named.element->lumped_mass(on, lumped)) return false;
    scatter(named.footing, lumped, 1.0, m);
  }
  return true;
}

template <class S>
std::string BlockElementGroup<S>::mass_obstacle() const {
  for (const NamedElement<S>& named : m_.elements) {
    if (!named.element->has_mass()) continue;
    return fmt::format("'{}' is an element whose mass couples several nodes", named.name);
  }
  return {};
}

template <class S>
void BlockElementGroup<S>::add_energy(const Instant<S>& now, system::Energy& energy) const {
  ElementScratch& scratch = *now.scratch;
  for (const NamedElement<S>& named : m_.elements) {
    const int size = named.footing.size();
    const FootingMotion<S> on = motion(named, now);
    energy.potential += named.element->potential(on);
    auto M = scratch.square(0, size);
    if (!named.element->mass(on, M)) continue;
    auto v = scratch.column(0, size);
    auto momentum = scratch.column(1, size);
    on.velocities(v);
    momentum.noalias() = M * v;
    energy.kinetic += 0.5 * v.dot(momentum);
  }
}

template <class S>
void BlockElementGroup<S>::add_power(const Instant<S>& now, system::Power& power) const {
  for (const NamedElement<S>& named : m_.elements) {
    const ForcePower part = named.element->power(motion(named, now));
    power.dissipated += part.dissipated;
    power.loads += part.load;
  }
}

template <class S>
std::string BlockElementGroup<S>::obstacle() const {
  for (const NamedElement<S>& named : m_.elements) {
    const std::string why = named.element->discrete_obstacle();
    if (!why.empty()) return fmt::format("element '{}': {}", named.name, why);
  }
  return {};
}

template <class S>
void BlockElementGroup<S>::add_residual_between(const Instant<S>& now,
                                                const StepEnds<S>& ends,
                                                const Vector& /*x*/,
                                                Vector& r) const {
  ElementScratch& scratch = *now.scratch;
  for (const NamedElement<S>& named : m_.elements) {
    const int size = named.footing.size();
    const FootingMotion<S> on = motion(named, now);
    const auto end = [&](const system::State& state,
                         const std::vector<typename S::Kinematics>& kinematics) {
      return FootingMotion<S>{named.footing, kinematics, state.q, state.v, state.t, m_.gravity};
    };
    auto f = scratch.column(0, size);
    named.element->forces_between(end(*ends.from_state, ends.from), on,
                                  end(*ends.to_state, ends.to), f);
    scatter(named.footing, f, -1.0, r);
    auto M = scratch.square(0, size);
    if (!named.element->mass(on, M)) continue;
    auto a = scratch.column(1, size);
    gather(named.footing, *now.a, a);
    f.noalias() = M * a;
    scatter(named.footing, f, 1.0, r);
  }
}

template <class S>
void BlockElementGroup<S>::measure(const Instant<S>& now, double*& out) const {
  for (const NamedElement<S>& named : m_.elements) {
    named.element->measure(motion(named, now), out);
    out += named.channels;
  }
}

template class BlockElementGroup<Planar>;
template class BlockElementGroup<Spatial>;

}  // namespace trammel::model
