#include "trammel/constraint_handling/coordinate_partition.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "trammel/core/dense_factors.h"
#include "trammel/system/open_row.h"

namespace trammel::constraint_handling {

using system::Vector;

namespace {

// Pivots below this, of the first one, belong to rows that follow from others.
constexpr double least_pivot = 1e-10;

// The Jacobian as it is judged: rows of the system with entries (component of v, value).
struct JudgedRows {
  std::vector<int> row;  ///< of the system
  std::vector<std::map<int, double>> entries;
  int holonomic = 0;  ///< how many of them

  int count() const { return static_cast<int>(row.size()); }
};

double length(const std::map<int, double>& entries) {
  double sum = 0.0;
  for (const auto& entry : entries) sum += entry.second * entry.second;
  return std::sqrt(sum);
}

JudgedRows judged_rows(const system::MechanicalSystem& system,
                       const system::KktMatrix& matrix,
                       bool scaled) {
  const system::KktPattern& pattern = *matrix.pattern;
  const Vector& scale = system.displacement_scale();
  std::vector<std::map<int, double>> all(static_cast<std::size_t>(pattern.multipliers));
  for (int column = 0; column < pattern.velocities; ++column) {
    const auto c = static_cast<std::size_t>(column);
    for (int k = pattern.column_start[c]; k < pattern.column_start[c + 1]; ++k) {
      const int row = pattern.row[static_cast<std::size_t>(k)] - pattern.velocities;
      const double value = matrix.values[static_cast<std::size_t>(k)];
      if (row < 0 || value == 0.0) continue;
      all[static_cast<std::size_t>(row)][column] = scaled ? value * scale[column] : value;
    }
  }
  JudgedRows judged;
  for (int row = 0; row < pattern.multipliers; ++row) {
    if (system::is_open_row(row, matrix)) continue;
    auto& entries = all[static_cast<std::size_t>(row)];
    const double size = length(entries);
    if (scaled && size > 0.0) {
      for (auto& entry : entries) entry.second /= size;
    }
    judged.row.push_back(row);
    judged.entries.push_back(std::move(entries));
    if (row < system.sizes().holonomic) ++judged.holonomic;
  }
  return judged;
}

Eigen::MatrixXd dense(const JudgedRows& judged, int columns) {
  Eigen::MatrixXd matrix = Eigen::MatrixXd::Zero(judged.count(), columns);
  for (int i = 0; i < judged.count(); ++i) {
    for (const auto& [column, value] : judged.entries[static_cast<std::size_t>(i)]) {
      matrix(i, column) = value;
    }
  }
  return matrix;
}

// What elimination finds: pivots (row among the judged ones, column), in their order.
struct Elimination {
  std::vector<std::pair<int, int>> pivots;
  double first = 0.0;
  double last = 0.0;
};

// Gauss elimination with full pivoting of rows [begin, end) over columns that are allowed.
void eliminate_dense(Eigen::MatrixXd& A, int begin, int end, Vector& allowed, Elimination& found) {
  std::vector<bool> done(static_cast<std::size_t>(A.rows()), false);
  for (int step = begin; step < end; ++step) {
    double best = 0.0;
    int pivot_row = -1;
    Eigen::Index pivot_column = 0;
    for (int i = begin; i < end; ++i) {
      if (done[static_cast<std::size_t>(i)]) continue;
      Eigen::Index column = 0;
      const double size = A.row(i).cwiseAbs().cwiseProduct(allowed.transpose()).maxCoeff(&column);
      if (!(size > best)) continue;
      best = size;
      pivot_row = i;
      pivot_column = column;
    }
    found.first = std::max(found.first, best);
    if (pivot_row < 0 || best <= least_pivot * found.first) return;
    found.last = best;
    done[static_cast<std::size_t>(pivot_row)] = true;
    allowed[pivot_column] = 0.0;
    found.pivots.emplace_back(pivot_row, static_cast<int>(pivot_column));
    for (int i = begin; i < static_cast<int>(A.rows()); ++i) {
      if (done[static_cast<std::size_t>(i)] || A(i, pivot_column) == 0.0) continue;
      const double factor = A(i, pivot_column) / A(pivot_row, pivot_column);
      A.row(i) -= factor * A.row(pivot_row);
      A(i, pivot_column) = 0.0;
    }
  }
}

// The row with the fewest entries that is not next to nothing; its largest entry is the pivot.
class SparseElimination {
 public:
  SparseElimination(JudgedRows& judged, int columns) : rows_(judged.entries) {
    of_column_.resize(static_cast<std::size_t>(columns));
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      for (const auto& entry : rows_[i])
        of_column_[static_cast<std::size_t>(entry.first)].insert({static_cast<int>(i), true});
    }
    done_.assign(rows_.size(), false);
  }

