#include "trammel/linear/eigen_ldlt.h"

namespace trammel::linear {

void EigenLdlt::analyse(std::shared_ptr<const KktPattern> pattern) {
  pattern_ = std::move(pattern);
  source_.clear();
  multiplier_diagonal_.clear();
  const int n = pattern_->size();
  lower_.resize(n, n);
  std::vector<Eigen::Triplet<double>> entries;
  for (int column = 0; column < n; ++column) {
    const auto c = static_cast<std::size_t>(column);
    for (int k = pattern_->column_start[c]; k < pattern_->column_start[c + 1]; ++k) {
      const int row = pattern_->row[static_cast<std::size_t>(k)];
      if (row < column) continue;
      if (row == column && column >= pattern_->velocities) {
        multiplier_diagonal_.push_back(static_cast<int>(source_.size()));
      }
      source_.emplace_back(k, pattern_->find(column, row));
      entries.emplace_back(row, column, 1.0);
    }
  }
  lower_.setFromTriplets(entries.begin(), entries.end());
  ldlt_.analyzePattern(lower_);
  factored_ = false;
}

FactorReport EigenLdlt::factor(const KktMatrix& matrix) {
  constexpr double eps = 1e-8;
  double* values = lower_.valuePtr();
  for (std::size_t i = 0; i < source_.size(); ++i) {
    values[i] = 0.5 * (matrix.values[static_cast<std::size_t>(source_[i].first)] +
                       matrix.values[static_cast<std::size_t>(source_[i].second)]);
  }
  regularisation(matrix, eps, regularisation_);
  for (std::size_t i = 0; i < multiplier_diagonal_.size(); ++i) {
    values[multiplier_diagonal_[i]] -= regularisation_[static_cast<Eigen::Index>(i)];
  }
  ldlt_.factorize(lower_);
  FactorReport report;
  report.ok = ldlt_.info() == Eigen::Success;
  factored_ = true;
  if (report.ok) {
    // By Sylvester's law the number of negative pivots tells how many signs are wrong.
    const auto negative = static_cast<int>((ldlt_.vectorD().array() < 0.0).count());
    report.wrong_signs = std::abs(negative - pattern_->multipliers);
  }
  return report;
}

void EigenLdlt::solve(const Vector& right_side, Vector& solution) {
  solution = ldlt_.solve(right_side);
}

std::size_t EigenLdlt::memory_bytes() const {
  // Eigen gives L once there are numbers in it.
  const auto factor =
      factored_ ? static_cast<std::size_t>(ldlt_.matrixL().nestedExpression().nonZeros()) : 0;
  const auto own = static_cast<std::size_t>(lower_.nonZeros());
  return (factor + own) * (sizeof(double) + sizeof(int)) + source_.capacity() * sizeof(source_[0]);
}

}  // namespace trammel::linear
