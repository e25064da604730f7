#include "trammel/linear/kkt_solver.h"

#include <algorithm>
#include <cmath>

#include "trammel/linear/block_ldlt.h"
#include "trammel/linear/dense_solver.h"
#include "trammel/linear/eigen_ldlt.h"
#include "trammel/linear/klu_solver.h"

namespace trammel::linear {
namespace {

template <class Solver>
std::unique_ptr<KktSolver> make() {
  return std::make_unique<Solver>();
}

}  // namespace

const std::vector<SolverKind>& solver_kinds() {
  static const std::vector<SolverKind> kinds{
      {"block-ldlt", "symmetric, by blocks along the mechanism's graph; O(n) on trees",
       make<BlockLdlt>},
      {"eigen-ldlt", "symmetric, Eigen's simplicial LDL^T with AMD ordering", make<EigenLdlt>},
      {"klu", "unsymmetric sparse LU (SuiteSparse), for the full tangent", make<KluSolver>},
      {"dense", "dense, rank revealing, for small systems and checks", make<DenseSolver>},
  };
  return kinds;
}

std::unique_ptr<KktSolver> make_solver(std::string_view name) {
  for (const SolverKind& kind : solver_kinds()) {
    if (kind.name == name) return kind.make();
  }
  return nullptr;
}

void regularisation(const KktMatrix& matrix, double eps, Vector& result) {
  const KktPattern& pattern = *matrix.pattern;
  result.setZero(pattern.multipliers);
  for (int column = 0; column < pattern.velocities; ++column) {
    const auto c = static_cast<std::size_t>(column);
    const double diagonal = std::abs(matrix.values[static_cast<std::size_t>(pattern.diagonal[c])]);
    if (diagonal == 0.0) continue;
    const double weight = eps / diagonal;
    // Rows ascend: the entries of G are the last ones.
    for (int k = pattern.column_start[c + 1] - 1; k >= pattern.column_start[c]; --k) {
      const int row = pattern.row[static_cast<std::size_t>(k)];
      if (row < pattern.velocities) break;
      const double entry = matrix.values[static_cast<std::size_t>(k)];
      result[row - pattern.velocities] += weight * entry * entry;
    }
  }
  // A row without any entry (both ends on the ground), or with nothing but round-off (a joint that
  // repeats a hinge of a tree), still needs a pivot: that of a row as large as the others.
  constexpr double round_off = 1e-24;  // of squares
  const double largest = result.size() > 0 ? result.maxCoeff() : 0.0;
  for (double& shift : result) {
    if (shift <= round_off * largest) shift = largest > 0.0 ? largest : eps;
  }
}

double RefinedSolve::operator()(KktSolver& solver,
                                const KktMatrix& matrix,
                                const Vector& right_side,
                                Vector& solution,
                                int most_steps) {
  const double scale = right_side.lpNorm<Eigen::Infinity>();
  solver.solve(right_side, solution);
  if (scale == 0.0) return 0.0;
  double best = std::numeric_limits<double>::infinity();
  for (int step = 0; step <= most_steps; ++step) {
    matrix.multiply(solution, product_);
    residual_ = right_side - product_;
    const double size = residual_.lpNorm<Eigen::Infinity>() / scale;
    if (!(size < 0.5 * best)) {
      // No longer falling: keep the better of the last two.
      if (size < best) return size;
      if (std::isfinite(best)) solution = best_;
      return best;
    }
    best = size;
    best_ = solution;
    if (size < 1e-16) break;
    solver.solve(residual_, correction_);
    solution += correction_;
  }
  solution = best_;
  return best;
}

}  // namespace trammel::linear