  void eliminate(int begin, int end, const Vector& allowed, Elimination& found) {
    for (int step = begin; step < end; ++step) {
      int pivot_row = -1;
      for (int i = begin; i < end; ++i) {
        if (done_[at(i)] || !(largest(i, allowed).second > least_pivot)) continue;
        if (pivot_row < 0 || rows_[at(i)].size() < rows_[at(pivot_row)].size()) pivot_row = i;
      }
      if (pivot_row < 0) return;
      const auto [column, size] = largest(pivot_row, allowed);
      found.first = std::max(found.first, size);
      found.last = found.pivots.empty() ? size : std::min(found.last, size);
      found.pivots.emplace_back(pivot_row, column);
      remove(pivot_row, column);
    }
  }

 private:
  static std::size_t at(int i) { return static_cast<std::size_t>(i); }

  std::pair<int, double> largest(int row, const Vector& allowed) const {
    std::pair<int, double> best{-1, 0.0};
    for (const auto& [column, value] : rows_[at(row)]) {
      const double size = std::abs(value) * allowed[column];
      if (size > best.second) best = {column, size};
    }
    return best;
  }

  // The pivot's column out of all other rows, which makes it unfit for further pivots.
  void remove(int pivot_row, int column) {
    done_[at(pivot_row)] = true;
    const double pivot = rows_[at(pivot_row)].at(column);
    const std::map<int, bool> others = of_column_[at(column)];
    for (const auto& other : others) {
      const int i = other.first;
      if (done_[at(i)]) continue;
      const double factor = rows_[at(i)].at(column) / pivot;
      for (const auto& [k, value] : rows_[at(pivot_row)]) {
        const auto [entry, is_new] = rows_[at(i)].try_emplace(k, 0.0);
        entry->second -= factor * value;
        if (is_new) of_column_[at(k)][i] = true;
      }
      rows_[at(i)].erase(column);
      of_column_[at(column)].erase(i);
    }
  }

