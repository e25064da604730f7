// The GSSSS family of integrators for constrained systems, on manifolds, at index 3, 2 or 1
// [Huang2014, ch. 2 and 3.6-3.8]. gssss_parameters.h has the family, gssss_options.h the choices.
//
// One step from t_n to t_{n+1} = t_n + h finds da and lambda~ with
//
//     q_{n+1} = retract(q_n, x),    x  = h v_n + h^2/2 a_n + l3 h^2 da
//     v_{n+1} = v_n + h a_n + l5 h da
//     q~      = retract(q_n, x~),   x~ = W1 h v_n + L2W2 h^2 a_n + L3W3 h^2 da
//     v~      = v_n + W1 h a_n + L5W2 h da
//     a~      = a_n + L6W1 da
//     M(q~) a~ + G(q~)^T lambda~ = f(t~, q~, v~)             at t~ = t_n + W1 h
//     g(q_{n+1}) = 0  |  G v + g_t = 0  |  G a + gamma = 0   at t_{n+1}: index 3 | 2 | 1
//
// On rotations x, v and a are components in the body's own axes, so that averages at different
// times need no transport: x~ is a point on the arc to x, to the third order in h.
//
// a_n belongs to t_n - shift h and lambda~ to t~. Results are given at t_n: true accelerations
// a* = a_{n-1} + s (a_n - a_{n-1}), s = 1 + shift (first step 1/(1 - shift)), and
// lambda_n = lambda~_n + (1 - W1)(lambda~_n - lambda~_{n-1}), both of second order.
//
// At index 3 the velocity error w = G v + g_t obeys w_{n+1} = -w_n + 2 p, p = O(h^2) and smooth,
// for all of V0 and for U0 with rho_max = 1 (else it is damped). From w_0 = 0 it would oscillate
// between 0 and 2 p, which costs a and lambda an order. Therefore two trial steps measure p at
// h/2 and 3 h/2, and the least change of v_n (in the mass metric) puts w_n on the smooth solution,
// w_n = (3 p_{1/2} - p_{3/2})/2; likewise where h changes [compare Arnold, Bruls & Cardona 2015].
//
// With Evaluation::end (U0 only) the equations of motion hold at t_{n+1} for the true acceleration
// v', and a~ = (1 - W1) v'_n + W1 v'_{n+1} [Arnold & Bruls 2007]: nothing has to be shifted. For
// linear systems both are the same method. First-order states follow the trapezoidal rule.
//
// Newton's unknowns are a displacement and sigma lambda~ with sigma = l3 h^2 over the weight of da
// in the acceleration, so that the matrix tends to [M G^T; G 0] and its condition does not degrade
// as h -> 0. The block G of the constraint rows is that of the equations of motion: exact for
// Evaluation::end at index 3, else wrong by O(h), which costs an iteration. By default the
// tangent's symmetric part is used; when it converges slowly the full tangent takes over. After a
// failed step velocities, accelerations and multipliers are made consistent again, so that
// oscillations of the algorithm do not live on in the smaller steps.
//
// Rows that follow from others are left out (constraint_handling/independent_rows.h); which ones is
// looked at again between steps.
#pragma once

#include "trammel/constraint_handling/acceleration_constraint.h"
#include "trammel/constraint_handling/independent_rows.h"
#include "trammel/constraint_handling/loaded_solve.h"
#include "trammel/constraint_handling/mass_orthogonal_projection.h"
#include "trammel/core/dense_factors.h"
#include "trammel/integrators/gssss_options.h"
#include "trammel/integrators/integrator.h"
#include "trammel/integrators/newton_control.h"

namespace trammel::integrators {

class Gssss : public Integrator {
 public:
  /// Throws InputError when choices are out of range, do not go together, or not with the system.
  Gssss(system::MechanicalSystem& system, GssssOptions options);

  void start(const system::Motion& motion) override;
  StepReport step(double h) override;
  system::MechanicalSystem& system() override { return system_; }
  const system::Motion& motion() const override { return now_; }
  const Statistics& statistics() const override { return statistics_; }
  const std::vector<std::string>& notes() const override { return notes_; }
  std::size_t memory_bytes() const override;
  bool damps() const override { return options_.radii.minimum < 1.0; }

  /// Keeps what the next step starts from, and takes the last step back to it: for whoever judges
  /// steps by their results (adaptive_gssss.h).
  void keep() { remember(kept_); }
  void take_back() { recall(kept_); }

  /// Velocities, accelerations and multipliers of motion() anew from its positions; the next step
  /// is a first one.
  void make_consistent() { restart(); }
  /// Takes out of a velocity at motion() what the constraints forbid: G v = 0, by the metric of the
  /// last factors.
  void remove_forbidden(system::Vector& v);

  const GssssParameters& parameters() const { return p_; }
  /// a_n, at t_n - shift h.
  const system::Vector& algorithmic_acceleration() const { return alg_; }
  /// lambda~ as the last step computed it, at t~.
  const system::Vector& algorithmic_multipliers() const { return level_.lambda; }

 private:
  /// q and v at t_{n+1}; where the level is t_{n+1}, the same object.
  system::State& end() { return shared_ ? level_.state : end_; }
  /// True acceleration at t_{n+1}.
  const system::Vector& true_acceleration();

  /// What a step starts from.
  struct History {
    system::Motion now;  ///< t_n, with true accelerations
    system::Vector alg;  ///< a_n
    system::Vector alg_last;
    system::Vector multiplier_last;
    system::Vector rates;
    double last_h = 0.0;
    double acceleration_age = 0.0;
    double multiplier_age = 0.0;
    double span = 0.0;
    double time_carry = 0.0;
  };

