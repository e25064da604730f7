#include "trammel/constraint_handling/loaded_solve.h"

#include <functional>

namespace trammel::constraint_handling {

using system::Vector;

auto LoadedSolve::operator()(linear::KktSolver& solver,
                             linear::RefinedSolve& refined,
                             const system::KktMatrix& matrix,
                             system::ConstraintDependentForces* loads,
                             const Vector& right_side,
                             system::Motion& motion,
                             Vector& solution) -> Report {
  Report report;
  const int multipliers = matrix.pattern->multipliers;
  if (loads == nullptr) {
    report.error = refined(solver, matrix, right_side, solution);
    motion.lambda = solution.tail(multipliers);
    return report;
  }
  const auto map = [&](const Vector& lambda, double share, Vector& image) {
    motion.lambda = lambda;
    loads->constraint_dependent_forces(motion, h_);
    loaded_ = right_side;
    loaded_.head(h_.size()) += share * h_;
    report.error = refined(solver, matrix, loaded_, solution);
    image = solution.tail(multipliers);
  };
  lambda_ = motion.lambda;
  const system::ReactionIteration::Report found = iteration_.solve(std::ref(map), lambda_);
  map(lambda_, found.share, lambda_);
  motion.lambda = lambda_;
  report.converged = found.converged;
  report.solutions = found.evaluations + 1;
  report.share = found.share;
  return report;
}

}  // namespace trammel::constraint_handling
