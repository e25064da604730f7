// The equations of motion as an ordinary differential equation of first order, for explicit
// methods:
//
//     y = (x, v, z, w),   q = retract(q_origin, x)
//     x' = T(x)^-1 v                               inverse_tangent(x, v)
//     v' = a      from  M a + G^T lambda = f,  G a + gamma = 0
//     z' = s(t, q, v, z)
//     w' = powers (dissipated, of loads, of drives), where the system has an energy book
//
// w, the work done so far, is there so that the balance of energy has the order of the method, and
// not that of some rule of quadrature. It takes part in the control of the error (energy_norm()):
// the power has higher derivatives than the motion, and a method that is exact for the motion would
// take steps of any length over it. x are
// canonical coordinates about an origin on the manifold. For vectors T is the identity and the
// origin never moves. For rotations every method of order p for y is one of order p for q, as long
// as |x| stays well below 2 pi: the origin is moved along.
//
// Accelerations come from the system's own forward dynamics where it has one (the O(n) recursion of
// relative coordinates), else from its KKT matrix.
//
// Constraints are kept by projecting a step's end: positions along the least mass-weighted way,
// then velocities, with the matrices of the last evaluation in a modified Newton iteration. The
// drift of one step is so small that one or two solutions bring it down to round-off
// [Eich-Soellner & Fuehrer 1998, sec. 5.3]. Rows that follow from others are left out
// (constraint_handling/independent_rows.h); which ones is looked at again where steps begin, so
// that the rates stay a smooth function of y in between.
#pragma once

#include <algorithm>
#include <cmath>
#include <memory>

#include "trammel/constraint_handling/independent_rows.h"
#include "trammel/constraint_handling/kkt_dynamics.h"
#include "trammel/integrators/adaptive_options.h"
#include "trammel/system/forward_dynamics.h"

namespace trammel::integrators {

/// Energy that came and went so far, J: what errors of the work are measured by.
struct Exchange {
  bool begun = false;
  double kinetic = 0.0;  ///< the largest
  double lowest_potential = 0.0;
  double highest_potential = 0.0;
  double work = 0.0;       ///< without regard to signs
  double magnitude = 0.0;  ///< of the energies of the last step
  double unit = 0.0;       ///< kinetic energy of a scale per T in all components
  double clock = 0.0;      ///< what the loads of a start from rest do while the clock stands still
  double time = 0.0;       ///< of the last step or start, s
  double balance = 0.0;    ///< energy less the work that was booked for it, at that time
  double origin = 0.0;     ///< the balance of which nothing is missing
  double estimated = 0.0;  ///< errors of the balance as steps estimated them, without signs
  system::Power last_work;

  double total() const { return kinetic + highest_potential - lowest_potential + work; }
  /// What is missing in the book by now. Oscillations that a method damps, since its steps pass
  /// over them, are none of its errors, and its estimates do not see them. Energies that are no
  /// numbers lack nothing.
  double lack(bool damps) const {
    constexpr double doubt = 4.0;
    const double missing = std::abs(balance - origin);
    if (!std::isfinite(missing)) return 0.0;
    return damps ? std::min(missing, doubt * estimated) : missing;
  }
};

class StateEquations {
 public:
  StateEquations(system::MechanicalSystem& system, const AdaptiveOptions& options);

  int size() const { return motion_size() + work_size(); }
  /// Of x, v and z.
  int motion_size() const { return 2 * sizes_.v + sizes_.z; }
  /// Of w: 3, or 0 without an energy book or freedoms.
  int work_size() const { return book_ == nullptr ? 0 : 3; }
  const system::Sizes& sizes() const { return sizes_; }
  /// Without redundant rows.
  system::MechanicalSystem& system() { return system_; }

  /// Puts the origin at the state's positions; y with x = 0 and dy of the motion.
  void start(const system::Motion& motion,
             const system::Power& work,
             system::Vector& y,
             system::Vector& dy);
  /// Moves the origin to the positions of y; x becomes zero.
  void recentre(system::Vector& y);
  const system::Vector& origin() const { return origin_; }
  /// False where positions are a vector space: the origin need not move.
  bool curved() const { return curved_; }
  /// True when some rotation is far from the origin.
  bool far(const system::Vector& y) const;
  /// True when all rotations are so near that no turn of theirs can be lost.
  bool near(const system::Vector& x) const;

  /// False when a step turned a body so far that its turns could no longer be counted.
  bool resolved(const system::Vector& from, const system::Vector& to) const;

  /// The state of y.
  void state(double t, const system::Vector& y, system::State& state) const;
  /// w of y.
  system::Power work(const system::Vector& y) const;
  /// w' of a motion into the end of dy, with the reactions that make_unique() gives.
  void powers(const system::Motion& motion, system::Vector& dy);
  /// Before a step from y; true when other rows are left out than before.
  bool begin_step(double t, const system::Vector& y);
  /// Where the system reads multipliers that are not unique: the least ones.
  void make_unique(system::Motion& motion) { rows_left_.make_unique(motion.state, motion.lambda); }
  /// The multipliers of a motion without those of rows left out.
  void regroup(system::Vector& lambda) { rows_left_.regroup(lambda); }
  /// y'. False when there is no finite answer. motion() is then that of y.
  bool rates(double t, const system::Vector& y, system::Vector& dy);
  const system::Motion& motion() const { return motion_; }

