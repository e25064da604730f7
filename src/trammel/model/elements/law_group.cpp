#include "trammel/model/elements/law_group.h"

#include <fmt/format.h>

#include "trammel/model/elements/local_freedoms.h"
#include "trammel/model/local_matrix.h"

namespace trammel::model {

using system::Vector;

template <class S>
void LawGroup<S>::add_residual(const Instant<S>& now,
                               Part part,
                               Vector& r,
                               Vector& /*rows*/) const {
  const Place<S> place = now.loaded_place();
  for (std::size_t i = part.first; i < part.last; ++i) {
    const Law<S>& law = m_.laws[i].law;
    law.evaluate(place, now.work);
    add_to_nodes(m_, law.nodes(), now.work.row, -1.0, r);
  }
}

template <class S>
void LawGroup<S>::add_forces(const Instant<S>& now, Part part, Vector& f) const {
  const Place<S> place = now.place();
  for (std::size_t i = part.first; i < part.last; ++i) {
    const Law<S>& law = m_.laws[i].law;
    if (law.depends_on_reactions()) continue;
    law.evaluate(place, now.work);
    add_to_nodes(m_, law.nodes(), now.work.row, 1.0, f);
  }
}

template <class S>
void LawGroup<S>::add_constraint_dependent_forces(const Instant<S>& now, Vector& h) const {
  const Place<S> place = now.loaded_place();
  for (const NamedLaw<S>& named : m_.laws) {
    if (!named.law.depends_on_reactions()) continue;
    named.law.evaluate(place, now.work);
    add_to_nodes(m_, named.law.nodes(), now.work.row, 1.0, h);
  }
}

template <class S>
void LawGroup<S>::add_tangent(const Instant<S>& now,
                              Part part,
                              const system::Weights& weights,
                              system::KktMatrix& tangent) const {
  if (weights.position == 0.0 && weights.velocity == 0.0) return;
  const Place<S> place = now.loaded_place();
  for (std::size_t k = part.first; k < part.last; ++k) {
    const NamedLaw<S>& named = m_.laws[k];
    named.law.tangent(place, now.work);
    const int size = named.law.local_size();
    if (now.step != nullptr && named.law.depends_on_velocity()) {
      turn_columns(named.law.nodes(), size, now);
    }
    double* values = tangent.values.data();
    add_matrix(now.work.matrix, size, -weights.position, named.stiffness, values);
    add_matrix(now.work.second_matrix, size, -weights.velocity, named.stiffness, values);
  }
}

template <class S>
void LawGroup<S>::add_energy(const Instant<S>& now, system::Energy& energy) const {
  const Place<S> place = now.place();
  for (const NamedLaw<S>& named : m_.laws) {
    energy.potential += named.law.potential(place, now.work);
  }
}

template <class S>
void LawGroup<S>::add_power(const Instant<S>& now, system::Power& power) const {
  const Place<S> place = now.loaded_place();
  for (const NamedLaw<S>& named : m_.laws) {
    add_law_power(named.law, place, *now.state_rates, now.work, power);
  }
}

template <class S>
std::string LawGroup<S>::obstacle() const {
  if (m_.laws.empty()) return {};
  return fmt::format("'{}' is a force by a formula, which has no discrete gradient",
                     m_.laws.front().name);
}

template <class S>
void add_law_power(const Law<S>& law,
                   const Place<S>& place,
                   const Vector& state_rates,
                   FormulaWorkspace<S>& work,
                   system::Power& power) {
  const double done =
      law.magnitude(place, work) * law.rate(place) + law.potential_rate(place, state_rates, work);
  if (law.work_kind() == WorkKind::dissipation) {
    power.dissipated -= done;
  } else {
    const double loss = law.loss(place, work);
    power.dissipated += loss;
    power.loads += done + loss;
  }
}

template class LawGroup<Planar>;
template class LawGroup<Spatial>;
template void add_law_power(const Law<Planar>&,
                            const Place<Planar>&,
                            const Vector&,
                            FormulaWorkspace<Planar>&,
                            system::Power&);
template void add_law_power(const Law<Spatial>&,
                            const Place<Spatial>&,
                            const Vector&,
                            FormulaWorkspace<Spatial>&,
                            system::Power&);

}  // namespace trammel::model
