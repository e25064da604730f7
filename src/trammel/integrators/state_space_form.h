// The equations of motion in independent coordinates [Haug1997, sec. 3].
//
// With G X = 1, P X = 0, G Z = 0, P Z = 1 (constraint_handling/independent_coordinates.h) and a
// displacement x from an origin q_0, q = retract(q_0, x), everything follows from the independent
// p = P x, P v and s = P a:
//
//     positions      g(t, q) = 0 with P x = p, by Newton's method
//     velocities     v = Z (P v) - X (g_t)
//     accelerations  a = Z s - X gamma
//     multipliers    lambda = X^T (f - M a)
//     residual       Psi = Z^T (M a - f)                                          [eq. 20]
//     forward        (Z^T M Z) s = Z^T (f + M X gamma)                            [eq. 39]
//
// so that all levels of the constraints hold at every iterate, to round-off.
//
// Nonholonomic rows leave fewer independent velocities than positions: coordinates K
// (constraint_handling/coordinate_partition.h) have a velocity that follows from the others and a
// position that does not. Their places in p come last.
//
// On rotations x are canonical coordinates about the origin, delta = T(x) dx, and the solution of
// g = 0 with given p takes W = P T^-1 Z, a small matrix.
//
// Loads h(lambda) that depend on reactions are found by iteration (system/reaction_iteration.h).
//
// The partition is looked at again after every step: where cond(Phi_u) of velocities or
// positions has grown by a factor since it was made, another is tried, and taken if its condition
// is at most half of that. Nothing is lost by a change: what steps begin with are full vectors q,
// v, a.
#pragma once

#include "trammel/constraint_handling/independent_coordinates.h"
#include "trammel/constraint_handling/independent_rows.h"
#include "trammel/integrators/integrator.h"
#include "trammel/integrators/state_space_options.h"
#include "trammel/system/reaction_iteration.h"

namespace trammel::integrators {

class StateSpaceForm {
 public:
  /// Throws InputError when options name coordinates or a solver that there is not.
  StateSpaceForm(system::MechanicalSystem& system, const StateSpaceOptions& options);

  /// Chooses the coordinates. Throws InputError, the first time, where those that were asked for
  /// cannot be independent.
  void start(const system::Motion& motion);
  /// The origin moves to a motion that is consistent.
  void begin_step(const system::Motion& now);
  /// After a step that was accepted; and after one that failed, when `failed`. True when the
  /// coordinates changed.
  bool revise_partition(const system::Motion& now, bool failed);

  system::MechanicalSystem& system() { return system_; }
  const system::Sizes& sizes() const { return sizes_; }
  const constraint_handling::CoordinatePartition& partition() const { return partition_; }
  /// Independent velocities.
  int freedoms() const { return velocity_coordinates_.freedoms(); }
  /// Independent positions; the carried ones, K, are the last of them.
  int position_freedoms() const { return position_coordinates().freedoms(); }
  int carried() const { return position_freedoms() - freedoms(); }
  bool curved() const { return curved_; }

  /// The iterate.
  const system::Motion& motion() const { return motion_; }
  system::Motion& motion() { return motion_; }
  const system::Vector& displacement() const { return x_; }
  /// M and G of its positions.
  const system::KktMatrix& mass() const { return mass_; }

  /// Where the search for positions begins.
  void guess_displacement(const system::Vector& x) { x_ = x; }
  /// q with P x = p at the time t; then M, G and their factors are those of q.
  Failure set_positions(double t, const system::Vector& p);
  void set_velocities(const system::Vector& p_rate);
  void set_accelerations(const system::Vector& s);
  /// lambda, and Psi. False when loads that depend on reactions were not found.
  bool set_multipliers(system::Vector& psi);
  /// s of the state, with a and lambda. False when the mass matrix is not positive definite, or
  /// loads were not found.
  bool accelerations(system::Vector& s);
  /// dp/dt of the state.
  void position_rates(system::Vector& p_rate);
  void project_position(const system::Vector& x, system::Vector& p) const {
    position_coordinates().project(x, p);
  }
  void project_velocity(const system::Vector& v, system::Vector& p) const {
    velocity_coordinates_.project(v, p);
  }
  void make_unique(system::Motion& motion) { rows_left_.make_unique(motion.state, motion.lambda); }

