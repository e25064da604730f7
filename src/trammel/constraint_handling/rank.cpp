#include "trammel/constraint_handling/rank.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <optional>

#include <Eigen/SparseCholesky>
#include <Eigen/SparseCore>

#include "trammel/system/open_row.h"

namespace trammel::constraint_handling {
namespace {

using Sparse = Eigen::SparseMatrix<double>;

// A dependent row keeps a pivot of shift / (its share in the null vector)^2: far below the rank
// tolerance even for a share of one percent.
constexpr double pivot_shift = 1e-14;
// For null vectors: round-off over this shift is 1e-8.
constexpr double null_shift = 1e-8;

// G D, transposed: displacements measured in units of their scales.
Sparse scaled_jacobian_transposed(const system::KktMatrix& matrix, const system::Vector& scale) {
  const system::KktPattern& pattern = *matrix.pattern;
  std::vector<Eigen::Triplet<double>> entries;
  for (int column = 0; column < pattern.velocities; ++column) {
    const auto c = static_cast<std::size_t>(column);
    for (int k = pattern.column_start[c]; k < pattern.column_start[c + 1]; ++k) {
      const auto entry = static_cast<std::size_t>(k);
      const int row = pattern.row[entry] - pattern.velocities;
      const double value = matrix.values[entry];
      if (row >= 0 && value != 0.0) entries.emplace_back(column, row, value * scale[column]);
    }
  }
  Sparse jacobian(pattern.velocities, pattern.multipliers);
  jacobian.setFromTriplets(entries.begin(), entries.end());
  return jacobian;
}

// S = G D^2 G^T with unit diagonal (rows without any entry get a zero row).
Sparse scaled_schur_complement(const Sparse& jacobian_transposed) {
  Sparse schur = Sparse(jacobian_transposed.transpose()) * jacobian_transposed;
  Eigen::VectorXd scale = schur.diagonal();
  for (double& entry : scale) entry = entry > 0.0 ? 1.0 / std::sqrt(entry) : 1.0;
  return scale.asDiagonal() * schur * scale.asDiagonal();
}

// The number of eigenvalues of S below the tolerance.
template <class Ldlt>
int dependent_rows(const Sparse& schur, Ldlt& ldlt) {
  Sparse shifted = schur;
  for (int i = 0; i < static_cast<int>(schur.rows()); ++i) {
    shifted.coeffRef(i, i) -= rank_tolerance;
  }
  ldlt.factorize(shifted);
  return static_cast<int>((ldlt.vectorD().array() < 0.0).count());
}

// Which rows: those with the smallest pivots; of equal ones the later.
std::vector<int> smallest(const Eigen::VectorXd& pivot_of_row, int count) {
  std::vector<int> rows(static_cast<std::size_t>(pivot_of_row.size()));
  std::iota(rows.begin(), rows.end(), 0);
  const auto end = rows.begin() + count;
  std::partial_sort(rows.begin(), end, rows.end(), [&](int a, int b) {
    return pivot_of_row[a] != pivot_of_row[b] ? pivot_of_row[a] < pivot_of_row[b] : a > b;
  });
  rows.erase(end, rows.end());
  std::sort(rows.begin(), rows.end());
  return rows;
}

template <class Ordering>
RankReport analyse(const Sparse& schur) {
  const auto rows = static_cast<int>(schur.rows());
  Sparse shifted = schur;
  for (int i = 0; i < rows; ++i) shifted.coeffRef(i, i) += pivot_shift;
  Eigen::SimplicialLDLT<Sparse, Eigen::Lower, Ordering> ldlt(shifted);
  const Eigen::VectorXd pivots = ldlt.vectorD();

  RankReport report;
  report.rows = rows;
  Eigen::VectorXd pivot_of_row(rows);
  for (int i = 0; i < rows; ++i) {
    // Row i of S stands at place P(i) of the factor; without reordering P is empty.
    const int place = ldlt.permutationP().size() == 0 ? i : ldlt.permutationP().indices()[i];
    pivot_of_row[i] = std::abs(pivots[place]);
  }
  report.redundant = smallest(pivot_of_row, dependent_rows(schur, ldlt));
  report.rank = rows - static_cast<int>(report.redundant.size());
  for (int i = 0, next = 0; i < rows; ++i) {
    const bool redundant = next < static_cast<int>(report.redundant.size()) &&
                           report.redundant[static_cast<std::size_t>(next)] == i;
    if (redundant) {
      ++next;
      report.largest_dropped = std::max(report.largest_dropped, pivot_of_row[i]);
    } else {
      report.smallest_kept = std::min(report.smallest_kept, pivot_of_row[i]);
    }
  }

  if (report.redundant.empty()) return report;

  // shift (S + shift)^-1 e_k is the projection of e_k on the null space of S.
  for (int i = 0; i < rows; ++i) shifted.coeffRef(i, i) += null_shift;
  ldlt.factorize(shifted);
  std::vector<bool> marked(static_cast<std::size_t>(rows), false);
  for (const int row : report.redundant) {
    const Eigen::VectorXd null = null_shift * ldlt.solve(Eigen::VectorXd::Unit(rows, row));
    constexpr double least_share = 1e-5;
    for (int i = 0; i < rows; ++i) {
      if (std::abs(null[i]) > least_share) marked[static_cast<std::size_t>(i)] = true;
    }
  }
  for (int i = 0; i < rows; ++i) {
    if (marked[static_cast<std::size_t>(i)]) report.not_unique.push_back(i);
  }
  return report;
}

// The block of each unknown.
std::vector<int> blocks_of(const system::KktPattern& pattern) {
  std::vector<int> block(static_cast<std::size_t>(pattern.size()));
  for (int b = 0; b < pattern.blocks(); ++b) {
    const auto at = static_cast<std::size_t>(b);
    std::fill(block.begin() + pattern.block_start[at], block.begin() + pattern.block_start[at + 1],
              b);
  }
  return block;
}

// The blocks of velocities that each block of rows meets; the ground, the number of blocks, where
// it is one. None where a block of rows meets more.
using Ends = std::vector<std::array<int, 2>>;
std::optional<Ends> ends_of_rows(const system::KktPattern& pattern) {
  const std::vector<int> block = blocks_of(pattern);
  const int ground = pattern.blocks();
  Ends ends(static_cast<std::size_t>(pattern.blocks()), {-1, ground});
  for (int column = 0; column < pattern.velocities; ++column) {
    const auto c = static_cast<std::size_t>(column);
    for (int k = pattern.column_start[c]; k < pattern.column_start[c + 1]; ++k) {
      const int row = pattern.row[static_cast<std::size_t>(k)];
      if (row < pattern.velocities) continue;
      auto& [first, second] = ends[static_cast<std::size_t>(block[static_cast<std::size_t>(row)])];
      const int met = block[c];
      if (first < 0) first = met;
      if (met == first || met == second) continue;
      if (second != ground) return std::nullopt;
      second = met;
    }
  }
  return ends;
}

// Of a joint and a body.
constexpr int largest_block = 6;
using SmallMatrix =
    Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, largest_block, largest_block>;

// The rows of block b by the velocities of block `end`, scaled to rows of length one.
SmallMatrix scaled_rows(const system::KktMatrix& matrix,
                        const system::Vector& scale,
                        int b,
                        int end) {
  const system::KktPattern& pattern = *matrix.pattern;
  const auto start = [&](int block) {
    return pattern.block_start[static_cast<std::size_t>(block)];
  };
  SmallMatrix rows = SmallMatrix::Zero(start(b + 1) - start(b), start(end + 1) - start(end));
  for (int column = start(end); column < start(end + 1); ++column) {
    const auto c = static_cast<std::size_t>(column);
    const auto first = pattern.row.begin() + pattern.column_start[c];
    const auto last = pattern.row.begin() + pattern.column_start[c + 1];
    for (auto row = std::lower_bound(first, last, start(b)); row != last && *row < start(b + 1);
         ++row) {
      rows(*row - start(b), column - start(end)) =
          scale[column] * matrix.values[static_cast<std::size_t>(row - pattern.row.begin())];
    }
  }
  return rows.rowwise().normalized();
}

// Of L D L^T: zero where a row depends on those before it.
double least_gram_pivot(SmallMatrix gram) {
  double least = 1.0;
  for (Eigen::Index k = 0; k < gram.rows(); ++k) {
    const double pivot = gram(k, k);
    least = std::min(least, pivot);
    if (!(pivot > 0.0)) return pivot;
    for (Eigen::Index j = k + 1; j < gram.rows(); ++j) {
      for (Eigen::Index i = j; i < gram.rows(); ++i) gram(i, j) -= gram(i, k) * gram(j, k) / pivot;
    }
  }
  return least;
}

// Where no loop is closed rows are independent if those of each joint are, seen from either of its
// bodies: bodies are taken away from the leaves inwards, each with its joint. Long chains have
// combinations of rows that are shorter than any tolerance, though all of them are needed. None:
// some joint does not tell.
std::optional<RankReport> rank_of_tree(const system::KktMatrix& matrix,
                                       const system::Vector& scale) {
  const system::KktPattern& pattern = *matrix.pattern;
  const auto size = [&](int b) {
    const auto at = static_cast<std::size_t>(b);
    return pattern.block_start[at + 1] - pattern.block_start[at];
  };
  for (int row = 0; row < pattern.multipliers; ++row) {
    if (system::is_open_row(row, matrix)) return std::nullopt;
  }
  if (rows_may_depend(pattern)) return std::nullopt;
  const Ends ends = *ends_of_rows(pattern);
  RankReport report;
  report.rows = report.rank = pattern.multipliers;
  for (int b = 0; b < pattern.blocks(); ++b) {
    if (pattern.block_start[static_cast<std::size_t>(b)] < pattern.velocities) continue;
    for (const int end : ends[static_cast<std::size_t>(b)]) {
      if (end == pattern.blocks()) continue;
      if (std::max(size(b), size(end)) > largest_block) return std::nullopt;
      const SmallMatrix rows = scaled_rows(matrix, scale, b, end);
      const double least = least_gram_pivot(rows * rows.transpose());
      if (!(least > rank_tolerance)) return std::nullopt;
      report.smallest_kept = std::min(report.smallest_kept, least);
    }
  }
  return report;
}

}  // namespace

bool rows_may_depend(const system::KktPattern& pattern) {
  const std::optional<Ends> met = ends_of_rows(pattern);
  if (!met) return true;
  const Ends& ends = *met;
  const int ground = pattern.blocks();
  // Trees grow together until an edge lies within one.
  std::vector<int> tree(static_cast<std::size_t>(pattern.blocks()) + 1);
  std::iota(tree.begin(), tree.end(), 0);
  const auto root = [&](int node) {
    while (tree[static_cast<std::size_t>(node)] != node) {
      int& up = tree[static_cast<std::size_t>(node)];
      up = tree[static_cast<std::size_t>(up)];
      node = up;
    }
    return node;
  };
  const auto size = [&](int b) {
    const auto at = static_cast<std::size_t>(b);
    return pattern.block_start[at + 1] - pattern.block_start[at];
  };
  for (int b = 0; b < pattern.blocks(); ++b) {
    const auto at = static_cast<std::size_t>(b);
    if (pattern.block_start[at] < pattern.velocities) continue;
    const auto& [first, second] = ends[at];
    if (first < 0 || root(first) == root(second)) return true;
    if (size(b) >= size(first) || (second != ground && size(b) >= size(second))) return true;
    tree[static_cast<std::size_t>(root(first))] = root(second);
  }
  return false;
}

RankReport constraint_rank(system::MechanicalSystem& system, const system::State& state) {
  const system::Sizes sizes = system.sizes();
  if (sizes.multipliers() == 0) return {};
  system::Motion motion;
  motion.state = state;
  motion.a.setZero(sizes.v);
  motion.lambda.setZero(sizes.multipliers());
  system::KktMatrix matrix(system.pattern());
  system.tangent(motion, {.acceleration = 1.0}, nullptr, matrix);
  // In the user's order the later of two dependent rows is named; large systems need AMD.
  constexpr int natural_limit = 2000;
  const bool large = sizes.multipliers() > natural_limit;
  if (large) {
    if (std::optional<RankReport> tree = rank_of_tree(matrix, system.displacement_scale())) {
      return *tree;
    }
  }
  Sparse schur =
      scaled_schur_complement(scaled_jacobian_transposed(matrix, system.displacement_scale()));
  // Rows that do not hold count neither as rows nor as redundant.
  int open = 0;
  for (int row = 0; row < sizes.multipliers(); ++row) {
    if (!system::is_open_row(row, matrix)) continue;
    schur.coeffRef(row, row) = 1.0;
    ++open;
  }
  RankReport report =
      large ? analyse<Eigen::AMDOrdering<int>>(schur) : analyse<Eigen::NaturalOrdering<int>>(schur);
  report.rows -= open;
  report.rank -= open;
  return report;
}

}  // namespace trammel::constraint_handling
