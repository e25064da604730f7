// The inertia and weight of all bodies: constant mass blocks at the centres of mass, and gyroscopic
// moments. Element number i is that of node i + 1.
#pragma once

#include "trammel/model/elements/element_group.h"
#include "trammel/model/mechanism.h"

namespace trammel::model {

template <class S>
class InertiaGroup final : public ElementGroup<S> {
 public:
  using Vector = system::Vector;

  explicit InertiaGroup(const Mechanism<S>& mechanism) : m_(mechanism) {}

  std::size_t size() const override { return m_.nodes.size() - 1; }
  std::vector<int> nodes(std::size_t element) const override {
    return {static_cast<int>(element) + 1};
  }

  void add_residual(const Instant<S>& now, Part part, Vector& r, Vector& rows) const override;
  void add_forces(const Instant<S>& now, Part part, Vector& f) const override;
  /// Makes the inverse tangent operator of each node, where the instant has room for it.
  void add_tangent(const Instant<S>& now,
                   Part part,
                   const system::Weights& weights,
                   system::KktMatrix& tangent) const override;
  void add_mass_product(const Instant<S>& now,
                        Part part,
                        const Vector& x,
                        Vector& y) const override;
  bool add_lumped_mass(const Instant<S>& now, Vector& m) const override;
  /// y = M^-1 x, where no other element has a mass.
  void solve_mass(const Vector& x, Vector& y) const;
  void add_energy(const Instant<S>& now, system::Energy& energy) const override;
  void add_residual_between(const Instant<S>& now,
                            const StepEnds<S>& ends,
                            const Vector& x,
                            Vector& r) const override;

 private:
  const Mechanism<S>& m_;
};

}  // namespace trammel::model
