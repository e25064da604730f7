#include "trammel/linear/klu_solver.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "trammel/linear/block_order.h"

namespace trammel::linear {

KluSolver::KluSolver() {
  klu_defaults(&common_);
  common_.btf = 0;    // a mechanism's matrix is one block; searching for more only costs
  common_.scale = 0;  // see set_scale()
}

KluSolver::~KluSolver() {
  release();
}

void KluSolver::release() {
  if (numeric_ != nullptr) klu_free_numeric(&numeric_, &common_);
  if (symbolic_ != nullptr) klu_free_symbolic(&symbolic_, &common_);
}

void KluSolver::build_full_pattern() {
  // Entries as (column, row, source), sorted: compressed columns.
  std::vector<std::array<int, 3>> entries;
  for (int column = 0; column < pattern_->size(); ++column) {
    const auto c = static_cast<std::size_t>(column);
    for (int k = pattern_->column_start[c]; k < pattern_->column_start[c + 1]; ++k) {
      const int row = pattern_->row[static_cast<std::size_t>(k)];
      entries.push_back({column, row, k});
      if (row >= pattern_->velocities && row != column) entries.push_back({row, column, k});
    }
  }
  std::sort(entries.begin(), entries.end());
  start_.assign(static_cast<std::size_t>(pattern_->size()) + 1, 0);
  row_.clear();
  source_.clear();
  diagonal_.clear();
  for (const auto& [column, row, source] : entries) {
    if (row == column && row >= pattern_->velocities) {
      diagonal_.push_back(static_cast<int>(row_.size()));
    }
    ++start_[static_cast<std::size_t>(column) + 1];
    row_.push_back(row);
    source_.push_back(source);
  }
  for (std::size_t i = 1; i < start_.size(); ++i) start_[i] += start_[i - 1];
  values_.resize(row_.size());
}

void KluSolver::analyse(std::shared_ptr<const KktPattern> pattern) {
  release();
  pattern_ = std::move(pattern);
  build_full_pattern();
  std::vector<int> order;
  for (const int block : order_blocks(*pattern_).order) {
    const auto b = static_cast<std::size_t>(block);
    for (int i = pattern_->block_start[b]; i < pattern_->block_start[b + 1]; ++i) {
      order.push_back(i);
    }
  }
  std::vector<int> columns = order;
  symbolic_ = klu_analyze_given(pattern_->size(), start_.data(), row_.data(), order.data(),
                                columns.data(), &common_);
}

// D with D A D of unit size: velocities by the diagonal of K, multipliers by that of G K^-1 G^T.
// KLU then finds the pivots of the given order good, and leaves it only where they are bad; by the
// numbers of SI units a light body's diagonal would be a bad one, and the factors of a long chain
// would fill.
void KluSolver::set_scale(const KktMatrix& matrix) {
  scale_.resize(pattern_->size());
  for (int i = 0; i < pattern_->velocities; ++i) {
    const int place = pattern_->diagonal[static_cast<std::size_t>(i)];
    const double size = std::abs(matrix.values[static_cast<std::size_t>(place)]);
    scale_[i] = size > 0.0 ? 1.0 / std::sqrt(size) : 1.0;
  }
  regularisation(matrix, 1.0, regularisation_);
  for (int i = 0; i < pattern_->multipliers; ++i) {
    const double size = regularisation_[i];
    scale_[pattern_->velocities + i] = size > 0.0 ? 1.0 / std::sqrt(size) : 1.0;
  }
}

bool KluSolver::refactor() {
  if (numeric_ == nullptr) return false;
  if (klu_refactor(start_.data(), row_.data(), values_.data(), symbolic_, numeric_, &common_) ==
      0) {
    return false;
  }
  // Pivots chosen for old numbers may be poor for the new ones.
  constexpr double least_growth = 1e-8;
  return klu_rgrowth(start_.data(), row_.data(), values_.data(), symbolic_, numeric_, &common_) !=
             0 &&
         common_.rgrowth > least_growth;
}

FactorReport KluSolver::factor(const KktMatrix& matrix) {
  set_scale(matrix);
  for (std::size_t i = 0; i < values_.size(); ++i) {
    values_[i] = matrix.values[static_cast<std::size_t>(source_[i])];
  }
  for (std::size_t i = 0; i < diagonal_.size(); ++i) {
    values_[static_cast<std::size_t>(diagonal_[i])] -=
        default_regularisation * regularisation_[static_cast<Eigen::Index>(i)];
  }
  for (int column = 0; column < pattern_->size(); ++column) {
    const auto c = static_cast<std::size_t>(column);
    for (int k = start_[c]; k < start_[c + 1]; ++k) {
      const auto entry = static_cast<std::size_t>(k);
      values_[entry] *= scale_[row_[entry]] * scale_[column];
    }
  }
  FactorReport report;
  if (symbolic_ == nullptr) {
    report.ok = false;
    return report;
  }
  if (!refactor()) {
    if (numeric_ != nullptr) klu_free_numeric(&numeric_, &common_);
    numeric_ = klu_factor(start_.data(), row_.data(), values_.data(), symbolic_, &common_);
  }
  report.ok = numeric_ != nullptr && common_.status == KLU_OK;
  return report;
}

void KluSolver::solve(const Vector& right_side, Vector& solution) {
  solution = right_side.cwiseProduct(scale_);
  klu_solve(symbolic_, numeric_, pattern_->size(), 1, solution.data(), &common_);
  solution = solution.cwiseProduct(scale_);
}

std::size_t KluSolver::memory_bytes() const {
  const std::size_t own = values_.capacity() * sizeof(double) +
                          (start_.capacity() + row_.capacity() + source_.capacity()) * sizeof(int);
  return own + static_cast<std::size_t>(common_.memusage);
}

}  // namespace trammel::linear
