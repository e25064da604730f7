// Dense complete orthogonal decomposition of the full matrix: no regularisation, reveals the rank,
// and gives the solution of least norm when constraints are redundant. For small systems and
// checks.
#pragma once

#include "trammel/core/dense_factors.h"
#include "trammel/linear/kkt_solver.h"

namespace trammel::linear {

class DenseSolver final : public KktSolver {
 public:
  std::string_view name() const override { return "dense"; }
  bool symmetric() const override { return false; }
  void analyse(std::shared_ptr<const KktPattern> pattern) override;
  FactorReport factor(const KktMatrix& matrix) override;
  void solve(const Vector& right_side, Vector& solution) override;
  std::size_t memory_bytes() const override;

  /// Numerical rank of the whole matrix.
  int rank() const { return static_cast<int>(decomposition_.rank()); }

 private:
  std::shared_ptr<const KktPattern> pattern_;
  Eigen::MatrixXd dense_;
  Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> decomposition_;
};

}  // namespace trammel::linear
