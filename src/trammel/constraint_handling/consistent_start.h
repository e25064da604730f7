// Consistent initial values: positions on the constraint manifold, velocities in its tangent space,
// and the accelerations and multipliers that belong to them.
#pragma once

#include <functional>
#include <vector>

#include "trammel/constraint_handling/independent_rows.h"
#include "trammel/constraint_handling/loaded_solve.h"
#include "trammel/linear/block_ldlt.h"

namespace trammel::constraint_handling {

struct ProjectionReport {
  bool converged = false;
  int iterations = 0;
  double residual = 0.0;  ///< max of the constraint's absolute value
  /// Of the loads that depend on reactions, up to which accelerations exist; 1: all of them.
  double friction_share = 1.0;
};

/// Called with each state on the way to a consistent one, a small step from the one before: whoever
/// counts turns of angles follows. May be empty.
using Follow = std::function<void(const system::State&)>;

/// How many steps positions may take: some to converge, and those that the largest gap asks for
/// when none is longer than `largest_step` (gaps and steps in model sizes and radians).
int most_position_steps(int to_converge, double largest_gap, double largest_step);

/// Projects states onto the constraints with the mass matrix as metric: of all consistent states
/// the one that moves the least mass the least.
class ConsistentStart {
 public:
  explicit ConsistentStart(system::MechanicalSystem& system);

  /// Newton on the manifold with step limits; when the constraints do not fall, damped
  /// (Levenberg-Marquardt) steps, so that a configuration that cannot be closed ends in the least
  /// squares compromise. Components marked in `fixed` (per velocity; may be empty) stay.
  ProjectionReport positions(system::State& state,
                             const std::vector<bool>& fixed,
                             const Follow& follow = {});
  /// Least change of v such that G v + g_t = 0.
  ProjectionReport velocities(system::State& state, const std::vector<bool>& fixed);
  /// Solves M a + G^T lambda = f, G a + gamma = 0. The report's residual is that of both equations.
  /// With loads h(lambda) on the right it iterates on lambda; the report counts the iterations.
  /// Where multipliers are read and are not unique, they are the least ones (least_reactions.h).
  ProjectionReport accelerations(const system::State& state,
                                 system::Vector& a,
                                 system::Vector& lambda);

 private:
  /// Also sees the sizes of rows.
  void mass_and_jacobian(system::MechanicalSystem& system, const system::State& state);
  void mass_and_jacobian(const system::State& state) { mass_and_jacobian(system_, state); }
  /// Takes fixed unknowns out of the matrix at hand.
  void fix(const std::vector<bool>& fixed);
  double solve_constraint(const system::Vector& residual,
                          const std::vector<bool>& fixed,
                          double damping);

  system::MechanicalSystem& system_;
  system::Sizes sizes_;
  IndependentRows rows_left_;  ///< for accelerations, where multipliers are read
  system::KktMatrix matrix_;
  linear::BlockLdlt solver_;
  linear::RefinedSolve refined_;
  LoadedSolve loaded_;
  system::Motion motion_;
  system::Vector row_size_;  ///< the largest met
  system::Vector row_round_off_;
  system::Vector position_round_off_;
  system::Vector right_side_;
  system::Vector solution_;
};

}  // namespace trammel::constraint_handling
