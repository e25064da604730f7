// Accelerations and multipliers with loads that depend on the multipliers,
//
//     [M G^T; G 0] (a, lambda) = (f + h(lambda), c),
//
// by factors of the matrix that are at hand. Nothing allocates after the first call, unless the
// loads are so large that the iteration must change to Newton's method
// (system/reaction_iteration.h).
#pragma once

#include "trammel/linear/kkt_solver.h"
#include "trammel/system/reaction_iteration.h"

namespace trammel::constraint_handling {

class LoadedSolve {
 public:
  struct Report {
    bool converged = true;
    int solutions = 1;   ///< of the linear equations
    double share = 1.0;  ///< of the loads, up to which there are solutions
    double error = 0.0;  ///< of the linear equations, relative
  };

  /// `right_side` is (f, c). `loads`, if any, take the state of `motion`; the iteration begins at
  /// its multipliers and leaves the solution there.
  Report operator()(linear::KktSolver& solver,
                    linear::RefinedSolve& refined,
                    const system::KktMatrix& matrix,
                    system::ConstraintDependentForces* loads,
                    const system::Vector& right_side,
                    system::Motion& motion,
                    system::Vector& solution);

 private:
  system::ReactionIteration iteration_;
  system::Vector h_;
  system::Vector loaded_;  ///< right side
  system::Vector lambda_;
};

}  // namespace trammel::constraint_handling