  std::vector<std::map<int, double>>& rows_;
  std::vector<std::map<int, bool>> of_column_;  ///< rows with an entry
  std::vector<bool> done_;
};

// Columns of the pivots, in two stages: position rows, then velocity rows.
Elimination eliminate(JudgedRows judged, int columns, const std::vector<int>& wanted) {
  constexpr int dense_entries = 200000;
  Elimination found;
  Vector allowed = Vector::Ones(columns);
  for (const int column : wanted) allowed[column] = 0.0;
  if (judged.count() * columns <= dense_entries) {
    Eigen::MatrixXd A = dense(judged, columns);
    eliminate_dense(A, 0, judged.holonomic, allowed, found);
    // Velocity rows still hold the columns of position rows that were left out; those are zero.
    eliminate_dense(A, judged.holonomic, judged.count(), allowed, found);
    return found;
  }
  const int holonomic = judged.holonomic;
  const int count = judged.count();
  SparseElimination sparse(judged, columns);
  sparse.eliminate(0, holonomic, allowed, found);
  sparse.eliminate(holonomic, count, allowed, found);
  return found;
}

// Column pivoting over the kept rows in two stages, each on what the stage before leaves.
std::vector<int> columns_by_qr(const Eigen::MatrixXd& A, int holonomic) {
  std::vector<int> chosen;
  const auto take = [&](const Eigen::MatrixXd& block, const std::vector<int>& of) {
    const Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr(block);
    for (Eigen::Index i = 0; i < block.rows(); ++i) {
      chosen.push_back(of[static_cast<std::size_t>(qr.colsPermutation().indices()[i])]);
    }
  };
  std::vector<int> all(static_cast<std::size_t>(A.cols()));
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = static_cast<int>(i);
  if (holonomic > 0) take(A.topRows(holonomic), all);
  const auto velocity_rows = A.rows() - holonomic;
  if (velocity_rows == 0) return chosen;
  // The Schur complement of the chosen columns in the velocity rows.
  Eigen::MatrixXd u(A.rows(), holonomic);
  std::vector<int> rest;
  for (int i = 0; i < holonomic; ++i) u.col(i) = A.col(chosen[static_cast<std::size_t>(i)]);
  for (const int column : all) {
    if (std::find(chosen.begin(), chosen.end(), column) == chosen.end()) rest.push_back(column);
  }
  Eigen::MatrixXd v(A.rows(), static_cast<Eigen::Index>(rest.size()));
  for (std::size_t i = 0; i < rest.size(); ++i) {
    v.col(static_cast<Eigen::Index>(i)) = A.col(rest[i]);
  }
  Eigen::MatrixXd schur = v.bottomRows(velocity_rows);
  if (holonomic > 0) {
    const Eigen::MatrixXd top = u.topRows(holonomic);
    const Eigen::MatrixXd right = v.topRows(holonomic);
    schur -= u.bottomRows(velocity_rows) * Eigen::PartialPivLU<Eigen::MatrixXd>(top).solve(right);
  }
  take(schur, rest);
  return chosen;
}

void set_columns(const std::vector<int>& pivots,
                 int position_pivots,
                 int columns,
                 CoordinatePartition& partition) {
  std::vector<bool> dependent(static_cast<std::size_t>(columns), false);
  for (const int column : pivots) dependent[static_cast<std::size_t>(column)] = true;
  partition.dependent = pivots;
  for (int column = 0; column < columns; ++column) {
    if (!dependent[static_cast<std::size_t>(column)]) partition.independent.push_back(column);
  }
  for (std::size_t i = static_cast<std::size_t>(position_pivots); i < pivots.size(); ++i) {
    partition.independent.push_back(pivots[i]);
  }
  partition.carried = static_cast<int>(pivots.size()) - position_pivots;
}

// The null space of the kept rows.
Eigen::MatrixXd tangent_plane(const Eigen::MatrixXd& A,
                              PartitionMethod method,
                              const Vector& scale,
                              bool scaled) {
  const Eigen::Index freedoms = A.cols() - A.rows();
  Eigen::MatrixXd P;
  if (method == PartitionMethod::svd) {
    const Eigen::JacobiSVD<Eigen::MatrixXd> svd(A, Eigen::ComputeFullV);
    P = svd.matrixV().rightCols(freedoms).transpose();
  } else {
    const Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr(A.transpose());
    const Eigen::MatrixXd Q = qr.householderQ();
    P = Q.rightCols(freedoms).transpose();
  }
  if (scaled) P = P * scale.cwiseInverse().asDiagonal();
  return P;
}

}  // namespace

CoordinatePartition partition_coordinates(const system::MechanicalSystem& system,
                                          const system::KktMatrix& matrix,
                                          const PartitionOptions& options) {
  const int columns = matrix.pattern->velocities;
  const JudgedRows judged = judged_rows(system, matrix, options.scaled);
  const Elimination found = eliminate(judged, columns, options.wanted);
  CoordinatePartition partition;
  std::vector<bool> kept(static_cast<std::size_t>(judged.count()), false);
  std::vector<int> pivots;
  int position_pivots = 0;
  for (const auto& [row, column] : found.pivots) {
    kept[static_cast<std::size_t>(row)] = true;
    pivots.push_back(column);
    if (row < judged.holonomic) ++position_pivots;
  }
  JudgedRows independent;
  for (int i = 0; i < judged.count(); ++i) {
    const auto at = static_cast<std::size_t>(i);
    (kept[at] ? partition.rows : partition.redundant).push_back(judged.row[at]);
    if (!kept[at]) continue;
    independent.row.push_back(judged.row[at]);
    independent.entries.push_back(judged.entries[at]);
  }
  if (found.first > 0.0) partition.weakest_pivot = found.last / found.first;
  if (takes_plane(options.method) && position_pivots == independent.count() && !pivots.empty()) {
    partition.P = tangent_plane(dense(independent, columns), options.method,
                                system.displacement_scale(), options.scaled);
    if (partition.P.rows() > 0) return partition;
  }
  if (options.method == PartitionMethod::qr && options.wanted.empty() && !pivots.empty()) {
    pivots = columns_by_qr(dense(independent, columns), position_pivots);
  }
  set_columns(pivots, position_pivots, columns, partition);
  return partition;
}

}  // namespace trammel::constraint_handling
