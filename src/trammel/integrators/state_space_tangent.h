// Derivatives of the state-space form by the independent accelerations s [Haug1997, sec. 3.2].
//
// A step makes P x = b s + ..., P v = g s + ... and, for carried coordinates K, x_K = k v_K + ...
// Everything else follows from s (state_space_form.h), and so do the derivatives
//
//     q:      Y = Z_x [b; k V_K],   Z_x = Z W^-1 of the positions            (b H; eq. 21)
//     v:      V = g Z + J,          J = -X (W_q Y)                          (b J + g H; eq. 23)
//     a:      A = Z + E,            E = -X ((G a)_q Y + gamma_q Y + gamma_v V)
//                                                                (b L + g N + H; eq. 25)
//     r:      R = K_q Y + K_v V + M A
//     lambda: L = -(1 - X^T h_lambda)^-1 X^T R                              (eq. 27)
//     Psi:    Z^T (R - h_lambda L)                                          (eq. 29)
//
// with K_q = dr/dq, K_v = dr/dv of r = M a + G^T lambda - f - h. In terms of the source's matrices
// Phi_u H = -Phi_v and Phi_u J, L, N, R, S are the same linear equations; here they stay
// unpartitioned. V_K solves (1 - k J_K) V_K = g Z_K + b J_I, where there are
// carried coordinates.
//
// Fisette and Vaneghem leave out E and (G^T lambda)_q [eq. 40]. First-order states are taken as
// constant.
#pragma once

#include "trammel/constraint_handling/constraint_curvature.h"
#include "trammel/integrators/state_space_form.h"

namespace trammel::integrators {

/// How positions, velocities and carried positions depend on s.
struct RuleWeights {
  double position = 0.0;  ///< b
  double velocity = 0.0;  ///< g
  double carried = 0.0;   ///< k
};

class StateSpaceTangent {
 public:
  explicit StateSpaceTangent(StateSpaceForm& form);

  /// dPsi/ds at the form's iterate. Does not allocate after the first call with a partition.
  const Eigen::MatrixXd& jacobian(const RuleWeights& weights, StateIteration iteration);

  // The derivatives of the last jacobian().
  const Eigen::MatrixXd& of_positions() const { return Y_; }
  const Eigen::MatrixXd& of_velocities() const { return V_; }
  const Eigen::MatrixXd& of_accelerations() const { return A_; }
  const Eigen::MatrixXd& of_multipliers() const { return L_; }

 private:
  void resize();
  void set_positions_and_velocities(const RuleWeights& weights);
  void set_accelerations();
  void set_reactions();

  StateSpaceForm& form_;
  constraint_handling::ConstraintCurvature curvature_;
  system::KktMatrix tangent_;
  system::Motion motion_;
  Eigen::MatrixXd Z_x_;
  Eigen::MatrixXd J_x_;  ///< -X W_q Z_x
  Eigen::MatrixXd Y_;
  Eigen::MatrixXd V_;
  Eigen::MatrixXd A_;
  Eigen::MatrixXd R_;
  Eigen::MatrixXd product_;
  Eigen::MatrixXd L_;
  Eigen::MatrixXd jacobian_;
  Eigen::MatrixXd h_lambda_;
  system::Vector w_;
  system::Vector v_w_;
  system::Vector rows_;
  system::Vector x_;
  system::Vector p_;
  system::Vector above_;
  system::Vector below_;
};

}  // namespace trammel::integrators
