// The GSSSS family with steps of its own: local error control at index 3, 2 and 1.
//
// What a step of a method of second order gets wrong is measured against quadratures of third order
// over what it found itself. With accelerations a_{-1}, a_0, a_1 at the ends of the last step (of
// size h_0) and of this one,
//
//     d  = ((a_1 - a_0)/h - (a_0 - a_{-1})/h_0)/(h + h_0)
//     e_v = v_1 - v_0 - h (a_0 + a_1)/2 + h^3/6 d
//     e_x = x_1 - h/3 (2 v_0 + T(x_1)^-1 v_1) - h^2/6 a_0
//
// and likewise for first-order states and for the work, whatever the member: its error constants
// are those that its own results show. Where its accelerations may alternate from step to step,
// those of the equations take their place. Accelerations and multipliers have no history of errors
// that adds up: theirs are of second order at once, and that of the multipliers is about h^2/6 of
// their second difference.
//
// Errors of a method of second order add up: thousands of steps make thousands of them. A step is
// therefore accepted when its error is below its share of the tolerance,
//
//     |e_x|, |e_v|, |e_z|, |e_w| <= min(1, h u/8),     |e_lambda| <= 1        (1: the tolerance)
//
// with u the fastest motion so far, in model sizes (or radians) per second: a mechanism that moves
// by eight times its own size gets there with an error of about the tolerance (errors of velocities
// grow into ones of positions on the way). Each group counts for itself,
// so that stiff reactions of index 3 are not judged by the size of displacements. At index 3
// velocities miss G v + g_t = 0 by O(h^2) at every step anew: what the constraints forbid of e_v
// counts like the error of the multipliers. The next step
// follows a PI controller of order 2 and stays as it is where it would hardly grow: a new size
// costs new factors, and the two trial steps of undamped members (gssss.h).
//
// a_n belongs to t_n - shift h. Where h changes it is moved along the line through a_{n-1} and a_n,
// which keeps the second order (Gssss::change_step). Between its ends a step is the cubic of its
// positions and velocities, brought onto the constraints where the method keeps them there.
#pragma once

#include "trammel/integrators/adaptive_integrator.h"
#include "trammel/integrators/gssss.h"

namespace trammel::integrators {

class AdaptiveGssss final : public AdaptiveIntegrator {
 public:
  /// Throws InputError as Gssss does. `control` has tolerances and limits of steps.
  AdaptiveGssss(system::MechanicalSystem& system,
                const GssssOptions& options,
                AdaptiveOptions control);

  int order() const override { return 2; }
  bool damps() const override { return method_.damps(); }
  std::size_t memory_bytes() const override;
  const std::vector<std::string>& notes() const override;

 protected:
  void restart() override;
  bool attempt(Failure& failure) override;
  void interpolate(double t, system::Vector& y) override;
  bool look_between(double t) override;
  void resume(double wanted) override { h_ = std::max(h_, wanted); }
  long evaluations() const override { return method_.statistics().residual_evaluations; }
  long factorisations() const override { return method_.statistics().factorisations; }

 private:
  /// y and y' of a motion that the method reached, about the origin.
  void describe(const system::Motion& motion, system::Vector& y, system::Vector& rates);
  /// Of a step that was taken; 1 at its share of the tolerance.
  double measure(double h);
  double multiplier_error(double h) const;
  double forbidden_error();
  void take_back();
  void refuse(double factor);
  void accept(double h);
  void choose_next(double h, double error);

  Gssss method_;
  bool velocities_free_;   ///< to miss their constraints
  bool alternates_;        ///< accelerations may: those of the equations serve the estimate
  double last_h_ = 0.0;    ///< 0 before the first step
  system::Vector begin_;   ///< y at the start of the last step
  system::Vector end_;     ///< y at its end
  system::Vector before_;  ///< y' a step before its start
  system::Vector rates_begin_;
  system::Vector rates_end_;
  system::Vector lambda_before_;
  system::Vector lambda_begin_;
  system::Vector error_;
  system::Vector forbidden_;
  system::Vector x_;  ///< scratch
  system::Vector dx_;
  system::Vector state_rates_;
  double largest_multiplier_ = 0.0;  ///< so far, or load at a start
  double last_error_ = 1.0;
  bool rejected_ = false;
  int refusals_ = 0;  ///< of the present step, one after the other
  static constexpr int deaf_steps = 10;
  int deaf_ = 0;  ///< steps in which multipliers do not count
};

}  // namespace trammel::integrators