  constraint_handling::IndependentCoordinates& velocity_coordinates() {
    return velocity_coordinates_;
  }
  constraint_handling::IndependentCoordinates& position_coordinates() {
    return position_ ? *position_ : velocity_coordinates_;
  }
  const constraint_handling::IndependentCoordinates& position_coordinates() const {
    return position_ ? *position_ : velocity_coordinates_;
  }
  /// W^-1 y of positions; y itself in vector spaces.
  void solve_chart(system::Vector& y);
  /// Of each independent velocity, the size of its displacement.
  const system::Vector& independent_scale() const { return independent_scale_; }
  /// What corrections of positions cannot fall below, over their scale: round-off.
  double floor() const { return floor_; }
  /// The largest load in the last Psi, in N m (loads times displacement scales).
  double load_size() const { return load_size_; }

  /// Largest displacement of the step over its scale, and of turns alone.
  double largest_displacement() const;
  double largest_turn() const;

  long evaluations() const { return evaluations_; }
  long factorisations() const { return factorisations_; }
  long position_iterations() const { return position_iterations_; }
  int partition_changes() const { return changes_; }
  double condition() const { return condition_; }
  const std::vector<std::string>& notes() const { return notes_; }
  void tell(std::string note) { notes_.push_back(std::move(note)); }
  std::size_t memory_bytes() const;

 private:
  std::vector<int> components_of(const std::vector<std::string>& names);
  constraint_handling::CoordinatePartition best_partition(bool as_wanted);
  void refuse(const constraint_handling::CoordinatePartition& best);
  void use(constraint_handling::CoordinatePartition partition);
  std::string described();
  /// M, G and factors at the iterate's positions.
  bool factor();
  /// cond(Phi_u) of velocities or of positions, whichever is larger.
  double worst_condition();
  double position_correction(const system::Vector& p);
  bool iterate_multipliers(const system::Vector& load_free);

  constraint_handling::IndependentRows rows_left_;  ///< the system without redundant rows
  system::MechanicalSystem& system_;                ///< the same
  StateSpaceOptions options_;
  system::Sizes sizes_;
  std::vector<int> wanted_;
  constraint_handling::CoordinatePartition partition_;
  constraint_handling::IndependentCoordinates velocity_coordinates_;
  std::unique_ptr<constraint_handling::IndependentCoordinates> position_;  ///< beside Pfaff rows
  bool curved_ = false;
  bool started_ = false;
  bool told_ = false;

  system::Vector origin_;
  system::Motion motion_;
  system::Vector x_;
  system::KktMatrix mass_;
  Eigen::MatrixXd chart_;  ///< W
  Eigen::PartialPivLU<Eigen::MatrixXd> chart_factors_;
  Eigen::MatrixXd reduced_;  ///< Z^T M Z
  Eigen::MatrixXd mass_basis_;
  Eigen::LLT<Eigen::MatrixXd> reduced_factors_;
  system::ReactionIteration reactions_;
  system::Vector inverse_scale_;
  system::Vector turn_scale_;
  system::Vector independent_scale_;
  double floor_ = 0.0;  ///< of corrections of positions, by round-off
  double load_size_ = 0.0;
  double condition_ = 1.0;
  double condition_at_choice_ = 1.0;

  system::Vector rows_;
  system::Vector delta_;
  system::Vector dx_;
  system::Vector p_now_;
  system::Vector c_;
  system::Vector r_;
  system::Vector f_;
  system::Vector h_;
  system::Vector product_;
  system::Vector lambda_;
  long evaluations_ = 0;
  long factorisations_ = 0;
  long position_iterations_ = 0;
  int changes_ = 0;
  std::vector<std::string> notes_;
};

/// y = K x, of the upper left block of a matrix.
void multiply_block(const system::KktMatrix& matrix,
                    const Eigen::Ref<const Eigen::MatrixXd>& x,
                    Eigen::Ref<Eigen::MatrixXd> y);

}  // namespace trammel::integrators
