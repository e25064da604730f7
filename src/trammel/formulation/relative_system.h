// Relative (Lagrange) coordinates: the same model seen through the hinges of a spanning tree
// [Sol1983, chapters 4 to 6].
//
// The absolute system stays the only one that knows forces, joints, couplings, drives and sensors.
// The tree gives it the absolute motion of the hinge coordinates,
//
//     q_abs = X(q),   v_abs = S(q) v,   a_abs = S v' + S' v,
//
// and pulls its answers back:
//
//     r = S^T r_abs,   G = G_abs S,   gamma = gamma_abs + G_abs S' v,
//
// where tree joints have no rows: their multipliers are zero in r_abs and do no work on S. Drives
// of hinge coordinates have none either: these coordinates are known functions of time
// (prescribed_hinges.h), whose motion enters X, S v and S' v. The remaining rows (cut joints,
// couplings, other drives, nonholonomic rows) keep their order. Multipliers of tree joints and of
// such drives are recovered body by body from the balance, from the leaves to the ground, so that
// everything that can be observed is the same in both coordinates.
#pragma once

#include <array>
#include <limits>
#include <mutex>
#include <optional>

#include <Eigen/Cholesky>

#include "trammel/core/dense_factors.h"
#include "trammel/formulation/recursive_dynamics.h"
#include "trammel/formulation/relative_tangent.h"
#include "trammel/formulation/tree_reactions.h"
#include "trammel/model/assembly/mechanism_system.h"
#include "trammel/model/connection_watch.h"
#include "trammel/model/friction_modes.h"
#include "trammel/system/coordinate_names.h"
#include "trammel/system/forward_dynamics.h"
#include "trammel/system/reaction_iteration.h"
#include "trammel/system/threads.h"
#include "trammel/topology/tree.h"

namespace trammel::formulation {

/// A model in relative coordinates, whatever its space.
///
/// Its accelerations() are found by recursion (recursive_dynamics.h), without a matrix of the
/// tree's size: O(n), and once more for each row.
class RelativeModel : public model::ModelSystem, public system::ForwardDynamics {
 public:
  virtual const topology::Tree& tree() const = 0;
  /// Drives whose coordinate left the unknowns, because it is one of a hinge of the tree.
  virtual std::vector<std::string> prescribed_by() const = 0;
  /// The hinge whose coordinates are singular at a state, in words, and what to do; empty when none
  /// is.
  struct SingularHinge {
    std::string what;
    std::string remedy;
  };
  virtual SingularHinge singular_hinge(const system::State& state) const = 0;
  /// The joint that stands half a turn away from its hinge in an absolute state; empty when none
  /// does.
  virtual std::string flipped_joint(const system::State& absolute) const = 0;
  /// The system that was wrapped, with the same bodies in absolute coordinates.
  virtual model::ModelSystem& absolute() = 0;
  /// Hinge coordinates and rates of an absolute state that satisfies the tree joints.
  virtual system::State from_absolute(const system::State& absolute) = 0;
  /// The absolute motion, with the multipliers of all joints.
  virtual const system::Motion& to_absolute(const system::Motion& motion) = 0;
};

template <class S>
class RelativeSystem final : public RelativeModel,
                             public system::FirstOrderStates,
                             public system::PositionMeasure,
                             public system::ConstraintDependentForces,
                             public system::ReactionWeights,
                             public model::FrictionModes,
                             public system::StateBranches,
                             public model::ConnectionWatch,
                             public system::CoordinateNames {
 public:
  RelativeSystem(const model::Description& description,
                 std::shared_ptr<const model::Mechanism<S>> mechanism,
                 topology::Tree tree,
                 HingeDrives drives = HingeDrives::prescribed);
  ~RelativeSystem() override = default;
  RelativeSystem(const RelativeSystem& other);
  RelativeSystem(RelativeSystem&&) = delete;
  RelativeSystem& operator=(const RelativeSystem&) = delete;
  RelativeSystem& operator=(RelativeSystem&&) = delete;
  std::unique_ptr<system::MechanicalSystem> clone() const override;

  system::Sizes sizes() const override { return constant_->sizes; }
  /// Made when first asked for: recursions do without. Throws InputError where a deep tree would
  /// fill it beyond all memory.
  std::shared_ptr<const system::KktPattern> pattern() const override {
    return relative_pattern()->pattern;
  }
  const system::Vector& displacement_scale() const override {
    return constant_->displacement_scale;
  }

  void retract(const system::Vector& q,
               const system::Vector& x,
               system::Vector& q_moved) const override;
  void logarithm(const system::Vector& from,
                 const system::Vector& to,
                 system::Vector& x) const override;
  void inverse_tangent(const system::Vector& x,
                       const system::Vector& delta,
                       system::Vector& dx) const override;
  bool turns(int component) const override {
    return !constant_->is_length[static_cast<std::size_t>(component)];
  }
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
    return absolute_.first_order_states() == nullptr ? nullptr : this;
  }
  void rates(const system::State& state, system::Vector& rates) override;
  void rate_tangent(const system::State& state, Eigen::MatrixXd& tangent) override;

