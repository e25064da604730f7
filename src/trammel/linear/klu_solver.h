// SuiteSparse's KLU through its C interface, for the full unsymmetric tangent. Pivots are taken
// along the mechanism's graph (block_order.h), as far as their size allows; the order of the first
// factorisation is kept and refactored until it becomes inaccurate.
#pragma once

#include <klu.h>

#include "trammel/linear/kkt_solver.h"

namespace trammel::linear {

class KluSolver final : public KktSolver {
 public:
  KluSolver();
  ~KluSolver() override;
  KluSolver(const KluSolver&) = delete;
  KluSolver& operator=(const KluSolver&) = delete;
  KluSolver(KluSolver&&) = delete;
  KluSolver& operator=(KluSolver&&) = delete;

  std::string_view name() const override { return "klu"; }
  bool symmetric() const override { return false; }
  void analyse(std::shared_ptr<const KktPattern> pattern) override;
  FactorReport factor(const KktMatrix& matrix) override;
  void solve(const Vector& right_side, Vector& solution) override;
  std::size_t memory_bytes() const override;

 private:
  void release();
  void build_full_pattern();
  void set_scale(const KktMatrix& matrix);
  bool refactor();

  std::shared_ptr<const KktPattern> pattern_;
  std::vector<int> start_;  ///< of the full matrix, G^T written out
  std::vector<int> row_;
  std::vector<int> source_;    ///< where each entry stands in the KKT matrix
  std::vector<int> diagonal_;  ///< of each multiplier
  std::vector<double> values_;
  klu_common common_{};
  klu_symbolic* symbolic_ = nullptr;
  klu_numeric* numeric_ = nullptr;
  Vector regularisation_;  ///< over its relative size
  Vector scale_;
};

}  // namespace trammel::linear
