// Constraint rows that do not hold at present stay in the matrices, as multipliers that are zero.
#pragma once

#include "trammel/system/kkt_matrix.h"

namespace trammel::system {

/// Makes the multiplier of a row, whose entries of G are zero, zero in every solution whose right
/// side has a zero there. The sign is that of multipliers in a quasi-definite matrix.
inline void open_row(int row, KktMatrix& matrix) {
  const auto unknown = static_cast<std::size_t>(matrix.pattern->velocities + row);
  matrix.values[static_cast<std::size_t>(matrix.pattern->diagonal[unknown])] = -1.0;
}

/// Whether open_row() was called for a row of this matrix.
inline bool is_open_row(int row, const KktMatrix& matrix) {
  const auto unknown = static_cast<std::size_t>(matrix.pattern->velocities + row);
  return matrix.values[static_cast<std::size_t>(matrix.pattern->diagonal[unknown])] != 0.0;
}

}  // namespace trammel::system