  system::ConstraintDependentForces* constraint_dependent_forces() override {
    return absolute_.constraint_dependent_forces() == nullptr ? nullptr : this;
  }
  void constraint_dependent_forces(const system::Motion& motion, system::Vector& h) override;
  /// Those of the absolute system.
  void reaction_weights(const system::State& state, system::Vector& weights) override;

  system::Energy energy(const system::State& state) override;
  system::Power power(const system::Motion& motion) override;

  const model::ModelFacts& facts() const override { return *constant_->facts; }
  void set_slip(const model::StickRow& row, model::Slip slip, const system::State& state) override;
  model::SlipPlace slip_at(const model::StickRow& row, const system::Motion& motion) override;
  std::size_t memory_bytes() const override;

  void observe(const system::Motion& motion, double* values) override;
  void accept(const system::State& state) override;
  void restart_angles() override { absolute_.restart_angles(); }
  std::vector<double>& counted_angles() override { return absolute_.counted_angles(); }
  double fastest_turn(const system::State& state) override;

  const topology::Tree& tree() const override { return constant_->topology; }
  std::vector<std::string> prescribed_by() const override;
  SingularHinge singular_hinge(const system::State& state) const override;
  model::ModelSystem& absolute() override { return absolute_; }
  std::string flipped_joint(const system::State& absolute) const override;
  system::State from_absolute(const system::State& absolute) override;
  const system::Motion& to_absolute(const system::Motion& motion) override;
  bool accelerations(const system::State& state,
                     system::Vector& a,
                     system::Vector& lambda) override;
  void leave_out(const std::vector<int>& rows) override { left_out_ = rows; }
  void constrain(const system::Vector& residual, system::Vector& x) override;

  // Functions of time and threads are those of the absolute system.
  std::span<system::Capability* const> capabilities() override { return passed_on_; }

  int branch_count() const override { return constant_->mechanism->branch_count; }
  void branch_distances(const system::Motion& motion,
                        system::Vector& distances,
                        system::Vector& magnitudes) override {
    absolute_branches().branch_distances(with_loads(motion), distances, magnitudes);
  }
  void asked_branches(const system::Motion& motion, system::Vector& branches) override {
    absolute_branches().asked_branches(with_loads(motion), branches);
  }
  void hold_branch(int branch, double side) override {
    absolute_branches().hold_branch(branch, side);
  }
  void let_branch_go(int branch) override { absolute_branches().let_branch_go(branch); }
  std::vector<Rank> ranks(const system::State& state) override;
  std::string coordinate_name(int component) const override;
  std::string constraint_name(int row) const override;
  std::string branch_name(int branch) const override {
    return model::branch_name(*constant_->mechanism, branch);
  }

