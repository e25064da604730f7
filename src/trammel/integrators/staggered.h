// The two-stage staggered explicit-implicit method [Chiou1990, sec. 5.5.2 to 5.5.6].
//
// Central differences need no iteration, but have velocities at half steps only, and accelerations
// that depend on velocities do not know them where they are wanted. So everything is carried at
// every half station, on two grids that feed each other:
//
//     v_{n+1/2} = v_{n-1/2} + h a_n         q_{n+1/2} = q_{n-1/2} moved by h v_n         a_{n+1/2}
//     v_{n+1}   = v_n + h a_{n+1/2}         q_{n+1}   = q_n moved by h v_{n+1/2}         a_{n+1}
//
// Euler parameters follow the implicit midpoint rule, in closed form and with |e| = 1 to round-off
// (5.5.4.6, corrected),
//
//     e_{n+1} = ((1 - s^2) e_n + h/2 Omega(w) e_n)/(1 + s^2),     s = h |w|/4,
//
// and lambda and a of each station come from those of the station before by penalty constraint
// stabilisation (constraint_handling/penalty_stabilisation.h), at full stations as well as at half
// ones: only the velocities of the grid that is solved for stay on their constraints. Systems
// without constraints need the masses of their bodies only, no matrix.
//
// **Start.** With y = (q, v), y' = f(y) and r = h/2 the grids are y_{k+1} = y_{k-1} + 2 r f(y_k),
// whose smooth solution is y_{1/2} = r f + sqrt(1 + r^2 f'^2) y_0. The first half station is
//
//     y_{1/2} = y + r f + (r f')^2 y/2 - (r f')^4 y/2:
//     q_{1/2} = q_0 moved by r v_0 + r^2/2 (a_0 - b),   v_{1/2} = v_0 + r a_0 + r^2/2 j - r/2 c
//     j = [a(q_0 + r v_0, v_0 + r a_0) - a_0]/r         the jerk
//     b = a(q_0 + r^2 a_0, v_0 + r^2 j) - a_0,   c = a(q_0 + r^3 j, v_0 + r b) - a_0
//
// For an oscillation, r f' = i x, it is y_{1/2} = (1 - x^2/2 - x^4/2 + i x) y_0, never more than
// the smooth solution sqrt(1 - x^2) + i x: however often half stations are made anew, no
// oscillation with x = h w/2 <= 1 grows, and one that the step resolves loses 3/8 x^4 of its
// amplitude at most. Where there are constraints the jerk is taken on the curved way
// q_0 + r v_0 + r^2/2 a_0, and r/4 b, what that adds to v_{1/2} of an oscillation, is taken off.
//
// The grids keep the velocity constraints for the mean of two velocities of one grid; the smooth
// solution of that has G v + g_t = -r^2/2 G j at every station. Any other value alternates from
// step to step for ever, which costs lambda an order. So the least change (in the mass metric) puts
// v_0 and v_{1/2} there.
//
// **Two grids come apart** where something dissipates: for v' = -c v the mean of both decays and
// their difference grows, both by exp(c t); and where motions are chaotic, as fast as these. Every
// K steps the half stations are therefore rebuilt from the full ones by the formulas of the start.
// [The source knows no remedy, nor the need.]
//
// **Steps** are stable for h w <= 2 with the fastest oscillation w, for less with dampers
// (longest_stable_step), and for h |w| <= 2 of every angular velocity [(5.5.2.44) prints 2 sqrt(2),
// which does not hold]. Both are watched.
#pragma once

#include <optional>

#include "trammel/constraint_handling/independent_rows.h"
#include "trammel/constraint_handling/kkt_dynamics.h"
#include "trammel/integrators/integrator.h"
#include "trammel/integrators/staggered_options.h"
#include "trammel/integrators/step_limit.h"
#include "trammel/system/freedom_parts.h"
#include "trammel/system/operators.h"

