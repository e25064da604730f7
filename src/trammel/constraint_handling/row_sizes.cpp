#include "trammel/constraint_handling/row_sizes.h"

#include <algorithm>
#include <cmath>

namespace trammel::constraint_handling {

void row_sizes(const system::KktMatrix& matrix,
               const system::Vector& displacement_scale,
               system::Vector& result) {
  const system::KktPattern& pattern = *matrix.pattern;
  result.setZero(pattern.multipliers);
  for (int column = 0; column < pattern.velocities; ++column) {
    const auto c = static_cast<std::size_t>(column);
    // Rows ascend: the entries of G are the last ones.
    for (int k = pattern.column_start[c + 1] - 1; k >= pattern.column_start[c]; --k) {
      const int row = pattern.row[static_cast<std::size_t>(k)] - pattern.velocities;
      if (row < 0) break;
      const double change =
          std::abs(matrix.values[static_cast<std::size_t>(k)]) * displacement_scale[column];
      result[row] = std::max(result[row], change);
    }
  }
  const double largest = result.size() > 0 ? result.maxCoeff() : 0.0;
  for (double& size : result) {
    if (!(size > 0.0)) size = largest > 0.0 ? largest : 1.0;
  }
}

}  // namespace trammel::constraint_handling
