#include "trammel/linear/dense_solver.h"

namespace trammel::linear {

void DenseSolver::analyse(std::shared_ptr<const KktPattern> pattern) {
  pattern_ = std::move(pattern);
  dense_.resize(pattern_->size(), pattern_->size());
  // Pivots below this fraction of the largest count as zero: constraint Jacobians are known to
  // round-off times the condition of their parts.
  decomposition_.setThreshold(1e-11);
}

FactorReport DenseSolver::factor(const KktMatrix& matrix) {
  dense_.setZero();
  for (int column = 0; column < pattern_->size(); ++column) {
    const auto c = static_cast<std::size_t>(column);
    for (int k = pattern_->column_start[c]; k < pattern_->column_start[c + 1]; ++k) {
      const auto entry = static_cast<std::size_t>(k);
      const int row = pattern_->row[entry];
      dense_(row, column) = matrix.values[entry];
      if (row >= pattern_->velocities) dense_(column, row) = matrix.values[entry];
    }
  }
  FactorReport report;
  report.ok = dense_.allFinite();
  if (report.ok) decomposition_.compute(dense_);
  return report;
}

void DenseSolver::solve(const Vector& right_side, Vector& solution) {
  solution = decomposition_.solve(right_side);
}

std::size_t DenseSolver::memory_bytes() const {
  return 2 * static_cast<std::size_t>(dense_.size()) * sizeof(double);
}

}  // namespace trammel::linear
