// A system as integrators see it: constraint rows that follow from others are left out.
//
// Where all rows are independent it is the system itself. Else the rows that RowChoice names stay
// in the matrices as open ones (system/open_row.h): unknowns that are zero, so that sizes and
// sparsity never change, and the motion is exactly that of a model without these rows, at every
// level of the constraints and with every linear solver.
//
// Loads that depend on reactions (friction in joints) would then depend on the choice of rows. They
// get the least reactions that balance the motion (least_reactions.h), whatever the choice.
#pragma once

#include "trammel/constraint_handling/least_reactions.h"
#include "trammel/constraint_handling/row_choice.h"

namespace trammel::constraint_handling {

class IndependentRows final : public system::MechanicalSystem,
                              public system::DiscreteGradients,
                              public system::ConstraintDependentForces {
 public:
  /// The system must outlive this one.
  explicit IndependentRows(system::MechanicalSystem& system);

  /// Where a run begins, or goes on after an event.
  bool begin(const system::State& state);
  /// Between steps; true when other rows are left out than before. Matrices made before do not
  /// serve any longer.
  bool revise(const system::State& state) { return choice_.revise(state); }
  /// Whether anything in the system reads multipliers.
  bool reads_reactions() const;
  bool any_left_out() const { return !choice_.left_out().empty(); }
  const std::vector<int>& left_out() const { return choice_.left_out(); }
  /// The same reactions with zeros where rows are left out, at the state last looked at.
  void regroup(system::Vector& lambda) { choice_.regroup(lambda); }
  /// Where the system reads multipliers and they are not unique: the least ones.
  void make_unique(const system::State& state, system::Vector& lambda);
  std::size_t memory_bytes() const;
  system::MechanicalSystem& whole() { return system_; }

  // The system, with rows left out.
  system::MechanicalSystem* behind() override { return &system_; }
  /// Of the whole system: what is left out belongs to one run.
  std::unique_ptr<system::MechanicalSystem> clone() const override { return system_.clone(); }
  system::Sizes sizes() const override { return system_.sizes(); }
  std::shared_ptr<const system::KktPattern> pattern() const override { return system_.pattern(); }
  const system::Vector& displacement_scale() const override { return system_.displacement_scale(); }
  void retract(const system::Vector& q,
               const system::Vector& x,
               system::Vector& q_moved) const override {
    system_.retract(q, x, q_moved);
  }
  void logarithm(const system::Vector& from,
                 const system::Vector& to,
                 system::Vector& x) const override {
    system_.logarithm(from, to, x);
  }
  void inverse_tangent(const system::Vector& x,
                       const system::Vector& delta,
                       system::Vector& dx) const override {
    system_.inverse_tangent(x, delta, dx);
  }
  void residual(const system::Motion& motion,
                system::Vector& r,
                system::Vector& constraint) override;
  void tangent(const system::Motion& motion,
               const system::Weights& weights,
               const system::Vector* step,
               system::KktMatrix& tangent) override;
  void forces(const system::State& state, system::Vector& f) override { system_.forces(state, f); }
  void position_constraint(const system::State& state, system::Vector& g) override;
  void velocity_constraint(const system::State& state, system::Vector& g_dot) override;
  void acceleration_bias(const system::State& state, system::Vector& gamma) override;
  double fastest_turn(const system::State& state) override { return system_.fastest_turn(state); }
  system::EnergyBook* energy_book() override { return system_.energy_book(); }
  system::FirstOrderStates* first_order_states() override { return system_.first_order_states(); }
  system::DiscreteGradients* discrete_gradients() override;
  system::ConstraintDependentForces* constraint_dependent_forces() override;

  std::string obstacle() const override;
  void residual_between(const system::State& from,
                        const system::Motion& middle,
                        const system::State& to,
                        const system::Vector& x,
                        system::Vector& r) override;
  void constraint_dependent_forces(const system::Motion& motion, system::Vector& h) override;

 private:
  void leave_out(system::Vector& rows) const;
  /// r of the motion's own multipliers -> r with the loads of the least ones.
  void exchange_loads(const system::Motion& motion, system::Vector& r);
  bool loads_not_unique() const {
    return least_ != nullptr && any_left_out() && system_.constraint_dependent_forces() != nullptr;
  }
  const system::Motion& with_least_reactions(const system::Motion& motion);

  system::MechanicalSystem& system_;
  RowChoice choice_;
  std::unique_ptr<LeastReactions> least_;  ///< where reactions are read and are not unique
  system::Motion unique_;                  ///< with the least reactions
  system::Vector h_;
};

}  // namespace trammel::constraint_handling
