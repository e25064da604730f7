// The constraint primitives of all joints.
#pragma once

#include "trammel/model/elements/element_group.h"
#include "trammel/model/mechanism.h"

namespace trammel::model {

template <class S>
class JointGroup final : public ElementGroup<S> {
 public:
  using Vector = system::Vector;
  using NodeVector = Eigen::Matrix<double, S::freedoms, 1>;

  explicit JointGroup(const Mechanism<S>& mechanism) : m_(mechanism) {}

  std::size_t size() const override { return m_.constraints.size(); }
  std::vector<int> nodes(std::size_t element) const override {
    return {m_.constraints[element]->node_a(), m_.constraints[element]->node_b()};
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
  /// Rows that are linear in positions and rotation matrices have G x = g(to) - g(from) by the turn
  /// factors alone. What others lack is added along the turns of both nodes [Gonzalez 1996].
  void add_residual_between(const Instant<S>& now,
                            const StepEnds<S>& ends,
                            const Vector& x,
                            Vector& r) const override;

  /// Force on node b in world axes and moment about its centre of mass in body axes.
  NodeVector reaction(const MechanismJoint<S>& joint, const Instant<S>& now) const;
  /// Its derivative by the positions of both nodes, at fixed multipliers.
  Eigen::Matrix<double, S::freedoms, pair_freedoms<S>> reaction_slope(
      const MechanismJoint<S>& joint, const Instant<S>& now) const;
  /// See system::ReactionWeights: of every joint's rows.
  void set_reaction_weights(const Instant<S>& now, Vector& weights) const;

 private:
  const Mechanism<S>& m_;
};

}  // namespace trammel::model
