// Linear solvers for KKT systems with a constant pattern.
//
//     [ K    G^T ] [x]   [b]        K: n_v x n_v, G: constraint Jacobian
//     [ G  -eps S] [y] = [c]
//
// The small -eps S on the multiplier diagonal (S_i = sum_v G_iv^2 / |K_vv|, the size of the row's
// own Schur complement) makes the matrix quasi-definite [Chiou1990, eq. 6.2.2]: it can be factored
// in any order, redundant constraints are harmless, and refinement against the true matrix removes
// its effect from x.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "trammel/system/kkt_matrix.h"

namespace trammel::linear {

using system::KktMatrix;
using system::KktPattern;
using system::Vector;

struct FactorReport {
  bool ok = true;
  /// Pivots whose sign is not that of a quasi-definite matrix: K is not positive definite on the
  /// space the constraints leave. Zero for solvers that do not look at signs.
  int wrong_signs = 0;
  /// Multiplier rows that depend on others, as far as the solver can tell.
  int dependent_rows = 0;
};

class KktSolver {
 public:
  virtual ~KktSolver() = default;
  virtual std::string_view name() const = 0;
  /// True when the solver takes the symmetric part of the matrix.
  virtual bool symmetric() const = 0;
  /// Structure, once.
  virtual void analyse(std::shared_ptr<const KktPattern> pattern) = 0;
  /// Numbers. Does not allocate after the first call.
  virtual FactorReport factor(const KktMatrix& matrix) = 0;
  /// Solves with the last factors; `solution` may be `right_side`.
  virtual void solve(const Vector& right_side, Vector& solution) = 0;
  virtual std::size_t memory_bytes() const = 0;
};

struct SolverKind {
  std::string name;
  std::string summary;
  std::unique_ptr<KktSolver> (*make)();
};

/// All solvers; the first is the default for symmetric matrices.
const std::vector<SolverKind>& solver_kinds();
/// Null when there is no solver of that name.
std::unique_ptr<KktSolver> make_solver(std::string_view name);

/// Relative regularisation of the multiplier rows: far above round-off in the pivots of redundant
/// rows, far below anything a well-posed row has.
constexpr double default_regularisation = 1e-10;

/// eps S_i for each multiplier.
void regularisation(const KktMatrix& matrix, double eps, Vector& result);

/// Solves A x = b by the solver's factors of (nearly) A and refinement against A itself, until the
/// residual stops falling. Returns max |b - A x| relative to max |b|.
class RefinedSolve {
 public:
  double operator()(KktSolver& solver,
                    const KktMatrix& matrix,
                    const Vector& right_side,
                    Vector& solution,
                    int most_steps = 10);

 private:
  Vector residual_;
  Vector correction_;
  Vector product_;
  Vector best_;
};

}  // namespace trammel::linear
