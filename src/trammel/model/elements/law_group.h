// Forces by formulas.
#pragma once

#include "trammel/model/elements/element_group.h"
#include "trammel/model/mechanism.h"

namespace trammel::model {

template <class S>
class LawGroup final : public ElementGroup<S> {
 public:
  using Vector = system::Vector;

  explicit LawGroup(const Mechanism<S>& mechanism) : m_(mechanism) {}

  std::size_t size() const override { return m_.laws.size(); }
  std::vector<int> nodes(std::size_t element) const override {
    return m_.laws[element].law.nodes().nodes();
  }

  void add_residual(const Instant<S>& now, Part part, Vector& r, Vector& rows) const override;
  void add_forces(const Instant<S>& now, Part part, Vector& f) const override;
  void add_tangent(const Instant<S>& now,
                   Part part,
                   const system::Weights& weights,
                   system::KktMatrix& tangent) const override;
  void add_constraint_dependent_forces(const Instant<S>& now, Vector& h) const override;
  void add_energy(const Instant<S>& now, system::Energy& energy) const override;
  void add_power(const Instant<S>& now, system::Power& power) const override;
  std::string obstacle() const override;

 private:
  const Mechanism<S>& m_;
};

/// The power of one law, with the rates of the first-order states.
template <class S>
void add_law_power(const Law<S>& law,
                   const Place<S>& place,
                   const system::Vector& state_rates,
                   FormulaWorkspace<S>& work,
                   system::Power& power);

}  // namespace trammel::model
