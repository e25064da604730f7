#include "trammel/constraint_handling/row_sizes.h"

#include <algorithm>
#include <cmath>

namespace trammel::constraint_handling {

namespace {

// Calls of_entry(row, column, |G_ij|).
template <class OfEntry>
void each_jacobian_entry(const system::KktMatrix& matrix, const OfEntry& of_entry) {
  const system::KktPattern& pattern = *matrix.pattern;
  for (int column = 0; column < pattern.velocities; ++column) {
    const auto c = static_cast<std::size_t>(column);
    // Rows ascend: the entries of G are the last ones.
    for (int k = pattern.column_start[c + 1] - 1; k >= pattern.column_start[c]; --k) {
      const int row = pattern.row[static_cast<std::size_t>(k)] - pattern.velocities;
      if (row < 0) break;
      of_entry(row, column, std::abs(matrix.values[static_cast<std::size_t>(k)]));
    }
  }
}

}  // namespace

void row_sizes(const system::KktMatrix& matrix,
               const system::Vector& displacement_scale,
               system::Vector& result) {
  result.setZero(matrix.pattern->multipliers);
  each_jacobian_entry(matrix, [&](int row, int column, double entry) {
    result[row] = std::max(result[row], entry * displacement_scale[column]);
  });
  const double largest = result.size() > 0 ? result.maxCoeff() : 0.0;
  for (double& size : result) {
    if (!(size > 0.0)) size = largest > 0.0 ? largest : 1.0;
  }
}

void row_round_off(const system::KktMatrix& matrix,
                   const system::Vector& position_round_off,
                   system::Vector& result) {
  result.setZero(matrix.pattern->multipliers);
  each_jacobian_entry(matrix, [&](int row, int column, double entry) {
    result[row] += entry * position_round_off[column];
  });
}

}  // namespace trammel::constraint_handling