  /// Brings y onto its constraints, if that was chosen, by changes that are the least ones in the
  /// mass metric of the last rates(), or in another one; where that is too old, in a new one. False
  /// when that does not succeed.
  bool project(double t, system::Vector& y) { return project(t, y, *dynamics_); }
  bool project(double t, system::Vector& y, system::LeastChange& metric);

  /// The fastest motion so far, model sizes (or rad) per second: never zero.
  double fastest() const { return largest_speed_; }
  /// The part of the tolerance that a step of size h gets, no less than `least` of it: errors of
  /// steps add up, and a mechanism that moves by its own size is to get there with an error of
  /// about the tolerance.
  double share(double h, double least) const { return std::clamp(h * largest_speed_, least, 1.0); }
  /// Sets the weights of the error to those of y: a share of the tolerance, but of positions,
  /// velocities and states alone.
  void set_weights(const system::Vector& y, double share = 1.0);
  /// |e|, 1 at the tolerance.
  double norm(const system::Vector& e) const;
  /// The same without the work.
  double motion_norm(const system::Vector& e) const;
  /// What an error e of y makes of the balance of energy; 1 at the tolerance.
  double energy_norm(double t, const system::Vector& y, const system::Vector& e);
  /// What the balance of energy lacks at the end y of a step more than at its start; 1 at the most
  /// that one step may make it lack. It sees kinks that estimates of the error pass over. Zero for
  /// methods that damp, and where step after step lacks energy, however short: the book itself
  /// does not close then.
  double missing_norm(double t, const system::Vector& y);
  /// Of the method: what it damps is not missing.
  void set_damping(bool damps) { damps_ = damps; }
  /// An energy that is missing; 1 at the tolerance.
  double lack_norm(double energy) const;
  /// After a step that was refused for its error. After many, work and energy have less and less to
  /// say in this step: a book that cannot be kept to the tolerance stops no motion.
  void count_refusal() { ++refusals_; }
  /// After a step: its end counts for what was exchanged so far.
  void see_energy(const system::Vector& y, const system::State& state);
  /// Largest entry of e's positions over its scale: rad, or model sizes.
  double position_size(const system::Vector& e) const;

  long evaluations() const { return evaluations_; }
  long factorisations() const { return kkt_ ? kkt_->factorisations() : 0; }
  std::size_t memory_bytes() const;

 private:
  using Residual = void (system::MechanicalSystem::*)(const system::State&, system::Vector&);

  bool find_curvature();
  /// The fastest velocity of y, model sizes (or rad) per second.
  double speed(const system::Vector& y) const;
  void see_start(const system::Vector& y, const system::Vector& dy);
  bool rests(const system::Vector& dy);
  double speed_of_round_off();
  void set_work_weights();
  double energy(double t, const system::Vector& y);
  double work_norm(const system::Vector& e) const;
  void use_matrix();
  bool accelerations();
  void book_powers(const system::Motion& motion, system::Vector& dy);
  void add_baumgarte();
  bool project_levels(double t, system::Vector& y, system::LeastChange& metric);
  bool project_level(Residual residual, system::LeastChange& metric, system::Vector& y, int first);
  double largest_turn(const system::Vector& e) const;
  void find_round_off();

  constraint_handling::IndependentRows rows_left_;  ///< the system without redundant rows
  system::MechanicalSystem& system_;                ///< the same
  AdaptiveOptions options_;
  system::Sizes sizes_;
  system::EnergyBook* book_ = nullptr;
  system::ForwardDynamics* dynamics_ = nullptr;
  std::unique_ptr<constraint_handling::KktDynamics> kkt_;
  system::Vector origin_;
  bool curved_ = false;
  system::Motion motion_;
  system::Motion unique_;
  system::State projected_;
  system::Vector unprojected_;
  system::Vector beside_;
  system::Vector spare_a_;
  system::Vector spare_lambda_;
  system::Vector x_;
  system::Vector dx_;
  system::Vector delta_;
  system::Vector rows_;
  system::Vector rates_;
  system::Vector inverse_scale_;
  system::Vector turn_scale_;       ///< the same for components that turn; 0 for lengths
  system::Vector round_off_;        ///< of the positions of the origin
  double largest_round_off_ = 0.0;  ///< rad, or model sizes
  system::Vector inverse_weights_;
  double largest_speed_ = 0.0;  ///< so far, model sizes (or rad) per second
  Exchange exchange_;
  double inverse_energy_weight_ = 0.0;  ///< of the error of one step
  double inverse_lack_weight_ = 0.0;    ///< of what iterations leave
  double inverse_missing_weight_ = 0.0;
  bool damps_ = false;
  bool open_book_ = false;
  bool missing_ = false;         ///< the present step was too long for the balance
  int missing_steps_ = 0;        ///< one after the other
  double estimated_lack_ = 0.0;  ///< of the step that is being judged, J
  int refusals_ = 0;             ///< of the present step
  long evaluations_ = 0;
};

}  // namespace trammel::integrators
