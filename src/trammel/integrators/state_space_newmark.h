// Newmark's rule, or another one of its form, on the independent accelerations [Haug1997, sec. 3].
//
//     P x = P x~ + b s,   P v = P v~ + g s,   s = P a at t_{n+1}
//
//     newmark         b = beta h^2, g = gamma h
//                     x~ = h v_n + h^2 (1/2 - beta) a_n,  v~ = v_n + h (1 - gamma) a_n
//     backward-euler  b = h^2, g = h, x~ = h v_n, v~ = v_n
//
// Only these enter: a rule is two factors and two predictors. Newton's iteration on
// Psi(s) = 0 (state_space_form.h) has the exact Jacobian (state_space_tangent.h); positions,
// velocities and accelerations satisfy the constraints at every iterate. On rotations x are
// canonical coordinates about q_n and v, a components in body axes, as in gssss.h: of second order.
//
// First-order states, and coordinates K whose velocity alone is constrained, follow
// z = z_n + h ((1 - theta) z'_n + theta z'), theta = gamma (1 for backward-euler), solved within
// each iterate.
//
// Ended: |Psi| <= newton_tolerance times the largest load; or what corrections leave is below
// newton_tolerance of the accelerations; or they are lost in the round-off of positions.
#pragma once

#include "trammel/integrators/state_space_integrator.h"
#include "trammel/integrators/state_space_tangent.h"

namespace trammel::integrators {

class StateSpaceNewmark final : public StateSpaceIntegrator {
 public:
  StateSpaceNewmark(system::MechanicalSystem& system, StateSpaceOptions options);

  int order() const override;
  bool damps() const override { return order() == 1; }
  /// |Psi| over the largest load at the iterates of the last step, first one first.
  const std::vector<double>& residuals() const { return residuals_; }

 private:
  struct Rule {
    RuleWeights weights;
    double position_share = 0.0;  ///< of h^2 a_n in x~
    double velocity_share = 0.0;  ///< of h a_n in v~
    double theta = 0.5;
  };

  void begin() override;
  Failure advance(double t, double h, int& iterations) override;
  void set_rule(double h);
  Failure predict(double t, double h);
  /// Everything at s_.
  Failure evaluate(double t, double h);
  Failure set_state(double t, double h);
  bool solve_states(double h);
  /// Whether nothing is left to do; `size` is that of the last correction, `last` of the one
  /// before.
  bool arrived(int iterations, double h, double size, double last);

  StateSpaceTangent tangent_;
  Rule rule_;
  system::Vector s_;
  system::Vector psi_;
  system::Vector ds_;
  system::Vector x_known_;  ///< P x~
  system::Vector v_known_;  ///< P v~
  system::Vector carried_known_;
  system::Vector p_;
  system::Vector p_rate_;
  system::Vector x_;
  system::Vector scratch_;
  system::Vector rates_;  ///< z'_n
  system::Vector state_rates_;
  system::Vector state_change_;
  Eigen::MatrixXd rate_tangent_;
  Eigen::PartialPivLU<Eigen::MatrixXd> state_factors_;
  Eigen::PartialPivLU<Eigen::MatrixXd> factors_;
  std::vector<double> residuals_;
};

}  // namespace trammel::integrators
