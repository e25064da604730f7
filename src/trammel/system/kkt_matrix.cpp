#include "trammel/system/kkt_matrix.h"

#include <algorithm>
#include <cmath>

namespace trammel::system {

int KktPattern::find(int entry_row, int entry_column) const {
  if (entry_row < velocities && entry_column >= velocities) return find(entry_column, entry_row);
  const auto column = static_cast<std::size_t>(entry_column);
  const auto begin = row.begin() + column_start[column];
  const auto end = row.begin() + column_start[column + 1];
  const auto found = std::lower_bound(begin, end, entry_row);
  return found != end && *found == entry_row ? static_cast<int>(found - row.begin()) : -1;
}

namespace {

using Entries = std::vector<std::pair<int, int>>;

// (column, row) pairs without repetitions, as compressed columns with ascending rows. Columns are
// counted, not compared: millions of entries are sorted by the few of each column.
struct Columns {
  std::vector<std::size_t> start;
  std::vector<int> row;

  Columns(const Entries& entries, std::size_t columns)
      : start(columns + 1, 0), row(entries.size()) {
    for (const auto& entry : entries) ++start[static_cast<std::size_t>(entry.first) + 1];
    for (std::size_t c = 0; c < columns; ++c) start[c + 1] += start[c];
    std::vector<std::size_t> next(start.begin(), start.end() - 1);
    for (const auto& [column, r] : entries) row[next[static_cast<std::size_t>(column)]++] = r;
    std::size_t kept = 0;
    for (std::size_t c = 0; c < columns; ++c) {
      const auto begin = row.begin() + static_cast<std::ptrdiff_t>(start[c]);
      const auto end = row.begin() + static_cast<std::ptrdiff_t>(next[c]);
      std::sort(begin, end);
      const auto last = std::unique(begin, end);
      start[c] = kept;
      kept = static_cast<std::size_t>(
          std::copy(begin, last, row.begin() + static_cast<std::ptrdiff_t>(kept)) - row.begin());
    }
    start[columns] = kept;
    row.resize(kept);
  }
};

}  // namespace

KktPatternBuilder::KktPatternBuilder(int velocities, int multipliers)
    : velocities_(velocities), multipliers_(multipliers) {
  for (int i = 0; i < velocities + multipliers; ++i) entries_.emplace_back(i, i);
}

void KktPatternBuilder::add(int row, int column) {
  // Elements name the same places again and again: before a long list grows, repetitions go.
  constexpr std::size_t long_list = std::size_t{1} << 22U;
  if (entries_.size() >= long_list && entries_.size() + 1 >= entries_.capacity()) {
    const Columns kept(entries_, static_cast<std::size_t>(velocities_ + multipliers_));
    entries_.clear();
    for (std::size_t c = 0; c + 1 < kept.start.size(); ++c) {
      for (std::size_t k = kept.start[c]; k < kept.start[c + 1]; ++k) {
        entries_.emplace_back(static_cast<int>(c), kept.row[k]);
      }
    }
    if (2 * entries_.size() > entries_.capacity()) entries_.reserve(2 * entries_.capacity());
  }
  if (row < velocities_ && column < velocities_) {
    entries_.emplace_back(column, row);
    if (row != column) entries_.emplace_back(row, column);
  } else {
    entries_.emplace_back(std::min(row, column), std::max(row, column));
  }
}

void KktPatternBuilder::add_block(int start, int size) {
  if (size > 0) blocks_.emplace_back(start, size);
}

KktPattern KktPatternBuilder::build() {
  KktPattern pattern;
  pattern.velocities = velocities_;
  pattern.multipliers = multipliers_;
  const auto size = static_cast<std::size_t>(velocities_ + multipliers_);
  {
    const Columns columns(entries_, size);
    Entries().swap(entries_);
    pattern.column_start.assign(columns.start.begin(), columns.start.end());
    pattern.row.assign(columns.row.begin(), columns.row.end());
  }
  pattern.diagonal.resize(size);
  for (std::size_t i = 0; i < size; ++i) {
    pattern.diagonal[i] = pattern.find(static_cast<int>(i), static_cast<int>(i));
  }

  // Declared blocks, and every unknown outside them as a block of its own.
  std::sort(blocks_.begin(), blocks_.end());
  int next = 0;
  for (const auto& [start, length] : blocks_) {
    while (next < start) pattern.block_start.push_back(next++);
    pattern.block_start.push_back(start);
    next = start + length;
  }
  while (next < pattern.size()) pattern.block_start.push_back(next++);
  pattern.block_start.push_back(pattern.size());
  pattern.block_start.shrink_to_fit();
  return pattern;
}

void KktMatrix::multiply(const Vector& x, Vector& y) const {
  y.setZero(pattern->size());
  const int* start = pattern->column_start.data();
  const int* row = pattern->row.data();
  for (int column = 0; column < pattern->size(); ++column) {
    const double factor = x[column];
    double mirrored = 0.0;  // row `column` of G^T x
    for (int k = start[column]; k < start[column + 1]; ++k) {
      const double value = values[static_cast<std::size_t>(k)];
      y[row[k]] += value * factor;
      if (row[k] >= pattern->velocities && column < pattern->velocities) {
        mirrored += value * x[row[k]];
      }
    }
    y[column] += mirrored;
  }
}

double KktMatrix::asymmetry() const {
  double largest = 0.0;
  double difference = 0.0;
  for (int column = 0; column < pattern->velocities; ++column) {
    const auto c = static_cast<std::size_t>(column);
    for (int k = pattern->column_start[c]; k < pattern->column_start[c + 1]; ++k) {
      const auto entry = static_cast<std::size_t>(k);
      const int row = pattern->row[entry];
      if (row >= pattern->velocities) break;
      const auto mirror = static_cast<std::size_t>(pattern->find(column, row));
      largest = std::max(largest, std::abs(values[entry]));
      difference = std::max(difference, std::abs(values[entry] - values[mirror]));
    }
  }
  return largest > 0.0 ? difference / largest : 0.0;
}

void KktMatrix::fix_unknown(int i) {
  const auto column = static_cast<std::size_t>(i);
  for (int k = pattern->column_start[column]; k < pattern->column_start[column + 1]; ++k) {
    const int other = pattern->row[static_cast<std::size_t>(k)];
    values[static_cast<std::size_t>(k)] = 0.0;
    values[static_cast<std::size_t>(pattern->find(i, other))] = 0.0;
  }
  values[static_cast<std::size_t>(pattern->diagonal[column])] = 1.0;
}

}  // namespace trammel::system
