#include "trammel/linear/block_ldlt.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "trammel/linear/small_blocks.h"
#include "trammel/linear/solver_scope.h"

namespace trammel::linear {

void BlockLdlt::analyse(std::shared_ptr<const KktPattern> pattern) {
  pattern_ = std::move(pattern);
  columns_.clear();
  eliminations_.clear();
  rows_.clear();
  updates_.clear();
  gather_.clear();
  gather_pairs_.clear();
  loops_ = false;
  const BlockOrder order = order_blocks(*pattern_);
  build_columns(order);
  build_updates(order);
  columns_.shrink_to_fit();
  eliminations_.shrink_to_fit();
  rows_.shrink_to_fit();
  updates_.shrink_to_fit();
  build_gather(order);
  build_parts(order);
}

void BlockLdlt::build_columns(const BlockOrder& order) {
  int offset = 0;
  for (const int block : order.order) {
    const auto b = static_cast<std::size_t>(block);
    Column column;
    column.first = pattern_->block_start[b];
    column.size = pattern_->block_start[b + 1] - column.first;
    columns_.push_back(column);
    Elimination elimination;
    if (column.first >= pattern_->velocities) {
      elimination.multiplier = column.first - pattern_->velocities;
    }
    elimination.in_loop = order.closes_loop[b];
    loops_ = loops_ || elimination.in_loop;
    eliminations_.push_back(elimination);
  }
  for (std::size_t p = 0; p < columns_.size(); ++p) {
    Column& column = columns_[p];
    column.first_row = static_cast<int>(rows_.size());
    column.row_count = static_cast<int>(order.below[p].size());
    column.height = column.size;
    eliminations_[p].last_target =
        order.below[p].empty() ? static_cast<int>(p) : order.below[p].back();
    for (const int below : order.below[p]) {
      const Column& other = columns_[static_cast<std::size_t>(below)];
      rows_.push_back({other.first, other.size, column.height});
      column.height += other.size;
    }
    column.offset = offset;
    offset += column.height * column.size;
  }
  factor_.resize(static_cast<std::size_t>(offset));
}

// After the lists of rows and updates, which both begin with what stays in the
// part.
void BlockLdlt::build_parts(const BlockOrder& order) {
  parts_.clear();
  const auto columns = static_cast<int>(columns_.size());
  const int rest = order.parts.empty() ? 0 : order.parts.back();
  for (std::size_t i = 0; i + 1 < order.parts.size(); ++i) {
    Part& part = parts_.emplace_back();
    part.first = order.parts[i];
    part.end = order.parts[i + 1];
  }
  Part& last = parts_.emplace_back();
  last.first = rest;
  last.end = columns;
  for (Part& part : parts_) {
    int tallest = 0;
    for (int p = part.first; p < part.end; ++p) {
      const auto at = static_cast<std::size_t>(p);
      const Column& column = columns_[at];
      tallest = std::max(tallest, column.height * column.size);
      const std::vector<int>& below = order.below[at];
      if (part.end == columns || below.empty() || below.back() < part.end) continue;
      const auto own = std::lower_bound(below.begin(), below.end(), part.end);
      Elimination& elimination = eliminations_[at];
      Boundary boundary{.column = p, .own_rows = static_cast<int>(own - below.begin())};
      const int first_of_rest = columns_[static_cast<std::size_t>(rest)].offset;
      while (boundary.own_updates < elimination.update_count &&
             updates_[static_cast<std::size_t>(elimination.first_update + boundary.own_updates)]
                     .target < first_of_rest) {
        ++boundary.own_updates;
      }
      elimination.last_target = boundary.own_rows == 0 ? p : *(own - 1);
      part.boundary.push_back(boundary);
    }
    part.scaled.resize(static_cast<std::size_t>(tallest));
  }
}

const BlockLdlt::PanelRow& BlockLdlt::panel_row(const BlockOrder& order, int column, int below) {
  const std::vector<int>& panel = order.below[static_cast<std::size_t>(column)];
  const auto found = std::lower_bound(panel.begin(), panel.end(), below);
  const int first = columns_[static_cast<std::size_t>(column)].first_row;
  return rows_[static_cast<std::size_t>(first + (found - panel.begin()))];
}

void BlockLdlt::build_updates(const BlockOrder& order) {
  for (std::size_t p = 0; p < columns_.size(); ++p) {
    const Column& column = columns_[p];
    Elimination& elimination = eliminations_[p];
    elimination.first_update = static_cast<int>(updates_.size());
    const std::vector<int>& below = order.below[p];
    for (std::size_t j = 0; j < below.size(); ++j) {
      const Column& target = columns_[static_cast<std::size_t>(below[j])];
      Elimination& next = eliminations_[static_cast<std::size_t>(below[j])];
      const bool meet = elimination.multiplier >= 0 && next.multiplier >= 0;
      if (elimination.in_loop || (meet && !order.cut_tree)) {
        next.in_loop = true;
        loops_ = true;
      }
      const PanelRow& second = rows_[static_cast<std::size_t>(column.first_row) + j];
      for (std::size_t i = j; i < below.size(); ++i) {
        const PanelRow& first = rows_[static_cast<std::size_t>(column.first_row) + i];
        // Where block i stands in column j: on its diagonal or in its panel.
        const int row = i == j ? 0 : panel_row(order, below[j], below[i]).start;
        const int position = target.offset + row;
        // Blocks that follow each other in both panels are one update.
        if (!updates_.empty() && static_cast<int>(updates_.size()) > elimination.first_update) {
          Update& last = updates_.back();
          if (last.column_start == second.start && last.row_start + last.rows == first.start &&
              last.target + last.rows == position) {
            last.rows += first.size;
            continue;
          }
        }
        updates_.push_back(
            {first.start, first.size, second.start, second.size, position, target.height});
      }
    }
    elimination.update_count = static_cast<int>(updates_.size()) - elimination.first_update;
  }
}

void BlockLdlt::build_gather(const BlockOrder& order) {
  std::vector<int> column_of(static_cast<std::size_t>(pattern_->size()));  // of each unknown
  for (std::size_t p = 0; p < columns_.size(); ++p) {
    std::fill_n(column_of.begin() + columns_[p].first, columns_[p].size, static_cast<int>(p));
  }
  // Of an entry whose row is eliminated with its column, or later.
  const auto target_of = [&](int row, int column) {
    const int at = column_of[static_cast<std::size_t>(column)];
    const int below = column_of[static_cast<std::size_t>(row)];
    const Column& c = columns_[static_cast<std::size_t>(at)];
    const int base = c.offset + (column - c.first) * c.height;
    if (at == below) return base + row - c.first;
    const PanelRow& panel = panel_row(order, at, below);
    return base + panel.start + row - panel.first;
  };
  const auto place = [&](int unknown) {
    return std::pair(column_of[static_cast<std::size_t>(unknown)], unknown);
  };
  for (int column = 0; column < pattern_->size(); ++column) {
    const auto c = static_cast<std::size_t>(column);
    for (int k = pattern_->column_start[c]; k < pattern_->column_start[c + 1]; ++k) {
      const int row = pattern_->row[static_cast<std::size_t>(k)];
      if (place(row) < place(column)) {
        // The factor holds the image of G in G^T.
        if (row >= pattern_->velocities) gather_.push_back({target_of(column, row), k});
        continue;
      }
      const int target = target_of(row, column);
      const bool pair =
          row != column && row < pattern_->velocities && column < pattern_->velocities;
      if (pair) {
        gather_pairs_.push_back({target, k, pattern_->find(column, row)});
      } else {
        gather_.push_back({target, k});
      }
    }
  }
  const auto earlier = [](const auto& a, const auto& b) { return a.target < b.target; };
  std::sort(gather_.begin(), gather_.end(), earlier);
  std::sort(gather_pairs_.begin(), gather_pairs_.end(), earlier);
  gather_.shrink_to_fit();
  gather_pairs_.shrink_to_fit();
}

// Where the entries of a column begin.
BlockLdlt::Gathered BlockLdlt::first_gathered(int column) const {
  const auto before = [](const auto& entry, int target) { return entry.target < target; };
  const int target = columns_[static_cast<std::size_t>(column)].offset;
  return {std::lower_bound(gather_.begin(), gather_.end(), target, before),
          std::lower_bound(gather_pairs_.begin(), gather_pairs_.end(), target, before)};
}

// A column as it is in the matrix.
void BlockLdlt::gather(std::size_t place, const double* values, Gathered& done) {
  const Column& column = columns_[place];
  const Elimination& elimination = eliminations_[place];
  double* block = factor_.data() + column.offset;
  const int size = column.height * column.size;
  std::fill_n(block, size, 0.0);
  const int end = column.offset + size;
  for (; done.entry != gather_.end() && done.entry->target < end; ++done.entry) {
    factor_[static_cast<std::size_t>(done.entry->target)] = values[done.entry->source];
  }
  for (; done.pair != gather_pairs_.end() && done.pair->target < end; ++done.pair) {
    factor_[static_cast<std::size_t>(done.pair->target)] =
        0.5 * (values[done.pair->first] + values[done.pair->second]);
  }
  if (!elimination.in_loop || elimination.multiplier < 0) return;
  for (int k = 0; k < column.size; ++k) {
    block[k * (column.height + 1)] -= regularisation_[elimination.multiplier + k];
  }
}

// A pivot, or what takes its place: see the header on rows that depend on
// others. A row without free bodies is left to itself.
double BlockLdlt::judged_pivot(const Elimination& elimination,
                               int k,
                               double pivot,
                               Part& part) const {
  constexpr double floor_factor = smallest_pivot / default_regularisation;
  if (pivot * elimination.sign() <= 0.0) ++part.wrong_signs;
  const bool watched = elimination.in_loop && elimination.multiplier >= 0;
  const double floor = watched ? floor_factor * regularisation_[elimination.multiplier + k]
                               : std::numeric_limits<double>::min();
  if (!(std::abs(pivot) < floor)) return pivot;
  if (elimination.sign() < 0.0) ++part.dependent_rows;
  return elimination.sign() * (elimination.in_loop ? floor : 1.0);
}

// LDL^T of the pivot block (lower triangle, in place).
template <class Size>
void BlockLdlt::factor_pivot(
    const Column& column, const Elimination& elimination, Size n, double* block, Part& part) const {
  for (int k = 0; k < n; ++k) {
    double* pivot_column = block + static_cast<std::ptrdiff_t>(k) * column.height;
    const double inverse = 1.0 / judged_pivot(elimination, k, pivot_column[k], part);
    pivot_column[k] = inverse;
    for (int j = k + 1; j < n; ++j) {
      const double factor = pivot_column[j] * inverse;
      double* other = block + static_cast<std::ptrdiff_t>(j) * column.height;
      for (int i = j; i < n; ++i) other[i] -= pivot_column[i] * factor;
    }
    for (int i = k + 1; i < n; ++i) pivot_column[i] *= inverse;
  }
}

// The panel B below the pivot block: W = B L^-T is kept in `scaled`, and B
// becomes W D^-1.
template <class Size>
void BlockLdlt::factor_panel(const Column& column, Size n, double* block, Part& part) const {
  in_bunches(column.height - n, [&](auto rows, int start) {
    solve_panel<rows>(n, column.height, block, block + n + start, part.scaled.data() + n + start);
  });
}

// Takes a column's part from those that it is eliminated into.
template <class Size>
void BlockLdlt::update_targets(const Column& column,
                               int first_update,
                               int end_update,
                               Size n,
                               const double* block,
                               const double* scaled) {
  for (int u = first_update; u < end_update; ++u) {
    const Update& update = updates_[static_cast<std::size_t>(u)];
    in_bunches(update.rows, [&](auto rows, int start) {
      subtract_product<rows>(update.columns, n, scaled + update.row_start + start,
                             block + update.column_start, column.height,
                             factor_.data() + update.target + start, update.stride);
    });
  }
}

// All but what it takes from the rest.
void BlockLdlt::factor_part(const double* values, Part& part) {
  part.wrong_signs = 0;
  part.dependent_rows = 0;
  part.ok = true;
  if (part.first == part.end) return;
  // What is gathered is what a column is eliminated into: on a chain just the
  // next columns, which stay in the cache. The rest was gathered before.
  const bool rest = &part == &parts_.back() && parts_.size() > 1;
  Gathered done = first_gathered(part.first);
  int next = rest ? part.end : part.first;
  auto boundary = part.boundary.begin();
  for (int p = part.first; p < part.end; ++p) {
    const auto at = static_cast<std::size_t>(p);
    const Column& column = columns_[at];
    const Elimination& elimination = eliminations_[at];
    for (; next <= elimination.last_target; ++next) {
      gather(static_cast<std::size_t>(next), values, done);
    }
    int updates = elimination.update_count;
    if (boundary != part.boundary.end() && boundary->column == p) {
      updates = boundary->own_updates;
      ++boundary;
    }
    double* block = factor_.data() + column.offset;
    with_size(column.size, [&](auto size) {
      factor_pivot(column, elimination, size, block, part);
      factor_panel(column, size, block, part);
      update_targets(column, elimination.first_update, elimination.first_update + updates, size,
                     block, part.scaled.data());
    });
    if (column.row_count > 0) continue;
    // The last of its tree: all that is not finite has come here.
    const int last = (column.size - 1) * (column.height + 1);
    part.ok = part.ok && std::isfinite(block[last]);
  }
}

// What a part takes from the rest. The rows of W that this needs come from W
// D^-1.
void BlockLdlt::update_rest(Part& part) {
  for (const Boundary& boundary : part.boundary) {
    const auto at = static_cast<std::size_t>(boundary.column);
    const Column& column = columns_[at];
    const Elimination& elimination = eliminations_[at];
    const double* block = factor_.data() + column.offset;
    const int first = rows_[static_cast<std::size_t>(column.first_row + boundary.own_rows)].start;
    for (int k = 0; k < column.size; ++k) {
      const double* own = block + static_cast<std::ptrdiff_t>(k) * column.height;
      double* scaled = part.scaled.data() + static_cast<std::ptrdiff_t>(k) * column.height;
      for (int i = first; i < column.height; ++i) scaled[i] = own[i] / own[k];
    }
    with_size(column.size, [&](auto size) {
      update_targets(column, elimination.first_update + boundary.own_updates,
                     elimination.first_update + elimination.update_count, size, block,
                     part.scaled.data());
    });
  }
}

template <class Function>
void BlockLdlt::for_parts(const Function& function) {
  const int parts = static_cast<int>(parts_.size()) - 1;
  const auto work = [&](int /*thread*/, int i) { function(parts_[static_cast<std::size_t>(i)]); };
  const SolverScope* scope = parts > 1 ? SolverScope::current() : nullptr;
  if (scope != nullptr && scope->team()) {
    scope->team()(parts, work);
  } else {
    for (int i = 0; i < parts; ++i) work(0, i);
  }
}

FactorReport BlockLdlt::factor(const KktMatrix& matrix) {
  if (loops_) regularisation(matrix, default_regularisation, regularisation_);
  const double* values = matrix.values.data();
  Part& rest = parts_.back();
  for_parts([&](Part& part) { factor_part(values, part); });
  if (parts_.size() > 1 && rest.first < rest.end) {
    Gathered done = first_gathered(rest.first);
    for (int p = rest.first; p < rest.end; ++p) gather(static_cast<std::size_t>(p), values, done);
  }
  for (std::size_t i = 0; i + 1 < parts_.size(); ++i) update_rest(parts_[i]);
  factor_part(values, rest);
  FactorReport report;
  for (const Part& part : parts_) {
    report.wrong_signs += part.wrong_signs;
    report.dependent_rows += part.dependent_rows;
    report.ok = report.ok && part.ok;
  }
  return report;
}

// Calls `function(Constant<rows>, row of the column's array, first unknown)`
// for what stands below the first `to` unknowns of a column: the rest of its
// own block, then so many blocks of the panel.
template <class Function>
void BlockLdlt::below(const Column& column, int to, int rows, Function&& function) const {
  in_bunches(column.size - to, [&](auto bunch, int start) {
    function(bunch, to + start, column.first + to + start);
  });
  for (int r = column.first_row; r < column.first_row + rows; ++r) {
    const PanelRow& row = rows_[static_cast<std::size_t>(r)];
    in_bunches(row.size, [&](auto bunch, int start) {
      function(bunch, row.start + start, row.first + start);
    });
  }
}

// L y = b.
void BlockLdlt::eliminate(const Column& column, int rows, double* x) const {
  in_bunches(column.size, [&](auto size, int from) {
    const double* block =
        factor_.data() + column.offset + static_cast<std::ptrdiff_t>(from) * column.height;
    double own[size];
    std::copy_n(x + column.first + from, size, own);
    solve_lower<size>(block + from, column.height, own);
    std::copy_n(own, size, x + column.first + from);
    below(column, from + size, rows, [&](auto bunch, int row, int unknown) {
      subtract_times<bunch, size>(block + row, column.height, own, x + unknown);
    });
  });
}

// D z = y, L^T x = z.
void BlockLdlt::substitute(const Column& column, double* x) const {
  in_bunches_backwards(column.size, [&](auto size, int from) {
    const double* block =
        factor_.data() + column.offset + static_cast<std::ptrdiff_t>(from) * column.height;
    double own[size];
    for (int k = 0; k < size; ++k) {
      own[k] = x[column.first + from + k] * block[from + k * (column.height + 1)];
    }
    below(column, from + size, column.row_count, [&](auto rows, int row, int unknown) {
      subtract_transposed_times<rows, size>(block + row, column.height, x + unknown, own);
    });
    solve_lower_transposed<size>(block + from, column.height, own);
    std::copy_n(own, size, x + column.first + from);
  });
}

void BlockLdlt::eliminate_part(const Part& part, double* x) const {
  auto boundary = part.boundary.begin();
  for (int p = part.first; p < part.end; ++p) {
    const Column& column = columns_[static_cast<std::size_t>(p)];
    int rows = column.row_count;
    if (boundary != part.boundary.end() && boundary->column == p) rows = (boundary++)->own_rows;
    eliminate(column, rows, x);
  }
}

// What a part takes from the unknowns of the rest.
void BlockLdlt::eliminate_rest(const Part& part, double* x) const {
  for (const Boundary& boundary : part.boundary) {
    const Column& column = columns_[static_cast<std::size_t>(boundary.column)];
    in_bunches(column.size, [&](auto size, int from) {
      const double* block =
          factor_.data() + column.offset + static_cast<std::ptrdiff_t>(from) * column.height;
      for (int r = boundary.own_rows; r < column.row_count; ++r) {
        const PanelRow& row = rows_[static_cast<std::size_t>(column.first_row + r)];
        in_bunches(row.size, [&](auto bunch, int start) {
          subtract_times<bunch, size>(block + row.start + start, column.height,
                                      x + column.first + from, x + row.first + start);
        });
      }
    });
  }
}

void BlockLdlt::substitute_part(const Part& part, double* x) const {
  // Backwards the processor does not foresee what is needed.
  constexpr int ahead = 4;
  for (int p = part.end - 1; p >= part.first; --p) {
    if (p - part.first >= ahead) prefetch(columns_[static_cast<std::size_t>(p - ahead)]);
    substitute(columns_[static_cast<std::size_t>(p)], x);
  }
}

void BlockLdlt::solve(const Vector& right_side, Vector& solution) {
  if (&solution != &right_side) solution = right_side;
  double* x = solution.data();
  for_parts([&](const Part& part) { eliminate_part(part, x); });
  for (std::size_t i = 0; i + 1 < parts_.size(); ++i) eliminate_rest(parts_[i], x);
  eliminate_part(parts_.back(), x);
  substitute_part(parts_.back(), x);
  for_parts([&](const Part& part) { substitute_part(part, x); });
}

void BlockLdlt::prefetch(const Column& column) const {
  constexpr int line = 64 / sizeof(double);
  const double* block = factor_.data() + column.offset;
  for (int i = 0; i < column.height * column.size; i += line) __builtin_prefetch(block + i);
}

std::size_t BlockLdlt::memory_bytes() const {
  return factor_.capacity() * sizeof(double) + gather_.capacity() * sizeof(Gather) +
         gather_pairs_.capacity() * sizeof(GatherPair) + columns_.capacity() * sizeof(Column) +
         eliminations_.capacity() * sizeof(Elimination) + rows_.capacity() * sizeof(PanelRow) +
         updates_.capacity() * sizeof(Update) +
         static_cast<std::size_t>(regularisation_.size()) * sizeof(double);
}

}  // namespace trammel::linear
