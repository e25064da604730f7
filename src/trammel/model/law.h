// A force law written as a formula: a generalised force F along a direction of relative motion.
// It may have a potential, a formula of coordinates, states and time, and a formula for the power
// it turns to heat.
//
//     f = F(c, c', z, t) J,     J the Jacobian of the direction; its power is F times its rate
//     df/dq = F H + J (sum F_i dc_i/dq)^T,     df/dv = J (sum F_i J_i)^T over the rates.
#pragma once

#include <optional>

#include "trammel/model/formula.h"

namespace trammel::model {

/// Where the work of a law is booked.
enum class WorkKind { load, dissipation };

template <class S>
class Law {
 public:
  Law(int node_a,
      int node_b,
      std::shared_ptr<const Direction<S>> direction,
      Formula<S> formula,
      WorkKind work);

  const Formula<S>& formula() const { return formula_; }
  const LocalNodes& nodes() const { return nodes_; }
  int local_size() const { return static_cast<int>(nodes_.nodes().size()) * S::freedoms; }
  WorkKind work_kind() const { return work_; }
  bool depends_on_velocity() const { return formula_.reads(Measure<S>::Kind::rate); }
  /// True for loads h(t, q, v, lambda), see system::ConstraintDependentForces.
  bool depends_on_reactions() const { return formula_.reads(Measure<S>::Kind::load); }

  /// F.
  double magnitude(const Place<S>& place, FormulaWorkspace<S>& work) const {
    return formula_.value(place, work);
  }
  double rate(const Place<S>& place) const {
    return direction_->rate(place.at(node_a_), place.at(node_b_));
  }
  void set_loss(Formula<S> loss) { loss_ = std::move(loss); }
  /// Power turned to heat, W, besides what work_kind() says; zero without a formula for it.
  double loss(const Place<S>& place, FormulaWorkspace<S>& work) const {
    return loss_ ? loss_->value(place, work) : 0.0;
  }
  void set_potential(Formula<S> potential) { potential_ = std::move(potential); }
  /// Zero without one.
  double potential(const Place<S>& place, FormulaWorkspace<S>& work) const {
    return potential_ ? potential_->value(place, work) : 0.0;
  }
  /// Its change along the motion, with the rates of the first-order states.
  double potential_rate(const Place<S>& place,
                        const system::Vector& state_rates,
                        FormulaWorkspace<S>& work) const;
  /// Fills work.row with f.
  void evaluate(const Place<S>& place, FormulaWorkspace<S>& work) const;
  /// Fills work.row with J and work.gradient with dF/d(inputs).
  void linearise(const Place<S>& place, FormulaWorkspace<S>& work) const;
  /// Fills work.matrix with df/dq and work.second_matrix with df/dv.
  void tangent(const Place<S>& place, FormulaWorkspace<S>& work) const;

 private:
  int node_a_;
  int node_b_;
  std::shared_ptr<const Direction<S>> direction_;
  Formula<S> formula_;
  LocalNodes nodes_;
  WorkKind work_;
  std::optional<Formula<S>> potential_;
  std::optional<Formula<S>> loss_;
};

}  // namespace trammel::model
