// Results that are read a few rows at a time, so that memory does not grow with the file.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include "trammel/results/table.h"

namespace trammel::results {

/// What a file holds, without the numbers themselves.
struct Contents : RunRecord {
  std::vector<Channel> channels;
  std::size_t rows = 0;
  double first_time = 0.0;  ///< s; 0 when there are no rows
  double last_time = 0.0;   ///< s
};

/// Rows that follow each other, column by column.
struct RowBlock {
  std::size_t first = 0;  ///< number of the first row
  std::span<const double> time;
  std::vector<std::span<const double>> columns;  ///< of the chosen channels, in their order
};

using RowVisitor = std::function<void(const RowBlock&)>;

class RowSource {
 public:
  virtual ~RowSource() = default;
  virtual const Contents& contents() const = 0;
  /// Shows all rows of these channels, block by block. InputError when damage is found.
  virtual void read(const std::vector<std::size_t>& chosen, const RowVisitor& visit) const = 0;
};

}  // namespace trammel::results
