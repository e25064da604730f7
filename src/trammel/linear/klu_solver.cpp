#include "trammel/linear/klu_solver.h"

#include <algorithm>

namespace trammel::linear {

KluSolver::KluSolver() {
  klu_defaults(&common_);
  common_.btf = 0;  // a mechanism's matrix is one block; searching for more only costs
}

KluSolver::~KluSolver() {
  release();
}

void KluSolver::release() {
  if (numeric_ != nullptr) klu_free_numeric(&numeric_, &common_);
  if (symbolic_ != nullptr) klu_free_symbolic(&symbolic_, &common_);
}

void KluSolver::analyse(std::shared_ptr<const KktPattern> pattern) {
  release();
  pattern_ = std::move(pattern);
  start_ = pattern_->column_start;
  row_ = pattern_->row;
  values_.resize(row_.size());
  symbolic_ = klu_analyze(pattern_->size(), start_.data(), row_.data(), &common_);
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
  std::copy(matrix.values.begin(), matrix.values.end(), values_.begin());
  regularisation(matrix, default_regularisation, regularisation_);
  for (int i = 0; i < pattern_->multipliers; ++i) {
    const auto diagonal = static_cast<std::size_t>(
        pattern_->diagonal[static_cast<std::size_t>(pattern_->velocities + i)]);
    values_[diagonal] -= regularisation_[i];
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
  if (&solution != &right_side) solution = right_side;
  klu_solve(symbolic_, numeric_, pattern_->size(), 1, solution.data(), &common_);
}

std::size_t KluSolver::memory_bytes() const {
  const std::size_t own =
      values_.capacity() * sizeof(double) + (start_.capacity() + row_.capacity()) * sizeof(int);
  return own + static_cast<std::size_t>(common_.memusage);
}

}  // namespace trammel::linear
