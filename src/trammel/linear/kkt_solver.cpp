#include "trammel/linear/kkt_solver.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "trammel/linear/block_ldlt.h"
#include "trammel/linear/conjugate_gradients.h"
#include "trammel/linear/dense_solver.h"
#include "trammel/linear/eigen_ldlt.h"
#include "trammel/linear/klu_solver.h"

namespace trammel::linear {
namespace {

template <class Solver>
std::unique_ptr<KktSolver> make() {
  return std::make_unique<Solver>();
}

template <Preconditioner preconditioner>
std::unique_ptr<KktSolver> make_iterative() {
  return std::make_unique<ConjugateGradients>(
      ConjugateGradientOptions{.preconditioner = preconditioner});
}

}  // namespace

const std::vector<SolverKind>& solver_kinds() {
  static const std::vector<SolverKind> kinds{
      {"block-ldlt", "symmetric, by blocks along the mechanism's graph; O(n) on trees",
       make<BlockLdlt>},
      {"eigen-ldlt", "symmetric, Eigen's simplicial LDL^T with AMD ordering", make<EigenLdlt>},
      {"klu", "unsymmetric sparse LU (SuiteSparse), for the full tangent", make<KluSolver>},
      {"dense", "dense, rank revealing, for small systems and checks", make<DenseSolver>},
      {"pcg", "conjugate gradients on joints between groups of bodies, for models on many cores",
       make_iterative<Preconditioner::groups>},
      {"pcg-joints", "conjugate gradients on all multipliers, by the blocks of joints",
       make_iterative<Preconditioner::joints>},
      {"pcg-diagonal", "conjugate gradients on all multipliers, by the diagonal; to compare",
       make_iterative<Preconditioner::diagonal>},
      {"pcg-scaled", "conjugate gradients on all multipliers, two-term scaling; to compare",
       make_iterative<Preconditioner::scaled>},
  };
  return kinds;
}

std::unique_ptr<KktSolver> make_solver(std::string_view name) {
  for (const SolverKind& kind : solver_kinds()) {
    if (kind.name == name) return kind.make();
  }
  return nullptr;
}

namespace {

/// The part of one block of velocities in the size of a row.
struct BlockShare {
  int row = 0;
  double largest_entry = 0.0;                                ///< |G_iv|
  double firmest = std::numeric_limits<double>::infinity();  ///< least G_iv^2 / |K_vv|
  double sum = 0.0;
};

class BlockShares {
 public:
  explicit BlockShares(const KktMatrix& matrix) : matrix_(matrix), pattern_(*matrix.pattern) {}

  // Of the velocities [begin, end).
  const std::vector<BlockShare>& of(int begin, int end) {
    shares_.clear();
    each(begin, end, [](BlockShare& share, double entry, double contribution) {
      share.largest_entry = std::max(share.largest_entry, std::abs(entry));
      share.sum += contribution;
    });
    each(begin, end, [](BlockShare& share, double entry, double contribution) {
      constexpr double noticeable = 1e-2;
      if (std::abs(entry) < noticeable * share.largest_entry) return;
      share.firmest = std::min(share.firmest, contribution);
    });
    return shares_;
  }

 private:
  template <class Visit>
  void each(int begin, int end, const Visit& visit) {
    for (int column = begin; column < end; ++column) {
      const auto c = static_cast<std::size_t>(column);
      const auto diagonal = static_cast<std::size_t>(pattern_.diagonal[c]);
      const double size = std::abs(matrix_.values[diagonal]);
      if (size == 0.0) continue;
      // Rows ascend: the entries of G are the last ones. Columns of a block meet the same rows.
      std::size_t next = 0;
      for (int k = pattern_.column_start[c + 1] - 1; k >= pattern_.column_start[c]; --k) {
        const int row = pattern_.row[static_cast<std::size_t>(k)] - pattern_.velocities;
        if (row < 0) break;
        const double entry = matrix_.values[static_cast<std::size_t>(k)];
        if (entry == 0.0) continue;
        visit(share(row, next), entry, entry * entry / size);
      }
    }
  }

  BlockShare& share(int row, std::size_t& next) {
    while (next < shares_.size() && shares_[next].row > row) ++next;
    if (next == shares_.size() || shares_[next].row != row) {
      shares_.insert(shares_.begin() + static_cast<std::ptrdiff_t>(next), BlockShare{.row = row});
    }
    return shares_[next++];
  }

  const KktMatrix& matrix_;
  const KktPattern& pattern_;
  static thread_local std::vector<BlockShare> shares_;  ///< descending rows
};

thread_local std::vector<BlockShare> BlockShares::shares_;

}  // namespace

// A body with next to no moment of inertia gives all rows of a joint beside its centre the same
// huge size, by a turn that but one combination of them needs: what is left to the others by its
// mass is small beside that, and well posed. So a body counts with at most this many times what its
// firmest freedom gives.
void regularisation(const KktMatrix& matrix, double eps, Vector& result) {
  constexpr double most = 1e6;
  const KktPattern& pattern = *matrix.pattern;
  result.setZero(pattern.multipliers);
  BlockShares shares(matrix);
  for (int block = 0; block < pattern.blocks(); ++block) {
    const auto b = static_cast<std::size_t>(block);
    if (pattern.block_start[b] >= pattern.velocities) break;
    for (const BlockShare& share : shares.of(pattern.block_start[b], pattern.block_start[b + 1])) {
      result[share.row] += eps * std::min(share.sum, most * share.firmest);
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