namespace trammel::integrators {

/// q moved by h v: numbers by h v, Euler parameters by the implicit midpoint rule in closed form.
/// Without parts: by retract(). `moved` may be `q`; `scratch` keeps its memory between calls.
void move_by_parts(const system::MechanicalSystem& system,
                   std::span<const system::FreedomPart> parts,
                   const system::Vector& q,
                   const system::Vector& v,
                   double h,
                   system::Vector& scratch,
                   system::Vector& moved);

/// The longest step for which oscillations up to a frequency (rad/s), with dampers that make
/// motions decay with a rate (1/s), do not grow when half stations are rebuilt every so many steps;
/// 0: never.
double longest_stable_step(double frequency, double decay, int resynchronise);

class Staggered final : public Integrator {
 public:
  Staggered(system::MechanicalSystem& system, StaggeredOptions options);

  void start(const system::Motion& motion) override;
  StepReport step(double h) override;
  system::MechanicalSystem& system() override { return system_; }
  const system::Motion& motion() const override { return now_; }
  const Statistics& statistics() const override { return statistics_; }
  const std::vector<std::string>& notes() const override { return notes_; }
  std::size_t memory_bytes() const override;
  double longest_step() const override { return longest_step_; }

  /// The motion at the last half station, half a step before motion().
  const system::Motion& half_station() const { return half_; }
  /// How often half stations were rebuilt since the first start.
  long resynchronisations() const { return resynchronisations_; }

 private:
  bool constrained() const { return sizes_.multipliers() > 0; }
  bool find_accelerations(system::Motion& motion);
  bool solve_station(const system::Motion& before, system::Motion& motion);
  bool solve_full_station();
  bool free_accelerations(system::Motion& motion);
  bool advance(double h, const system::Motion& middle, system::Motion& motion);
  void move(const system::Vector& q, const system::Vector& v, double h, system::Vector& moved) {
    move_by_parts(system_, parts_, q, v, h, x_, moved);
  }
  void set_rates(const system::Motion& motion, system::Vector& rates);
  bool next_half_station(double h);
  bool synchronise(double h);
  bool balance(system::State& state);
  bool change_of_acceleration(const system::Vector& velocity,
                              double dt,
                              double dv,
                              const system::Vector& of_velocity,
                              system::Vector& change);
  int period() const;
  bool rebuilding_due() const;
  bool within_limit(double h);
  void look_at_limit(double h);
  void set_force_limit(double h);
  void tell_rebuilding();
  double fastest_rotation() const;
  void accept(double h, StepReport& report);
  void tell_penalty();

  constraint_handling::IndependentRows rows_left_;  ///< the system without redundant rows
  system::MechanicalSystem& system_;                ///< the same
  StaggeredOptions options_;
  system::Sizes sizes_;
  std::span<const system::FreedomPart> parts_;
  system::Operators* operators_ = nullptr;  ///< where masses are those of bodies and nothing holds
  system::ForwardDynamics* recursion_ = nullptr;  ///< else, where there are no constraints
  std::unique_ptr<constraint_handling::PenaltyStabilisation> reactions_;  ///< else
  std::optional<StepLimit> limit_;

  system::Motion now_;   ///< t_n
  system::Motion half_;  ///< half a step before, or after it within a step
  system::Motion next_;
  double h_ = 0.0;  ///< the grids stand for this one; 0: there is no half station
  bool fresh_ = true;
  double time_carry_ = 0.0;
  int since_rebuilt_ = 0;
  int since_look_ = 0;
  bool look_due_ = true;
  bool dissipates_ = false;
  double force_limit_ = 0.0;  ///< longest step that springs and dampers allow, s
  double longest_step_ = 0.0;
  long resynchronisations_ = 0;
  long evaluations_ = 0;

  system::Vector x_;
  system::Vector f_;
  system::Vector rates_;
  system::Vector last_rates_;
  system::Vector jerk_;
  system::Vector rows_;
  system::Vector rows_of_jerk_;
  system::State probe_;
  system::Vector second_change_;  ///< b of the start
  system::Vector fourth_change_;  ///< c of the start
  system::Vector mean_velocity_;
  Statistics statistics_;
  std::vector<std::string> notes_;
  double told_violation_ = 0.0;
  int penalty_note_ = -1;
  bool near_limit_told_ = false;
  bool rebuilding_told_ = false;
};

}  // namespace trammel::integrators
