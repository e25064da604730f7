// Elements over any number of nodes and amplitudes, with masses of their own.
#pragma once

#include "trammel/model/elements/element_group.h"
#include "trammel/model/mechanism.h"
#include "trammel/model/motion_in_time.h"

namespace trammel::model {

template <class S>
class BlockElementGroup final : public ElementGroup<S> {
 public:
  using Vector = system::Vector;

  explicit BlockElementGroup(const Mechanism<S>& mechanism) : m_(mechanism) {}

  std::size_t size() const override { return m_.elements.size(); }
  /// Those that load amplitudes belong to no part of the nodes: they are across all of them.
  std::vector<int> nodes(std::size_t element) const override;

  void add_residual(const Instant<S>& now, Part part, Vector& r, Vector& rows) const override;
  void add_forces(const Instant<S>& now, Part part, Vector& f) const override;
  void add_tangent(const Instant<S>& now,
                   Part part,
                   const system::Weights& weights,
                   system::KktMatrix& tangent) const override;
  void add_mass_product(const Instant<S>& now,
                        Part part,
                        const Vector& x,
                        Vector& y) const override;
  bool add_lumped_mass(const Instant<S>& now, Vector& m) const override;
  std::string mass_obstacle() const override;
  void add_energy(const Instant<S>& now, system::Energy& energy) const override;
  void add_power(const Instant<S>& now, system::Power& power) const override;
  std::string obstacle() const override;
  void add_residual_between(const Instant<S>& now,
                            const StepEnds<S>& ends,
                            const Vector& x,
                            Vector& r) const override;

  /// Adds the tangents of direct elements (NamedElement::direct); `positions` of each in the
  /// values.
  void add_direct_tangent(const Instant<S>& now,
                          const system::Weights& weights,
                          const std::vector<std::vector<int>>& positions,
                          system::KktMatrix& tangent) const;

  void measure(const Instant<S>& now, double*& out) const;

 private:
  FootingMotion<S> motion(const NamedElement<S>& named, const Instant<S>& now) const {
    return {named.footing, now.kinematics, *now.q, *now.v, now.t, m_.gravity, factor(named, now)};
  }

  static double factor(const NamedElement<S>& named, const Instant<S>& now) {
    return named.factor ? at_time(*named.factor, now.clock, now.work.program) : 1.0;
  }
  /// By whom an element is asked now.
  static bool left_out(const NamedElement<S>& named, const Instant<S>& now) {
    return now.condensing && named.direct;
  }
  void add_element_tangent(const Instant<S>& now,
                           const NamedElement<S>& named,
                           const system::Weights& weights,
                           const std::vector<int>& positions,
                           system::KktMatrix& tangent) const;

  const Mechanism<S>& m_;
};

}  // namespace trammel::model
