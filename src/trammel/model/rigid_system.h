// Absolute coordinates: rigid bodies with joints as constraints, planar or spatial.
#pragma once

#include <algorithm>
#include <limits>

#include "trammel/model/connections/elastic_connection.h"
#include "trammel/model/mechanism.h"
#include "trammel/system/position_measure.h"
#include "trammel/system/reaction_weights.h"
#include "trammel/system/state_branches.h"

namespace trammel::model {

template <class S>
class RigidSystem final : public ModelSystem,
                          public system::FirstOrderStates,
                          public system::EnergyBalance,
                          public system::InitialValues,
                          public system::PositionMeasure,
                          public system::ReactionLoads,
                          public system::ReactionWeights,
                          public system::TimeSwitches,
                          public system::StateBranches {
 public:
  explicit RigidSystem(std::shared_ptr<const Mechanism<S>> mechanism);
  std::unique_ptr<system::MechanicalSystem> clone() const override;

  system::Sizes sizes() const override { return mechanism_->sizes; }
  std::shared_ptr<const system::KktPattern> pattern() const override { return mechanism_->pattern; }
  const system::Vector& displacement_scale() const override {
    return mechanism_->displacement_scale;
  }

  void move(const system::Vector& q,
            const system::Vector& x,
            system::Vector& q_moved) const override;
  void displacement(const system::Vector& from,
                    const system::Vector& to,
                    system::Vector& x) const override;
  void pull_back(const system::Vector& x,
                 const system::Vector& delta,
                 system::Vector& dx) const override;
  bool turns(int component) const override;
  void magnitudes(const system::State& state, system::Vector& m) override;

  void residual(const system::Motion& motion,
                system::Vector& r,
                system::Vector& constraint) override;
  void tangent(const system::Motion& motion,
               const system::Weights& weights,
               const system::Vector* step,
               system::KktMatrix& tangent) override;
  void forces(const system::State& state, system::Vector& f) override;
  void position_constraint(const system::State& state, system::Vector& g) override;
  void velocity_constraint(const system::State& state, system::Vector& g_dot) override;
  void acceleration_bias(const system::State& state, system::Vector& gamma) override;

  system::FirstOrderStates* first_order_states() override {
    return mechanism_->states.empty() ? nullptr : this;
  }
  void rates(const system::State& state, system::Vector& rates) override;
  void rate_tangent(const system::State& state, Eigen::MatrixXd& tangent) override;

  system::ReactionLoads* reaction_loads() override { return has_reaction_loads_ ? this : nullptr; }
  void reaction_loads(const system::Motion& motion, system::Vector& h) override;
  void reaction_weights(const system::State& state, system::Vector& weights) override;

  system::Energy energy(const system::State& state) override;
  system::Power power(const system::Motion& motion) override;

  system::EnergyBalance* energy_balance() override { return this; }
  std::string obstacle() const override;
  void residual_between(const system::State& from,
                        const system::Motion& middle,
                        const system::State& to,
                        const system::Vector& x,
                        system::Vector& r) override;

  system::State described_state() const override { return mechanism_->described; }
  const std::vector<bool>& fixed_positions() const override { return mechanism_->fixed_positions; }
  const std::vector<bool>& fixed_velocities() const override {
    return mechanism_->fixed_velocities;
  }
  const system::InitialValues* initial_values() const override { return this; }
  std::vector<InitialName> position_names() const override;
  std::vector<InitialName> velocity_names() const override;
  void initial_positions(const system::State& state,
                         std::vector<system::InitialValue>& values) const override;
  void initial_velocities(const system::State& state,
                          std::vector<system::InitialValue>& values) const override;
  std::vector<RowName> row_names() const override;
  std::vector<JointRows> joints() const override;
  std::vector<UnilateralRow> unilateral_rows() const override;
  std::vector<StickRow> stick_rows() const override;
  void set_slip(const StickRow& row, Slip slip, const system::State& state) override;
  SlipPlace slip_at(const StickRow& row, const system::Motion& motion) override;
  /// Rows of frictions that do not stick.
  const std::vector<int>& open_rows() const { return open_rows_; }
  std::vector<MasslessTurn> massless_turns() const override { return mechanism_->massless_turns; }
  int body_count() const override { return static_cast<int>(mechanism_->nodes.size()) - 1; }
  double size() const override { return mechanism_->size; }
  std::size_t memory_bytes() const override;

  std::vector<Quantity> observables() const override;
  void observe(const system::Motion& motion, double* values) override;
  void track_angles(const system::State& state) override;
  void restart_angles() override;
  std::vector<double>& counted_angles() override { return tracked_; }
  double fastest_turn(const system::State& state) override;

  bool has_switches() const override { return !mechanism_->timed.empty(); }
  system::TimeSwitch next_switch(double t, double h, int highest) override;
  void hold_before(const system::TimeSwitch& next) override;
  const system::TimeSwitch& held() const override { return held_; }
  int branch_count() const override { return mechanism_->branch_count; }
  void branch_distances(const system::Motion& motion,
                        system::Vector& distances,
                        system::Vector& magnitudes) override;
  void asked_branches(const system::Motion& motion, system::Vector& branches) override;
  void hold_branch(int branch, double side) override {
    branches_[static_cast<std::size_t>(branch)] = side;
  }
  void let_branch_go(int branch) override { hold_branch(branch, expression::let_go); }
  std::string branch_name(int branch) const override;
  /// The time at which functions are evaluated: while they are held, no later than just before.
  double clock(double t) const { return std::min(std::max(t, mechanism_->first_time), last_time_); }

 private:
  using Kinematics = typename S::Kinematics;
  using NodeVector = Eigen::Matrix<double, S::freedoms, 1>;
  using NodeMatrix = Eigen::Matrix<double, S::freedoms, S::freedoms>;

  const Kinematics& at(int node) const { return kinematics_[static_cast<std::size_t>(node)]; }
  const Node<S>& node(int number) const {
    return mechanism_->nodes[static_cast<std::size_t>(number)];
  }

  /// Positions and velocities of all nodes.
  void update(const system::State& state) { update(state, kinematics_); }
  void update(const system::State& state, std::vector<Kinematics>& kinematics) const;
  /// Calls `of_node(i)` for every body and `of_constraint(c)` for every constraint soon after both
  /// its nodes, so that large models go through the cache once.
  template <class OfNode, class OfConstraint>
  void in_turns(OfNode&& of_node, OfConstraint&& of_constraint) const;
  void set_inertia(const system::Vector& a, int i, system::Vector& r) const;
  void add_constraint_residual(const system::Motion& motion,
                               std::size_t c,
                               system::Vector& r,
                               system::Vector& constraint) const;
  StepKinematics<S> over_step(int node_a, int node_b) const;
  void add_reactions_between(const system::Motion& middle,
                             const system::Vector& x,
                             system::Vector& r) const;
  void add_to_nodes(
      int node_a, int node_b, const PairVector<S>& local, double factor, system::Vector& r) const;
  void add_node_tangent(const system::Weights& weights,
                        const system::Vector* step,
                        std::size_t i,
                        system::KktMatrix& tangent);
  void add_constraint_tangent(const system::Motion& motion,
                              const system::Weights& weights,
                              std::size_t c,
                              system::KktMatrix& tangent) const;
  void add_force_tangents(double t, const system::Weights& weights, system::KktMatrix& tangent);

  /// Calls visit(branch, number, registers) for every branch.
  template <class Visit>
  void visit_branches(const system::Motion& motion, Visit&& visit);
  Place<S> place_at(const system::State& state) const {
    return {kinematics_, clock(state.t), state.z, tracked_, nullptr, &branches_};
  }
  /// With multipliers, for what reads loads.
  Place<S> place_at(const system::Motion& motion) const {
    return {kinematics_, clock(motion.state.t), motion.state.z,
            tracked_,    &motion.lambda,        &branches_};
  }
  void add_local(const LocalNodes& nodes,
                 const system::Vector& local,
                 double factor,
                 system::Vector& r) const;
  double along_velocities(const LocalNodes& nodes, const system::Vector& local) const;
  void add_relation_residuals(const system::Motion& motion,
                              system::Vector& r,
                              system::Vector& constraint);
  /// Without those that read loads, which are among the reaction loads.
  void add_law_forces(const system::State& state, double factor, system::Vector& f);
  void add_relation_tangents(const system::Motion& motion,
                             const system::Weights& weights,
                             system::KktMatrix& tangent);
  void add_law_tangents(const system::Motion& motion,
                        const system::Weights& weights,
                        system::KktMatrix& tangent);
  void add_connection_forces(const system::State& state, double factor, system::Vector& f);
  void add_connection_tangents(const system::State& state,
                               const system::Weights& weights,
                               system::KktMatrix& tangent);
  double connection_potential(const system::State& state);
  void add_connection_power(const system::State& state, system::Power& power);
  typename ElasticConnection<S>::Setting setting_at(const system::State& state) {
    return {kinematics_, clock(state.t), state.z, tracked_, work_};
  }
  /// Puts all internal nodes where they balance.
  void settle(const system::State& state);
  /// And gives them their velocities.
  void settle_moving(const system::State& state);
  void set_rates(const system::State& state, system::Vector& rates);
  void difference_rates(const system::State& state, Eigen::MatrixXd& tangent);
  void add_law_power(const Law<S>& law, const Place<S>& place, system::Power& power);
  void relation_positions(const system::State& state, system::Vector& g);
  void relation_velocities(const system::State& state, system::Vector& g_dot);
  void relation_biases(const system::State& state, system::Vector& gamma);
  void add_formula_power(const system::Motion& motion, system::Power& power);
  /// Generalised force of a row along its leading coordinate.
  double relation_load(const NamedRelation<S>& named, const system::Motion& motion);

  /// Force on node b in world axes and moment about its centre of mass in body axes.
  NodeVector joint_reaction(const MechanismJoint<S>& joint, const system::Motion& motion) const;
  /// The normal load of a joint's friction.
  double normal_load(const NamedJointFriction<S>& named, const system::Motion& motion) const;
  PairVector<S> normal_load_slope(const NamedJointFriction<S>& named,
                                  const system::Motion& motion) const;
  void add_reaction_loads(const system::Motion& motion, double factor, system::Vector& f);
  void add_joint_friction_tangents(const system::Motion& motion,
                                   const system::Weights& weights,
                                   system::KktMatrix& tangent);
  void add_pair_matrix(const NamedJointFriction<S>& named,
                       const MechanismJoint<S>& joint,
                       const PairMatrix<S>& K,
                       system::KktMatrix& tangent) const;
  double joint_friction_power(const system::Motion& motion) const;
  JointFrictionParameters::Load friction_load(const NamedJointFriction<S>& named,
                                              const system::Motion& motion) const;

  // Rows of frictions that stick (rigid_stick.cpp).
  struct SlipState {
    Slip slip = Slip::smoothed;
    double held_at = 0.0;  ///< value of the coordinate while it sticks
  };
  const SlipState& slip_of(const NamedJointFriction<S>& named) const {
    return slips_[static_cast<std::size_t>(&named - mechanism_->joint_frictions.data())];
  }
  void find_open_rows();
  double distance_from_hold(const NamedJointFriction<S>& named) const;
  void add_stick_residuals(const system::Motion& motion,
                           system::Vector& r,
                           system::Vector& constraint) const;
  void add_stick_tangents(const system::Motion& motion,
                          const system::Weights& weights,
                          system::KktMatrix& tangent) const;
  void stick_positions(system::Vector& g) const;
  void stick_velocities(system::Vector& g_dot) const;
  void stick_biases(system::Vector& gamma) const;

  void observe_formulas(const system::Motion& motion, const double* first, double*& out);
  void observe_channel_formulas(const system::Motion& motion, const double* first, double*& out);
  void observe_body(const Node<S>& body, const system::Motion& motion, double*& out) const;
  /// Load and gap.
  void observe_contact(const MechanismJoint<S>& joint,
                       const system::Motion& motion,
                       double*& out) const;
  void observe_joint(const MechanismJoint<S>& joint,
                     const system::Motion& motion,
                     std::size_t& wrapping,
                     double*& out) const;

  std::shared_ptr<const Mechanism<S>> mechanism_;
  system::TimeSwitch held_;
  double last_time_ = std::numeric_limits<double>::infinity();  ///< before held_
  std::vector<double> branches_ = std::vector<double>(          ///< held, or let go
      static_cast<std::size_t>(mechanism_->branch_count),
      expression::let_go);
  std::vector<Kinematics> kinematics_;
  /// Per node, when a tangent is asked for at a step; empty where no force depends on velocity.
  std::vector<NodeMatrix> pull_back_;
  bool has_step_ = false;
  bool has_reaction_loads_ = false;
  std::vector<double> tracked_;  ///< last continued value of each wrapping angle
  FormulaWorkspace<S> work_;
  std::vector<typename ElasticConnection<S>::Memory> memories_;  ///< per connection
  std::vector<Kinematics> from_;  ///< both ends of a step, for the energy balance
  std::vector<Kinematics> to_;
  std::vector<double> turn_;      ///< per node: sin(x/2)/(x/2) of its turn x
  std::vector<SlipState> slips_;  ///< per friction in joints
  std::vector<int> open_rows_;
  system::Vector state_rates_;
  /// For derivatives by states that move internal nodes.
  std::vector<int> moving_states_;
  system::State probe_;
  system::Vector rates_above_;
  system::Vector rates_below_;
};

}  // namespace trammel::model
