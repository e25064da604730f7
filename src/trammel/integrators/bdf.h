// Backward differentiation formulas of orders 1 to 5 with variable steps, in the form with fixed
// leading coefficient, for stiff systems [Gear 1971; Brenan, Campbell & Petzold 1996, ch. 5].
//
// With y = (x, v, z) in canonical coordinates (state_equations.h), the polynomial through the last
// k + 1 values predicts y* and y*' at t_{n+1}, and a step finds
//
//     y' = y*' + (y - y*)/c,   c = h / (1 + 1/2 + ... + 1/k)
//
//     x' = T(x)^-1 v
//     M v' + G^T lambda = f(t, q, v, z)
//     G v + g_t = 0                        index 2; nonholonomic rows A v + a = 0
//     z' = s(t, q, v, z)
//
// and then brings positions and velocities onto their constraints, which is the index reduction of
// Gear, Gupta and Leimkuhler with the correction of positions made after the step. Newton's matrix
//
//     [M + c dr/dv + c^2 dr/dq   G^T; G  0]   for (dv, c dlambda)
//
// is kept while it converges. The work w follows from y* in the same way, explicitly, since nothing
// depends on it. The error is that of y - y*, w included; orders k-1, k-2 and k+1 are estimated
// from the differences. Accelerations are the v' of the formula, so that fast oscillations that the
// steps pass over do not show in them.
#pragma once

#include "trammel/core/dense_factors.h"
#include "trammel/integrators/adaptive_integrator.h"
#include "trammel/integrators/modified_differences.h"
#include "trammel/integrators/position_history.h"

namespace trammel::integrators {

/// Newton's matrix with its factors; as a metric it knows the stiffness of the step.
class NewtonMatrix final : public system::LeastChange {
 public:
  NewtonMatrix(system::MechanicalSystem& system, const std::string& solver);

  /// False when it cannot be factored.
  bool renew(const system::Motion& motion, double c);
  void forget() { c_ = 0.0; }
  /// Was it made for (nearly) this c?
  bool serves(double c) const;
  void solve(const system::Vector& right_side, system::Vector& solution);
  void constrain(const system::Vector& residual, system::Vector& x) override;
  long factorisations() const { return factorisations_; }
  std::size_t memory_bytes() const;

 private:
  system::MechanicalSystem& system_;
  std::unique_ptr<linear::KktSolver> solver_;
  system::KktMatrix matrix_;
  linear::RefinedSolve refined_;
  system::Vector right_side_;
  system::Vector solution_;
  system::Vector product_;
  double c_ = 0.0;
  long factorisations_ = 0;
};

class Bdf final : public AdaptiveIntegrator {
 public:
  Bdf(system::MechanicalSystem& system, AdaptiveOptions options);

  static constexpr int highest_order = 5;
  int order() const override { return options_.most_order; }
  std::size_t memory_bytes() const override;
  bool damps() const override { return true; }

 protected:
  void step_was_changed() override { equal_steps_ = 0; }
  void restart() override;
  bool attempt(Failure& failure) override;
  void interpolate(double t, system::Vector& y) override;
  bool look_between(double t) override;
  long evaluations() const override { return evaluations_; }
  long factorisations() const override { return matrix_.factorisations(); }

 private:
  using Coefficients = std::array<double, highest_order + 2>;

  /// Errors that steps of neighbouring orders would have had.
  struct Estimates {
    double lower = 0.0;
    double same = 0.0;
    double energy = 0.0;        ///< of the balance of energy
    bool lower_serves = false;  ///< the motion alone
    bool lower_pays = false;
  };

  // The step (bdf.cpp).
  void place_start();
  void predict();
  Estimates estimate();
  void reject(const Estimates& estimates);
  void shorten();
  bool accept(Failure& failure);
  void add_work();
  void choose_next(const Estimates& estimates, double higher);
  double estimate_higher();
  void move_origin();
  void regroup_multipliers();

  // Newton's iteration (bdf_newton.cpp).
  Failure solve();
  void predict_multipliers();
  Failure iterate();
  double correct();
  void set_iterate();
  void measure_multipliers();
  void measure_lack();
  void correct_states();

  NewtonMatrix matrix_;
  ModifiedDifferences differences_;  ///< of y
  ModifiedDifferences multipliers_;
  PositionHistory history_;
  std::vector<system::Vector> rebuilt_;  ///< scratch of move_origin()
  Coefficients sigma_{};
  Coefficients alpha_{};
  double error_constant_ = 0.0;
  double c_ = 0.0;
  int order_ = 1;
  int step_order_ = 0;   ///< of the last accepted step; 0 before the first
  int equal_steps_ = 0;  ///< of the present size
  int failures_ = 0;     ///< in a row
  bool starting_ = true;
  bool raised_ = false;   ///< the last step had a higher order than the one before it
  bool refused_ = false;  ///< a longer step, for its error, not long ago
  double rate_ = 1.0;     ///< of Newton's convergence
  double multiplier_rate_ = 1.0;
  double multiplier_change_ = 0.0;  ///< by the last correction, over their scale
  double multiplier_scale_ = 0.0;   ///< the largest so far
  double lack_ = 0.0;               ///< of energy before the last correction, 1 at the tolerance
  long evaluations_ = 0;

  system::Motion level_;       ///< the iterate at t_{n+1}
  system::Vector iterate_;     ///< y
  system::Vector predicted_;   ///< y*
  system::Vector slope_;       ///< y*'
  system::Vector difference_;  ///< y - y*
  system::Vector delta_;
  system::Vector residual_;
  system::Vector rows_;
  system::Vector right_side_;
  system::Vector solution_;
  system::Vector x_;
  system::Vector dx_;
  system::Vector rates_;
  Eigen::MatrixXd rate_tangent_;
  Eigen::PartialPivLU<Eigen::MatrixXd> state_factors_;
};

}  // namespace trammel::integrators