  // The step (gssss.cpp).
  void revise_rows();
  void remember(History& history) const;
  void recall(const History& history);
  void change_step(double h);
  void balance_velocity();
  void predict();
  StepReport solve_step();
  bool project();
  void accept();
  void restart();
  void judge_resolution(StepReport& report) const;
  void note_round_off();

  // Newton's iteration (gssss_newton.cpp).
  /// First adds that much of dx to the increment.
  void set_from_increment(double dx_share = 0.0);
  bool renew_tangent();
  Failure tangent_failure() const;
  Failure iterate(int& iterations);
  Failure iterate_as_source(int& iterations);
  /// |R2| of the right side at hand, in the a-form of the source.
  double source_rows() const;
  /// Sets right_side_.
  void set_equations();
  Failure renew(int& renewals);
  double correct();
  /// Solves the equations at hand and moves by it; returns its size.
  double move_by_solution();
  double correct_positions();
  double correct_states();
  void residuals();
  void set_constraint_rows();
  void add_row_level(double holonomic, double nonholonomic);
  void remove_undetermined_multipliers();
  double wanted_tolerance() const;
  bool at_round_off(double size);
  void find_floor();
  Failure reason(Failure failure, double size) const;
  bool full_tangent_helps() const;
  void use_full_tangent();
  void try_full_tangent(StepReport& report);

  constraint_handling::IndependentRows rows_left_;  ///< the system without redundant rows
  system::MechanicalSystem& system_;                ///< the same
  GssssOptions options_;
  system::Sizes sizes_;
  GssssParameters p_;
  RowWeights holonomic_;
  RowWeights nonholonomic_;
  bool at_end_;                 ///< Evaluation::end
  bool shared_;                 ///< the level's positions and velocities are those of t_{n+1}
  bool exact_tangent_;          ///< renewing can bring quadratic convergence
  bool balanced_;               ///< first steps begin with a balanced velocity
  bool scales_velocity_error_;  ///< where h changes

  std::unique_ptr<linear::KktSolver> solver_;
  system::KktMatrix matrix_;
  bool tangent_valid_ = false;
  bool tangent_fresh_ = false;
  bool redundant_ = false;      ///< the last factorisation met dependent constraint rows
  int vain_full_tangents_ = 0;  ///< steps that failed with the full tangent as well
  TangentEconomy economy_;
  double factored_step_ = 0.0;
  NewtonControl control_;
  linear::RefinedSolve refined_;
  constraint_handling::LoadedSolve loaded_;
  std::unique_ptr<constraint_handling::MassOrthogonalProjection>
      projection_;  ///< for projection and GGL
  constraint_handling::AccelerationConstraint acceleration_constraint_;

  History kept_;  ///< by keep()
  History trial_;
  system::State probe_;
  system::Vector balance_rows_[3];  ///< G v + g_t before and after trial steps
  double h_ = 0.0;
  double sigma_ = 0.0;       ///< scale of the multipliers
  double slope_ = 1.0;       ///< d(true acceleration)/d(increment), s
  double time_carry_ = 0.0;  ///< what rounding added to t_n
  double next_time_carry_ = 0.0;
  double last_h_ = 0.0;             ///< size of the last accepted step, 0 before the first
  double acceleration_age_ = 0.0;   ///< t_n minus the time of a_n
  double multiplier_age_ = 0.0;     ///< t_n minus the time of lambda~_n
  double history_ = 0.0;            ///< time between a_{n-1} and a_n
  system::Motion now_;              ///< t_n, with true accelerations
  system::Motion level_;            ///< the iterate at the level of the equations of motion
  system::State end_;               ///< the iterate at t_{n+1}, when not shared
  system::Vector alg_;              ///< a_n
  system::Vector alg_last_;         ///< a_{n-1}
  system::Vector increment_;        ///< da
  system::Vector multiplier_last_;  ///< lambda~_n
  system::Vector true_a_;
  system::Vector x_;           ///< displacement from t_n to t_{n+1}
  system::Vector x_level_;     ///< from t_n to the level
  system::Vector x_position_;  ///< the part of x that GGL's multipliers make
  system::Vector inverse_scale_;
  system::Vector turn_scale_;   ///< the same for components that turn; 0 for lengths
  system::Vector slide_scale_;  ///< and for lengths; 0 for those that turn
  system::Vector residual_;
  system::Vector constraint_;
  system::Vector rows_;
  system::Vector right_side_;
  system::Vector solution_;
  system::Vector product_;
  double largest_load_ = 0.0;  ///< so far, as the iteration of the source saw it
  system::Vector dx_;
  double acceleration_size_ = 0.0;  ///< of the iterate, over the displacement scale
  double turn_rate_ = 0.0;          ///< largest angular velocity
  double floor_ = 0.0;              ///< what corrections cannot fall below; 0: not met yet
  bool magnified_ = false;          ///< by nearly singular equations
  system::Vector x_predicted_;
  system::Vector rates_;
  system::Vector rates_next_;
  Eigen::MatrixXd rate_tangent_;
  Eigen::PartialPivLU<Eigen::MatrixXd> state_factors_;
  system::Vector dz_;
  system::Vector state_change_;
  Statistics statistics_;
  std::vector<std::string> notes_;
  bool round_off_noted_ = false;
  system::Vector largest_state_;  ///< of each z since the start
};

}  // namespace trammel::integrators
