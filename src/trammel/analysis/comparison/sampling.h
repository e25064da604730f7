// The times at which runs are compared with the reference: equidistant, on the grid of every step.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

namespace trammel::analysis::comparison {

struct Sampling {
  double interval = 0.0;  ///< s
  long count = 0;         ///< samples after the start

  /// Steps in an interval, when they are to be no longer than h.
  long steps_per_sample(double h) const {
    constexpr double slack = 1e-9;  // 8 ms / 1 ms is eight steps, whatever rounding says
    return std::max(1L, static_cast<long>(std::ceil(interval / h - slack)));
  }
  /// The step that divides the interval evenly: h itself, or a little less.
  double fitted(double h) const { return interval / static_cast<double>(steps_per_sample(h)); }
};

/// About `wanted` samples, a whole number of the longest step apart.
inline Sampling choose_sampling(const std::vector<double>& steps, double until, long wanted = 200) {
  const double longest = std::min(*std::max_element(steps.begin(), steps.end()), until);
  const double steps_apart =
      std::max(1.0, std::ceil(until / (static_cast<double>(wanted) * longest) - 1e-9));
  const auto count =
      std::max(1L, static_cast<long>(std::ceil(until / (steps_apart * longest) - 1e-9)));
  return {until / static_cast<double>(count), count};
}

}  // namespace trammel::analysis::comparison
