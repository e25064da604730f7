// Explicit Runge-Kutta methods on the state equations, with adaptive or fixed steps.
//
// Every step has its origin at q_n, so that on rotations the method is one of Munthe-Kaas: the
// order is that of the table. Steps follow a PI controller [Gustafsson 1991; Hairer & Wanner 1996,
// sec. IV.2]: with the error e (1 at the tolerance) and order p of the error estimate
//
//     h_{n+1} = h_n min(10, max(0.2, 0.8 e_n^-(0.2 - 0.75 b) e_{n-1}^b)),   b = 0.04.
//
// A factor of 0.9 gives longer steps, of which more are refused: mechanisms turn, and what a step
// may be changes with every revolution. A step gets a quarter to the whole of the tolerance, by its
// share of the motion (StateEquations::share()).
//
// Between its ends a step is the polynomial u(s) of order 4 that belongs to the table. A step whose
// size is limited by stability shows h |df/dy| above the border of the stability region; that is
// said once.
//
// The estimate knows what the stages saw, and not all of that: the second stage has no weight in
// it. A free flight has no error at all, so that steps grow until they pass over a stop, perhaps
// unseen. So where the error is far below the tolerance, and the step might be of any length, its
// polynomial has to fulfil the equations in the widest gaps between the stages, too: the defect
// h (u' - f(u)) must not exceed the tolerance [Enright 1989].
#pragma once

#include <algorithm>
#include <vector>

#include "trammel/integrators/adaptive_integrator.h"
#include "trammel/integrators/runge_kutta_table.h"

namespace trammel::integrators {

class RungeKutta final : public AdaptiveIntegrator {
 public:
  /// A table without error estimate needs fixed steps.
  RungeKutta(system::MechanicalSystem& system,
             const RungeKuttaTable& table,
             AdaptiveOptions options);

  StepReport step(double h) override;
  int order() const override { return table_.order; }
  std::size_t memory_bytes() const override;

 protected:
  void restart() override;
  bool attempt(Failure& failure) override;
  void interpolate(double t, system::Vector& y) override;
  bool restarts_at(const system::TimeSwitch& next) const override { return next.jumps(); }
  void resume(double wanted) override { h_ = std::max(h_, wanted); }

 private:
  bool take(double h, Failure& failure);
  void accept(double h);
  /// h (u' - f(u)) at the share s of a step that was taken; 1 at the tolerance.
  double defect(double h, double s);
  bool fulfils_equations(double h, double error);
  void watch_stability(double h);

  const RungeKuttaTable& table_;
  std::vector<system::Vector> k_;  ///< rates of the stages, then of the end
  system::Vector stage_;           ///< y of the last stage
  system::Vector end_;             ///< y at the end of the step
  system::Vector begin_;           ///< y_n of the last accepted step, for its polynomial
  system::Motion reached_;         ///< at the end of the step
  system::Vector error_;
  system::Vector inside_;
  system::Vector defect_;
  double begin_time_ = 0.0;
  double last_error_ = 1e-4;
  bool rejected_ = false;
  double time_carry_ = 0.0;  ///< what rounding added to fixed steps
  int unstable_ = 0;
  int stable_ = 0;
};

}  // namespace trammel::integrators
