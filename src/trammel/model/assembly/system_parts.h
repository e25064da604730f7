// The optional capabilities of a mechanism (system/): each asks the evaluator that it is given.
#pragma once

#include <string>
#include <vector>

#include "trammel/model/assembly/evaluator.h"
#include "trammel/model/assembly/mechanism_facts.h"
#include "trammel/model/connection_watch.h"
#include "trammel/model/friction_modes.h"
#include "trammel/system/coordinate_names.h"
#include "trammel/system/freedom_parts.h"
#include "trammel/system/operators.h"
#include "trammel/system/position_measure.h"
#include "trammel/system/reaction_weights.h"
#include "trammel/system/state_branches.h"
#include "trammel/system/threads.h"
#include "trammel/system/time_switches.h"

namespace trammel::model {

template <class S>
class StateRates final : public system::FirstOrderStates {
 public:
  explicit StateRates(Evaluator<S>& evaluator);
  void rates(const system::State& state, system::Vector& rates) override;
  void rate_tangent(const system::State& state, Eigen::MatrixXd& tangent) override;

 private:
  /// States move internal nodes and change their velocities, which needs second derivatives of the
  /// loads: central differences.
  void difference_rates(const system::State& state, Eigen::MatrixXd& tangent);

  Evaluator<S>& evaluator_;
  std::vector<int> moving_states_;  ///< those that move internal nodes
  system::State probe_;
  system::Vector above_;
  system::Vector below_;
};

template <class S>
class StepBalance final : public system::DiscreteGradients {
 public:
  explicit StepBalance(Evaluator<S>& evaluator) : evaluator_(evaluator) {}
  std::string obstacle() const override;
  void residual_between(const system::State& from,
                        const system::Motion& middle,
                        const system::State& to,
                        const system::Vector& x,
                        system::Vector& r) override {
    evaluator_.residual_between(from, middle, to, x, r);
  }

 private:
  Evaluator<S>& evaluator_;
};

/// Loads that depend on reactions: friction in joints, laws that read loads.
template <class S>
class JointReactions final : public system::ConstraintDependentForces,
                             public system::ReactionWeights {
 public:
  explicit JointReactions(Evaluator<S>& evaluator);
  /// Whether there are any such loads.
  bool has_loads() const { return has_loads_; }
  void constraint_dependent_forces(const system::Motion& motion, system::Vector& h) override {
    evaluator_.constraint_dependent_forces(motion, h);
  }
  void reaction_weights(const system::State& state, system::Vector& weights) override;

 private:
  Evaluator<S>& evaluator_;
  bool has_loads_;
};

/// Functions of time that jump or have kinks.
template <class S>
class FormulaSwitches final : public system::TimeSwitches {
 public:
  explicit FormulaSwitches(Evaluator<S>& evaluator) : evaluator_(evaluator) {}
  /// Holds what another one holds.
  FormulaSwitches(Evaluator<S>& evaluator, const FormulaSwitches& other)
      : evaluator_(evaluator), held_(other.held_) {}
  bool has_switches() const override { return !evaluator_.mechanism().timed.empty(); }
  system::TimeSwitch next_switch(double t, double h, int highest) override;
  void hold_before(const system::TimeSwitch& next) override;
  const system::TimeSwitch& held() const override { return held_; }

 private:
  Evaluator<S>& evaluator_;
  expression::Workspace work_;
  system::TimeSwitch held_;
};

/// In which element a condition on the motion stands: "the force 'kick'".
template <class S>
std::string branch_name(const Mechanism<S>& mechanism, int branch) {
  for (const BranchedFormula<S>& branched : mechanism.branched) {
    if (branch < branched.first + static_cast<int>(branched.branches.size())) return branched.name;
  }
  return {};
}

/// Conditions on the motion in loads and rates.
template <class S>
class FormulaBranches final : public system::StateBranches {
 public:
  explicit FormulaBranches(Evaluator<S>& evaluator) : evaluator_(evaluator) {}
  int branch_count() const override { return evaluator_.mechanism().branch_count; }
  void branch_distances(const system::Motion& motion,
                        system::Vector& distances,
                        system::Vector& magnitudes) override;
  void asked_branches(const system::Motion& motion, system::Vector& branches) override;
  void hold_branch(int branch, double side) override {
    evaluator_.nodes().hold_branch(branch, side);
  }
  void let_branch_go(int branch) override { hold_branch(branch, expression::let_go); }
  std::string branch_name(int branch) const override {
    return model::branch_name(evaluator_.mechanism(), branch);
  }

