// All forces between two nodes.
#pragma once

#include "trammel/model/elements/element_group.h"
#include "trammel/model/mechanism.h"

namespace trammel::model {

template <class S>
class ForceGroup final : public ElementGroup<S> {
 public:
  using Vector = system::Vector;

  explicit ForceGroup(const Mechanism<S>& mechanism) : m_(mechanism) {}

  std::size_t size() const override { return m_.forces.size(); }
  std::vector<int> nodes(std::size_t element) const override {
    return {m_.forces[element].force->node_a(), m_.forces[element].force->node_b()};
  }

  void add_residual(const Instant<S>& now, Part part, Vector& r, Vector& rows) const override;
  void add_forces(const Instant<S>& now, Part part, Vector& f) const override;
  void add_tangent(const Instant<S>& now,
                   Part part,
                   const system::Weights& weights,
                   system::KktMatrix& tangent) const override;
  void add_energy(const Instant<S>& now, system::Energy& energy) const override;
  void add_power(const Instant<S>& now, system::Power& power) const override;
  std::string obstacle() const override;
  void add_residual_between(const Instant<S>& now,
                            const StepEnds<S>& ends,
                            const Vector& x,
                            Vector& r) const override;

 private:
  void add(const Instant<S>& now, Part part, double factor, Vector& f) const;

  const Mechanism<S>& m_;
};

}  // namespace trammel::model
