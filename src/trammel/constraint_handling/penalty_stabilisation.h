// Penalty constraint stabilisation: multipliers with an equation of their own
// [Chiou1990, sec. 5.3; ParkChiou1987, sec. 4].
//
// The penalty relation eps lambda = g would make the motion stiff. Its rate does not:
//
//     eps lambda' = G v + g_t                      holonomic rows, (5.3.7)
//     eps lambda' = A v' + gamma                   nonholonomic rows, (5.3.5)
//
// and by the midpoint rule over half a step, rho = h/2 from the station s, with G, f, g_t at the
// end of it,
//
//     [ M   G^T          ] [ a      ]   [ f                                        ]
//     [ G  -eps/rho^2    ] [ lambda ] = [ -eps/rho^2 lambda_s - (G v_s + g_t)/rho  ]     (5.5.5.2)
//
// for nonholonomic rows either the same (A v_s + a in the place of G v_s + g_t), or with the
// acceleration constraint, -eps/rho in the place of -eps/rho^2 and -gamma in that of the
// velocities. Errors of row combinations decay each with their own rate, rho sigma_k(G M^-1
// G^T)/eps. The matrix is quasi-definite: it can be solved whatever the rank of G.
//
// eps has the unit of g over lambda. Chosen automatically it is eps_i = 1e-8 rho^2 S_i (1e-8 rho
// S_i with the acceleration constraint), where S_i = sum_j G_ij^2/M_jj is the size of the row's own
// part of G M^-1 G^T: the constraint decides, not the penalty, in whatever units. Constraints are
// violated by eps |lambda - lambda_0| on its account, which is kept count of.
#pragma once

#include <memory>

#include "trammel/constraint_handling/loaded_solve.h"

namespace trammel::constraint_handling {

/// How velocity constraints enter.
enum class NonholonomicRows { velocity, acceleration };

struct PenaltyOptions {
  double epsilon = 0.0;  ///< of all rows; 0: chosen for each
  /// All rows as velocity constraints whose rate is used, eps lambda' = G v' + gamma
  /// [ParkChiou1987, eq. 4.5].
  bool rates_of_velocities = false;
  NonholonomicRows nonholonomic = NonholonomicRows::velocity;
};

class PenaltyStabilisation {
 public:
  PenaltyStabilisation(system::MechanicalSystem& system,
                       std::unique_ptr<linear::KktSolver> solver,
                       PenaltyOptions options);

  /// A run begins, or goes on from another motion: the violation is counted from its multipliers.
  void begin(const system::Vector& lambda) { first_lambda_ = lambda; }
  /// For half steps of this size from now on. An automatic epsilon is that of the next state.
  void set_half_step(double rho);

  /// a and lambda of the motion's state, half a step after a station with these. False where there
  /// is no finite answer.
  bool solve(const system::Vector& velocity, const system::Vector& lambda, system::Motion& motion);
  /// The same with other rows: G a - eps/rho^2 (lambda - lambda_s) = -rows.
  bool solve_penalty(const system::Vector& rows,
                     const system::Vector& lambda,
                     system::Motion& motion);
  /// M a + G^T lambda = f, G a = -rows.
  bool solve_rows(const system::Vector& rows, system::Motion& motion);
  /// a and lambda at acceleration level: M a + G^T lambda = f, G a + gamma = 0.
  bool solve_accelerations(system::Motion& motion);
  /// a of the multipliers that the motion has: M a = f - G^T lambda.
  bool solve_with_multipliers(system::Motion& motion);
  /// M and G of a state for constrain().
  bool factor(const system::State& state);
  /// Least x in the mass metric with G x = -residual, for the matrices last factored.
  void constrain(const system::Vector& residual, system::Vector& x);
  /// x with M x + G^T mu = r, G x = 0, likewise.
  void accelerate(const system::Vector& r, system::Vector& x);

  /// eps of each row, chosen with the first solution after set_half_step().
  const system::Vector& epsilon() const { return epsilon_; }
  /// The largest eps |lambda - lambda_0| so far: m, rad or m/s.
  double violation() const { return violation_; }
  double least_epsilon() const;
  double largest_epsilon() const;
  /// eps over what rho^2 S_i would make of it: above some 0.05 the penalty softens the constraint.
  double softness() const { return softness_; }
  long factorisations() const { return factorisations_; }
  std::size_t memory_bytes() const;

 private:
  double& diagonal(int row);
  bool factor_with(const system::State& state, bool penalty);
  void choose_epsilon();
  bool finish(system::Motion& motion);

  system::MechanicalSystem& system_;
  system::Sizes sizes_;
  PenaltyOptions options_;
  std::unique_ptr<linear::KktSolver> solver_;
  system::KktMatrix matrix_;
  linear::RefinedSolve refined_;
  LoadedSolve loaded_;
  /// 1 for rows that take the rate of velocities, else rho.
  void set_row_steps();

  double rho_ = 0.0;
  bool chosen_ = false;
  system::Vector epsilon_;
  system::Vector shift_;    ///< eps/rho^2 or eps/rho
  system::Vector applied_;  ///< the same, 0 for rows that are open at present
  system::Vector row_size_;
  system::Vector row_step_;
  system::Vector first_lambda_;
  system::Vector f_;
  system::Vector rows_;
  system::Vector gamma_;
  system::Vector right_side_;
  system::Vector solution_;
  system::State base_;       ///< the state with the velocity of the station before
  system::Motion factored_;  ///< scratch of tangent()
  double violation_ = 0.0;
  double softness_ = 0.0;
  long factorisations_ = 0;
};

}  // namespace trammel::constraint_handling