 private:
  double own_distance(const TreeHinge<S>& hinge, const system::State& state) const;
  class Facts;
  struct Constant {
    explicit Constant(topology::Tree tree) : topology(std::move(tree)) {}

    topology::Tree topology;
    std::shared_ptr<const model::Mechanism<S>> mechanism;
    std::shared_ptr<const HingeTree<S>> tree;
    mutable std::once_flag pattern_made;
    mutable std::shared_ptr<const RelativePattern> pattern;
    system::Sizes sizes;
    std::vector<int> row_of;        ///< relative row of each absolute one, -1: of the tree
    std::vector<int> absolute_row;  ///< and the other way
    system::Vector displacement_scale;
    std::vector<bool> is_length;  ///< per velocity; others are angles
    system::State described;
    std::unique_ptr<const model::ModelFacts> facts;
    TreeReactions<S> reactions;
  };
  static std::shared_ptr<const Constant> make_constant(
      const model::Description& description,
      std::shared_ptr<const model::Mechanism<S>> mechanism,
      topology::Tree tree,
      HingeDrives drives);
  system::StateBranches& absolute_branches() {
    return *system::capability<system::StateBranches>(absolute_);
  }
  static void number_rows(Constant& constant);
  static void set_scale(Constant& constant);
  static void extract(const Constant& constant,
                      TreeMotion<S>& motion,
                      const system::State& absolute,
                      system::State& state);

  std::shared_ptr<const RelativePattern> relative_pattern() const;
  void set_state(const system::State& state);
  /// The absolute motion for conditions, which read loads only where there are such.
  const system::Motion& with_loads(const system::Motion& motion) {
    if (absolute_.constraint_dependent_forces() != nullptr) return to_absolute(motion);
    set_state(motion.state);
    return absolute_motion_;
  }
  void set_motion(const system::Motion& motion);
  /// Rows of the relative system out of those of the absolute one.
  void pick_rows(const system::Vector& absolute, system::Vector& rows) const;
  /// The absolute KKT matrix with G, and nothing else.
  void set_jacobian();
  /// G_abs a_abs, of the rows of the relative system.
  void add_row_accelerations(system::Vector& rows) const;
  /// The columns of G^T and M^-1 G^T, and the Schur complement G M^-1 G^T with its factors.
  void set_row_responses();
  void factor_schur();
  /// (G M^-1 G^T) lambda = right, the least lambda where rows depend on others.
  template <class Right>
  void solve_schur(const Right& right, system::Vector& lambda) const;

  std::shared_ptr<const Constant> constant_;
  model::MechanismSystem<S> absolute_;
  std::array<system::Capability*, 2> passed_on_;  ///< of the absolute system
  TreeMotion<S> motion_;
  std::optional<RelativeTangent<S>> tangent_;  ///< with the pattern
  system::Motion absolute_motion_;
  /// Clock, q and v of the last set_state(): what is asked next is often asked there again.
  system::State known_{.t = std::numeric_limits<double>::quiet_NaN()};
  system::Vector r_;
  system::Vector rows_;
  system::Vector zero_;
  system::KktMatrix K_q_;  ///< also holds G
  system::KktMatrix K_v_;
  RecursiveDynamics<S> recursion_;
  Eigen::MatrixXd row_loads_;      ///< G^T
  Eigen::MatrixXd row_responses_;  ///< M^-1 G^T
  std::vector<int> left_out_;      ///< rows that accelerations() and constrain() leave out
  Eigen::MatrixXd schur_;          ///< G M^-1 G^T
  bool definite_ = true;           ///< rows are independent
  Eigen::LLT<Eigen::MatrixXd> definite_factors_;
  Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> factors_;  ///< else
  system::Vector tau_;
  system::Vector response_;
  system::Vector bias_;  ///< G a_0 + gamma
  system::Vector reaction_;
  system::ReactionIteration iteration_;
  system::Motion loaded_motion_;
  system::Vector h_;
};

}  // namespace trammel::formulation
