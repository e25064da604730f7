// Eigen's simplicial LDL^T with approximate minimum degree, as a baseline and cross-check.
#pragma once

#include <Eigen/SparseCholesky>
#include <Eigen/SparseCore>

#include "trammel/linear/kkt_solver.h"

namespace trammel::linear {

/// Allocates inside Eigen at every factorisation. AMD may eliminate multipliers before their
/// bodies, so that it needs the larger regularisation of 1e-8 and relies on refinement.
class EigenLdlt final : public KktSolver {
 public:
  std::string_view name() const override { return "eigen-ldlt"; }
  bool symmetric() const override { return true; }
  void analyse(std::shared_ptr<const KktPattern> pattern) override;
  FactorReport factor(const KktMatrix& matrix) override;
  void solve(const Vector& right_side, Vector& solution) override;
  std::size_t memory_bytes() const override;

 private:
  std::shared_ptr<const KktPattern> pattern_;
  Eigen::SparseMatrix<double> lower_;
  std::vector<std::pair<int, int>> source_;  ///< the two entries of the full matrix to average
  std::vector<int> multiplier_diagonal_;
  Eigen::SimplicialLDLT<Eigen::SparseMatrix<double>, Eigen::Lower, Eigen::AMDOrdering<int>> ldlt_;
  Vector regularisation_;
  bool factored_ = false;
};

}  // namespace trammel::linear
