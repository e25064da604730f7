// Friction in joints: loads along a coordinate that depend on the joint's reaction, and the rows by
// which they stick, x - x_held = 0 while they do, open otherwise.
#pragma once

#include "trammel/model/elements/joint_group.h"

namespace trammel::model {

template <class S>
class FrictionGroup final : public ElementGroup<S> {
 public:
  using Vector = system::Vector;

  FrictionGroup(const Mechanism<S>& mechanism, const JointGroup<S>& joints)
      : m_(mechanism), joints_(joints) {}

  std::size_t size() const override { return m_.joint_frictions.size(); }
  std::vector<int> nodes(std::size_t element) const override {
    return m_.joint_frictions[element].nodes.nodes();
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
  void add_constraint_dependent_forces(const Instant<S>& now, Vector& h) const override;
  void add_power(const Instant<S>& now, system::Power& power) const override;
  std::string obstacle() const override;
  void add_residual_between(const Instant<S>& now,
                            const StepEnds<S>& ends,
                            const Vector& x,
                            Vector& r) const override;

  /// The load along the coordinate; of one that sticks, the multiplier's.
  double load(std::size_t friction, const Instant<S>& now) const;
  double normal_load(std::size_t friction, const Instant<S>& now) const;
  /// What decides about it.
  SlipPlace slip_at(std::size_t friction, const Instant<S>& now) const;
  double coordinate(std::size_t friction, const Instant<S>& now) const;

 private:
  using Named = NamedJointFriction<S>;
  const typename S::Kinematics& a(const Named& named, const Instant<S>& now) const {
    return now.at(m_.joints[named.joint].a.node);
  }
  const typename S::Kinematics& b(const Named& named, const Instant<S>& now) const {
    return now.at(m_.joints[named.joint].b.node);
  }
  bool sticks(std::size_t friction, const Instant<S>& now) const {
    return now.history.frictions[friction].slip == Slip::sticking;
  }
  JointFrictionParameters::Load smooth_load(std::size_t friction, const Instant<S>& now) const;
  /// dN/dq at fixed multipliers.
  PairVector<S> normal_load_slope(const Named& named, const Instant<S>& now) const;
  /// Angles that wrap are compared within half a turn.
  double distance_from_hold(std::size_t friction, const Instant<S>& now) const;
  void add_loads(const Instant<S>& now, Part part, double factor, Vector& f) const;
  void add_load_tangent(std::size_t friction,
                        const Instant<S>& now,
                        const system::Weights& weights,
                        system::KktMatrix& tangent) const;
  void add_stick_tangent(std::size_t friction,
                         const Instant<S>& now,
                         const system::Weights& weights,
                         system::KktMatrix& tangent) const;
  /// Entries of the nodes that are not the ground, by columns as in named.stiffness.
  void add_pair_matrix(const Named& named,
                       const PairMatrix<S>& K,
                       system::KktMatrix& tangent) const;

  const Mechanism<S>& m_;
  const JointGroup<S>& joints_;
};

}  // namespace trammel::model
