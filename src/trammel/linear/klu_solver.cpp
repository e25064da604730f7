#include "trammel/linear/klu_solver.h"

namespace trammel::linear {

FactorReport KluSolver::factor(const KktMatrix& matrix) {
  FactorReport report;
  report.ok = factors_.factor(matrix.values, matrix);
  return report;
}

void KluSolver::solve(const Vector& right_side, Vector& solution) {
  solution = right_side;
  factors_.solve(solution);
}

}  // namespace trammel::linear
