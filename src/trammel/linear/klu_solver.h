// SuiteSparse's KLU, for the full unsymmetric tangent (klu_factors.h).
#pragma once

#include "trammel/linear/kkt_solver.h"
#include "trammel/linear/klu_factors.h"

namespace trammel::linear {

class KluSolver final : public KktSolver {
 public:
  std::string_view name() const override { return "klu"; }
  bool symmetric() const override { return false; }
  void analyse(std::shared_ptr<const KktPattern> pattern) override {
    factors_.analyse(std::move(pattern));
  }
  FactorReport factor(const KktMatrix& matrix) override;
  void solve(const Vector& right_side, Vector& solution) override;
  std::size_t memory_bytes() const override { return factors_.memory_bytes(); }

 private:
  KluFactors<double> factors_;
};

}  // namespace trammel::linear
