// Radau IIA of order 5 for constrained systems: three implicit stages, L-stable, for sharp
// tolerances on stiff models [Hairer & Wanner 1996, sec. IV.8, VII.4; Hairer, Lubich & Roche 1989].
//
// With the nodes c_i, the matrix A of the method and increments V_i of the velocities, the stages
// at t_n + c_i h are
//
//     v_i = v_n + V_i,    v'_i = 1/h sum_j (A^-1)_ij V_j
//     x_i = h sum_j a_ij T(x_j)^-1 v_j,    q_i = retract(q_n, x_i)
//     M v'_i + G^T lambda_i = f(t_i, q_i, v_i, z_i)
//     G v_i + g_t = 0                          index 2; nonholonomic rows A v + a = 0
//     z_i = z_n + h sum_j a_ij s(t_j, q_j, v_j, z_j)
//
// The last stage is the end of the step. Velocities and positions are of order 5, multipliers of
// order 3. What the index 2 leaves of the positions' constraints is removed by a projection of the
// end, along the least change in the metric of Newton's matrix (the stabilised form of index 2, as
// in bdf.h).
//
// Simplified Newton: with the eigenvalues 1/g of A^-1, one real and a pair, the equations of
// all three stages fall apart into
//
//     [M + c D + c^2 K   G^T; G  0]    with c = h g, once real and once complex,
//
// D = dr/dv, K = dr/dq. M, D and K are evaluated at the start of a step and kept while they
// converge; another h needs new factors only. First-order states are iterated beside the motion.
//
// The error is that of an embedded formula of order 3, filtered by the real matrix so that stiff
// components do not spoil it,
//
//     (1 - c J) e = c (y'_n + 1/h sum_i d_i Y_i),    d = (-13 - 7 sqrt(6), -13 + 7 sqrt(6), -1)/3
//
// and a second time where a first or repeated step would be refused. Between its ends a step is
// the polynomial of the stages; accelerations are its derivative. The work follows by the
// quadrature of the stages.
#pragma once

#include <array>
#include <complex>

#include "trammel/core/dense_factors.h"
#include "trammel/integrators/adaptive_integrator.h"
#include "trammel/linear/klu_factors.h"

namespace trammel::integrators {

/// M, D and K at one motion, and the factors of M + c D + c^2 K for a real and a complex c. As a
/// metric it knows the stiffness of the step.
class RadauMatrices final : public system::LeastChange {
 public:
  RadauMatrices(system::MechanicalSystem& system, const std::string& solver);

  void evaluate(const system::Motion& motion);
  /// False when one of the matrices is singular.
  bool factor(double real, std::complex<double> pair);
  void forget() { evaluated_ = false; }
  bool evaluated() const { return evaluated_; }
  void solve(const system::Vector& right_side, system::Vector& solution);
  void solve(linear::ComplexVector& x);
  void constrain(const system::Vector& residual, system::Vector& x) override;
  /// y = K x, of the velocities.
  void stiffness_times(const system::Vector& x, system::Vector& y);
  long factorisations() const { return factorisations_; }
  std::size_t memory_bytes() const;

 private:
  system::MechanicalSystem& system_;
  std::unique_ptr<linear::KktSolver> solver_;
  linear::KluFactors<std::complex<double>> complex_solver_;
  std::vector<bool> of_velocities_;  ///< entries that are not those of G
  system::KktMatrix mass_;
  system::KktMatrix damping_;
  system::KktMatrix stiffness_;
  system::KktMatrix real_;
  std::vector<std::complex<double>> complex_;
  linear::RefinedSolve refined_;
  system::Vector full_;
  system::Vector product_;
  system::Vector right_side_;
  system::Vector solution_;
  bool evaluated_ = false;
  long factorisations_ = 0;
};

class Radau final : public AdaptiveIntegrator {
 public:
  Radau(system::MechanicalSystem& system, AdaptiveOptions options);

  int order() const override { return 5; }
  std::size_t memory_bytes() const override;
  bool damps() const override { return true; }

  static constexpr std::size_t stages = 3;
  static constexpr int careful_steps = 5;  ///< after Newton's iteration failed

 protected:
  void restart() override;
  bool attempt(Failure& failure) override;
  void interpolate(double t, system::Vector& y) override;
  bool look_between(double t) override;
  void resume(double wanted) override;
  long evaluations() const override { return evaluations_; }
  long factorisations() const override { return matrices_.factorisations(); }

 private:
  // The step (radau.cpp).
  void begin_step();
  double estimate_error();
  double filtered_error();
  void add_work();
  bool accept(Failure& failure);
  void choose_next(double h, double error);
  void shorten(double factor);

  // Newton's iteration (radau_newton.cpp).
  Failure solve();
  void predict();
  void set_stages();
  bool renew_factors();
  Failure iterate();
  double correct();
  void residuals();
  void correct_real();
  void correct_pair();
  void correct_states();
  double change_of_stages();

  RadauMatrices matrices_;
  double factored_h_ = 0.0;  ///< 0: none
  bool fresh_ = false;       ///< M, D and K are those of this step's start
  long evaluations_ = 0;
  int newton_iterations_ = 0;  ///< of the last step
  double rate_ = 1.0;          ///< of Newton's convergence
  double multiplier_rate_ = 1.0;
  double multiplier_change_ = 0.0;  ///< by the last correction, over their scale
  double multiplier_scale_ = 0.0;   ///< the largest so far

  std::array<system::Vector, stages> y_stage_;   ///< y of each stage less y_n
  std::array<system::Vector, stages> y_before_;  ///< the same before a correction
  std::array<system::Vector, stages> last_;      ///< the same of the last accepted step
  std::array<system::Motion, stages> level_;     ///< the stages
  std::array<system::Vector, stages> last_lambda_;
  std::array<system::Vector, stages> residual_;
  std::array<system::Vector, stages> rows_;
  std::array<system::Vector, stages> powers_;
  std::array<system::Vector, stages> rates_;  ///< of x, scratch
  double last_h_ = 0.0;                       ///< 0: no step to extrapolate from
  system::Motion base_;                       ///< t_n, multipliers as they were computed
  system::Motion probe_;                      ///< where the error is estimated
  system::Vector begin_;                      ///< y at the start of the last step
  system::Vector iterate_;
  system::Vector error_;
  system::Vector delta_;
  system::Vector x_;
  system::Vector dx_;
  system::Vector sum_;
  system::Vector constraint_;
  system::Vector right_side_;
  system::Vector solution_;
  linear::ComplexVector pair_;
  system::Vector state_rates_;
  system::Vector state_right_side_;
  system::Vector state_solution_;
  Eigen::MatrixXd rate_tangent_;
  Eigen::MatrixXd stage_tangent_;
  Eigen::PartialPivLU<Eigen::MatrixXd> stage_factors_;  ///< of the states of all stages
  Eigen::PartialPivLU<Eigen::MatrixXd> state_factors_;  ///< of those of the error
  double accepted_h_ = 0.0;
  double accepted_error_ = 1e-2;
  bool rejected_ = false;
  int careful_ = 0;  ///< steps that grow but little
  bool first_ = true;
};

}  // namespace trammel::integrators
