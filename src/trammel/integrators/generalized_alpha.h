// Generalized-alpha at index 3 on manifolds [Chung & Hulbert 1993; Bruls & Cardona 2010; Arnold &
// Bruls 2007].
//
//     q_{n+1} = move(q_n, x),   x = h v_n + h^2 (1/2 - beta) a_n + h^2 beta a_{n+1}
//     v_{n+1} = v_n + h (1 - gamma) a_n + h gamma a_{n+1}
//     (1 - alpha_m) a_{n+1} + alpha_m a_n = (1 - alpha_f) v'_{n+1} + alpha_f v'_n
//     M v'_{n+1} + G^T lambda_{n+1} = f_{n+1},   g(q_{n+1}) = 0,   A v_{n+1} + a = 0
//
// The algorithmic acceleration a_n belongs to the time t_n + (alpha_m - alpha_f) h. All parameters
// follow from the spectral radius rho at infinite frequency:
//     alpha_m = (2 rho - 1)/(rho + 1),  alpha_f = rho/(rho + 1),
//     gamma = 1/2 + alpha_f - alpha_m,  beta = (gamma + 1/2)^2 / 4.
// First-order states follow the trapezoidal rule.
//
// Newton's unknowns are the displacement and s lambda, s = beta h^2 (1 - alpha_f)/(1 - alpha_m), so
// that the matrix tends to [M G^T; G 0] and its condition does not degrade as h -> 0. By default
// the tangent's symmetric part is used; when it converges slowly the full tangent takes over. After
// a failed step velocities, accelerations and multipliers are made consistent again, so that
// oscillations of the algorithm do not live on in the smaller steps.
#pragma once

#include "trammel/integrators/integrator.h"
#include "trammel/integrators/newton_control.h"

namespace trammel::integrators {

struct GeneralizedAlphaOptions {
  double spectral_radius = 0.6;  ///< rho in [0, 1]; 1 keeps energy, 0 annihilates high frequencies
  /// Newton's tolerance: error of a step's displacement relative to h^2 times acceleration.
  double newton_tolerance = 1e-8;
  int most_iterations = 20;
  /// A step is rejected when its displacement differs by more than this (in rad or model sizes)
  /// from the one extrapolated from the last two steps: the motion is not resolved. Zero: never.
  double resolution = 0.1;
  /// Linear solver by name; "auto" takes block-ldlt and switches to klu where it converges slowly.
  std::string solver = "auto";
};

class GeneralizedAlpha final : public Integrator {
 public:
  /// Throws InputError when the options are out of range or the solver is unknown.
  GeneralizedAlpha(system::MechanicalSystem& system, GeneralizedAlphaOptions options);

  void start(const system::Motion& motion) override;
  StepReport step(double h) override;
  const system::Motion& motion() const override { return now_; }
  const Statistics& statistics() const override { return statistics_; }
  const std::vector<std::string>& notes() const override { return notes_; }
  std::size_t memory_bytes() const override;

 private:
  void change_step(double h);
  void predict();
  void set_from_displacement();
  bool renew_tangent();
  Failure tangent_failure() const;
  Failure iterate(int& iterations);
  double correct();
  double correct_states();
  void remove_undetermined_multipliers();
  double tolerance() const;
  bool full_tangent_helps() const;
  void use_full_tangent();
  void accept();
  void restart();
  double prediction_error();
  void judge_tangent(bool fresh, int iterations);

  system::MechanicalSystem& system_;
  GeneralizedAlphaOptions options_;
  system::Sizes sizes_;
  double alpha_m_;
  double alpha_f_;
  double gamma_;
  double beta_;

  std::unique_ptr<linear::KktSolver> solver_;
  system::KktMatrix matrix_;
  bool tangent_valid_ = false;
  bool tangent_fresh_ = false;
  bool redundant_ = false;    ///< the last factorisation met dependent constraint rows
  int fresh_iterations_ = 0;  ///< of the last step that began with a new tangent
  int renewals_due_ = 0;      ///< steps to begin with a new tangent, as keeping it did not pay
  double factored_step_ = 0.0;
  NewtonControl control_;
  linear::RefinedSolve refined_;

  double h_ = 0.0;
  double time_carry_ = 0.0;  ///< what rounding added to t_n
  double next_time_carry_ = 0.0;
  double last_h_ = 0.0;      ///< size of the last accepted step, 0 before the first
  system::Motion now_;       ///< t_n, with true accelerations
  system::Motion next_;      ///< the iterate for t_{n+1}
  system::Vector alg_;       ///< a_n
  system::Vector alg_next_;  ///< a_{n+1}
  system::Vector alg_last_;  ///< a_{n-1}
  system::Vector x_;         ///< displacement
  system::Vector x_free_;    ///< h v_n + h^2 (1/2 - beta) a_n
  system::Vector inverse_scale_;
  system::Vector residual_;
  system::Vector constraint_;
  system::Vector right_side_;
  system::Vector solution_;
  system::Vector product_;
  system::Vector dx_;
  system::Vector x_predicted_;
  system::Vector rates_;
  system::Vector rates_next_;
  Eigen::MatrixXd rate_tangent_;
  Statistics statistics_;
  std::vector<std::string> notes_;
};

}  // namespace trammel::integrators
