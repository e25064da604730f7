// Couplings and drives: rows by formulas.
#pragma once

#include "trammel/model/elements/element_group.h"
#include "trammel/model/mechanism.h"

namespace trammel::model {

template <class S>
class CouplingGroup final : public ElementGroup<S> {
 public:
  using Vector = system::Vector;

  explicit CouplingGroup(const Mechanism<S>& mechanism) : m_(mechanism) {}

  std::size_t size() const override { return m_.relations.size(); }
  std::vector<int> nodes(std::size_t element) const override {
    return m_.relations[element].relation.nodes().nodes();
  }

  void add_residual(const Instant<S>& now, Part part, Vector& r, Vector& rows) const override;
  void add_tangent(const Instant<S>& now,
                   Part part,
                   const system::Weights& weights,
                   system::KktMatrix& tangent) const override;
  void positions(const Instant<S>& now, Part part, Vector& g) const override;
  void velocities(const Instant<S>& now, Part part, Vector& g_dot) const override;
  void biases(const Instant<S>& now, Part part, Vector& gamma) const override;
  void jacobian_product(const Instant<S>& now,
                        Part part,
                        const Vector& x,
                        Vector& rows) const override;
  void add_transposed_product(const Instant<S>& now,
                              Part part,
                              const Vector& lambda,
                              Vector& r) const override;
  void add_power(const Instant<S>& now, system::Power& power) const override;
  std::string obstacle() const override;

  /// Generalised force of a row along its leading coordinate.
  double load(const NamedRelation<S>& named, const Instant<S>& now) const;

 private:
  const Mechanism<S>& m_;
};

}  // namespace trammel::model