 private:
  /// Calls visit(branch, number, registers) for every branch.
  template <class Visit>
  void visit(const system::Motion& motion, Visit&& visit);

  Evaluator<S>& evaluator_;
};

template <class S>
class StickingFriction final : public FrictionModes {
 public:
  explicit StickingFriction(Evaluator<S>& evaluator) : evaluator_(evaluator) {}
  void set_slip(const StickRow& row, Slip slip, const system::State& state) override;
  SlipPlace slip_at(const StickRow& row, const system::Motion& motion) override;

 private:
  Evaluator<S>& evaluator_;
};

template <class S>
class Workers final : public system::Threads {
 public:
  explicit Workers(Evaluator<S>& evaluator) : evaluator_(evaluator) {}
  void set_threads(int threads) override { evaluator_.set_threads(threads); }

 private:
  Evaluator<S>& evaluator_;
};

template <class S>
class PoseMeasure final : public system::PositionMeasure {
 public:
  explicit PoseMeasure(const Evaluator<S>& evaluator) : evaluator_(evaluator) {}
  bool turns(int component) const override {
    return evaluator_.mechanism().freedoms.is_rotation(component);
  }
  void magnitudes(const system::State& state, system::Vector& m) override;

 private:
  const Evaluator<S>& evaluator_;
};

/// Bodies' coordinates and joints' rows by their names.
template <class S>
class UserNames final : public system::CoordinateNames {
 public:
  explicit UserNames(const MechanismFacts<S>& facts, const Mechanism<S>& mechanism)
      : facts_(facts), mechanism_(mechanism) {}
  std::string coordinate_name(int component) const override;
  std::string constraint_name(int row) const override;

 private:
  const MechanismFacts<S>& facts_;
  const Mechanism<S>& mechanism_;
};

template <class S>
class ConnectionRanks final : public ConnectionWatch {
 public:
  explicit ConnectionRanks(const Evaluator<S>& evaluator) : evaluator_(evaluator) {}
  std::vector<Rank> ranks(const system::State& state) override;

 private:
  const Evaluator<S>& evaluator_;
};

/// The freedoms of bodies, point masses and amplitudes: numbers and rotations.
template <class S>
class Freedoms final : public system::FreedomParts {
 public:
  explicit Freedoms(const Evaluator<S>& evaluator);
  std::span<const system::FreedomPart> freedom_parts() const override { return parts_; }

 private:
  void add_numbers(int q, int v, int count);

  std::vector<system::FreedomPart> parts_;  ///< neighbouring numbers together
};

template <class S>
class MatrixProducts final : public system::Operators {
 public:
  explicit MatrixProducts(Evaluator<S>& evaluator) : evaluator_(evaluator) {}
  void mass_product(const system::State& state,
                    const system::Vector& x,
                    system::Vector& y) override {
    evaluator_.mass_product(state, x, y);
  }
  std::string mass_obstacle() const override;
  void solve_mass(const system::State& /*state*/,
                  const system::Vector& x,
                  system::Vector& y) override {
    evaluator_.groups()->inertia.solve_mass(x, y);
  }
  bool lumped_mass(const system::State& state, system::Vector& m) override {
    return evaluator_.lumped_mass(state, m);
  }
  void jacobian_product(const system::State& state,
                        const system::Vector& x,
                        system::Vector& rows) override {
    evaluator_.jacobian_product(state, x, rows);
  }
  void transposed_product(const system::State& state,
                          const system::Vector& lambda,
                          system::Vector& r) override {
    evaluator_.transposed_product(state, lambda, r);
  }

 private:
  Evaluator<S>& evaluator_;
};

}  // namespace trammel::model
