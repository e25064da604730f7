// Single-grid procedures: the trapezoidal and the midpoint rule by passes, with the treatments of
// constraints that the two-stage method is compared with [Chiou1990, sec. 5.2.2, 5.2.4, 5.3, 7.2,
// 7.3; the source prints no formulas].
//
//     trapezoidal   v_1 = v + r (a + a_1)     q_1 = q moved by r (v + v_1)     r = h/2
//     midpoint      v_m = v + r a_m           q_m = q moved by r v_m           then both by h
//
// A pass takes q and v of the one before (the first: v + h a), finds a and lambda there, and
// corrects q and v. Passes end when they change next to nothing; `passes: 1` takes one. With c the
// acceleration that q and v of the last pass came from, and v_h = v + r a, the rows are
//
//     penalty             G a_1 - eps/r^2 (lambda_1 - lambda - r lambda') = -(G v_h + g_t)/r
//     penalty-position    G a_1 - eps/r^2 (lambda_1 - lambda_0) = G c - g/r^2
//     baumgarte           G a_1 = -gamma - 2 alpha (G v_1 + g_t) - beta^2 g
//     baumgarte-implicit  (1 + 2 alpha r + beta^2 r^2) G a_1
//                             = -gamma - 2 alpha (G v_h + g_t) - beta^2 (g - r^2 G c)
//     algebraic-penalty   lambda_1 = g/eps
//     none                G a_1 = -gamma
//
// penalty-position ends with g = eps (lambda_1 - lambda_0), exactly. Nonholonomic rows have no g:
// penalties take A v + a, Baumgarte's alpha (A v + a). alpha = 1/h and beta = sqrt(2)/h by default
// (5.2.4.9): errors decay by exp((-1 +- i) t/h).
#pragma once

#include "trammel/constraint_handling/acceleration_constraint.h"
#include "trammel/constraint_handling/independent_rows.h"
#include "trammel/integrators/failure_advice.h"
#include "trammel/integrators/integrator.h"
#include "trammel/integrators/single_grid_options.h"

namespace trammel::integrators {

class SingleGrid final : public Integrator, public FailureAdvisor {
 public:
  SingleGrid(system::MechanicalSystem& system, SingleGridOptions options);

  void start(const system::Motion& motion) override;
  StepReport step(double h) override;
  system::MechanicalSystem& system() override { return system_; }
  const system::Motion& motion() const override { return now_; }
  const Statistics& statistics() const override { return statistics_; }
  const std::vector<std::string>& notes() const override { return notes_; }
  std::size_t memory_bytes() const override;
  FailureAdvice advice() const override;

 private:
  bool trapezoidal() const { return options_.rule == GridRule::trapezoidal; }
  double alpha() const {
    return options_.baumgarte_alpha > 0.0 ? options_.baumgarte_alpha : 1.0 / h_;
  }
  double beta_squared() const;
  void predict();
  void place();
  bool solve_pass();
  void set_feedback_rows(const system::Vector& velocity, double damping, double stiffness);
  bool solve_baumgarte();
  bool solve_algebraic();
  bool solve_position_penalty();
  Failure iterate(int& passes);
  bool finish();
  /// What a pass multiplies errors by through Baumgarte's feedback of the last one.
  double feedback() const;
  /// G x at the state of the pass.
  void multiply_rows(const system::Vector& x, system::Vector& rows);

  constraint_handling::IndependentRows rows_left_;
  system::MechanicalSystem& system_;
  SingleGridOptions options_;
  system::Sizes sizes_;
  constraint_handling::PenaltyStabilisation reactions_;
  system::Motion now_;   ///< t_n
  system::Motion pass_;  ///< t_{n+1}, or the middle
  double h_ = 0.0;
  double time_carry_ = 0.0;
  double asked_h_ = 0.0;         ///< the first one
  double asked_feedback_ = 0.0;  ///< feedback() with it
  double half_step_ = 0.0;       ///< that the penalty stands for
  system::Vector known_v_;       ///< v + r a, or v
  system::Vector came_from_;     ///< the acceleration that the place of the pass came from
  system::Vector lambda_rate_;   ///< lambda'
  system::Vector first_lambda_;  ///< lambda_0
  system::Vector base_lambda_;
  system::Vector x_;
  system::Vector last_q_;
  system::Vector last_v_;
  system::Vector rows_;
  system::Vector g_;
  system::Vector other_rows_;
  system::State probe_;
  system::Vector rates_;
  system::Vector next_rates_;
  Statistics statistics_;
  std::vector<std::string> notes_;
};

}  // namespace trammel::integrators
