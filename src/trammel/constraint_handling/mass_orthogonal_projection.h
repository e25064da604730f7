// Mass-orthogonal projection of a motion onto its constraints, level by level
// [Huang2014, sec. 3.7.2; Bayo & Ledesma 1996; Blajer 2002].
//
//     positions      [M G^T; G 0] (dx, ds) = -(M x + G^T s, g),         q = retract(q*, x)
//     velocities     [M G^T; G 0] (dv, s)  = -(0, G v + g_t)
//     accelerations  [M G^T; G 0] (da, s)  = -(0, G a + gamma)
//
// in this order, since every level uses those below it. The change is the least one in the metric
// of the mass matrix. Accelerations that were changed no longer satisfy the equations of motion;
// the multipliers that fit them best are
//
//     lambda = (G D^2 G^T)^-1 G D^2 (f - M a)
//
// with D the displacement scales, or D = 1 as [Huang2014, eq. 4.38] has it, which adds metres to
// radians. Nothing here allocates after the first use.
#pragma once

#include <memory>

#include "trammel/constraint_handling/acceleration_constraint.h"
#include "trammel/constraint_handling/consistent_start.h"
#include "trammel/linear/kkt_solver.h"
#include "trammel/system/forward_dynamics.h"
#include "trammel/system/reaction_iteration.h"

namespace trammel::constraint_handling {

class MassOrthogonalProjection : public system::LeastChange {
 public:
  MassOrthogonalProjection(system::MechanicalSystem& system,
                           std::unique_ptr<linear::KktSolver> solver);

  /// Takes mass matrix and Jacobian of this state; false when they cannot be factored.
  bool factor(const system::State& state);
  /// Least x, in the mass metric last taken, with G x = -residual.
  void solve(const system::Vector& residual, system::Vector& x);
  void constrain(const system::Vector& residual, system::Vector& x) override { solve(residual, x); }

  /// At most `most_steps` Newton steps; nonholonomic rows do not move.
  ProjectionReport positions(system::State& state, int most_steps);
  /// False when the matrix is singular. The second function uses what the first one took.
  bool velocities(system::State& state);
  void accelerations(const system::State& state, system::Vector& a);
  bool multipliers(const system::State& state, const system::Vector& a, system::Vector& lambda);
  /// D = 1 for the multipliers from now on.
  void use_unit_metric() { unit_metric_ = true; }

  std::size_t memory_bytes() const;

 private:
  void use_scale_metric();

  system::MechanicalSystem& system_;
  system::Sizes sizes_;
  bool unit_metric_ = false;
  std::unique_ptr<linear::KktSolver> solver_;
  system::KktMatrix matrix_;
  linear::RefinedSolve refined_;
  system::ReactionIteration iteration_;
  AccelerationConstraint acceleration_constraint_;
  system::Motion motion_;  ///< scratch
  system::Vector origin_;  ///< q*
  system::Vector stacked_;
  system::Vector right_side_;
  system::Vector solution_;
  system::Vector residual_;
  system::Vector x_;
  system::Vector row_size_;  ///< at the last correction of positions
  system::Vector row_round_off_;
  system::Vector position_round_off_;
};

}  // namespace trammel::constraint_handling
