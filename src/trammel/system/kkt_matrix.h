// The linear system at the heart of every method, with a sparsity pattern that never changes:
//
//     [ K  G^T ]   K: n_v x n_v, the weighted tangent
//     [ G   0  ]   G: constraint Jacobian, holonomic rows first
//
// K is stored in full and G once, below it (compressed columns, rows ascending); G^T is implied.
// Every diagonal entry is in the pattern. Unknowns come in blocks, a body's velocities or a joint's
// multipliers: solvers eliminate along this graph.
#pragma once

#include <memory>
#include <vector>

#include "trammel/system/state.h"

namespace trammel::system {

struct KktPattern {
  int velocities = 0;
  int multipliers = 0;
  std::vector<int> column_start;  ///< size() + 1 entries
  std::vector<int> row;
  std::vector<int> diagonal;     ///< position of each diagonal entry in the values
  std::vector<int> block_start;  ///< first unknown of each block, then size(); none spans n_v

  int size() const { return velocities + multipliers; }
  int entries() const { return static_cast<int>(row.size()); }
  int blocks() const { return static_cast<int>(block_start.size()) - 1; }

  /// Position of entry (row, column) in the values, or -1. For an entry of G^T: that of its image.
  int find(int entry_row, int entry_column) const;
};

/// Collects the entries of a pattern in any order, with repetitions.
class KktPatternBuilder {
 public:
  KktPatternBuilder(int velocities, int multipliers);
  /// Entry (row, column) and its mirror image; entries of G and G^T are the same.
  void add(int row, int column);
  /// Declares that the unknowns [start, start + size) form a block; uncovered ones stand alone.
  void add_block(int start, int size);
  KktPattern build();

 private:
  int velocities_;
  int multipliers_;
  std::vector<std::pair<int, int>> entries_;
  std::vector<std::pair<int, int>> blocks_;
};

struct KktMatrix {
  std::shared_ptr<const KktPattern> pattern;
  std::vector<double> values;

  explicit KktMatrix(std::shared_ptr<const KktPattern> shape)
      : pattern(std::move(shape)), values(static_cast<std::size_t>(pattern->entries())) {}

  /// y = A x.
  void multiply(const Vector& x, Vector& y) const;
  /// max |K_ij - K_ji| relative to max |K_ij|.
  double asymmetry() const;
  /// Makes unknown i zero in every solution whose right-hand side has a zero there.
  void fix_unknown(int i);
};

}  // namespace trammel::system
