#include "trammel/results/summary.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

namespace trammel::results {

Summary summary(std::span<const double> time, std::span<const double> values) {
  constexpr double nothing = std::numeric_limits<double>::quiet_NaN();
  Summary s{nothing, nothing, nothing, nothing, nothing, nothing, nothing};
  const std::size_t count = std::min(time.size(), values.size());
  if (count == 0) return s;
  s.last = values[count - 1];
  if (std::any_of(values.begin(), values.end(), [](double x) { return std::isnan(x); })) return s;
  const auto [low, high] = std::minmax_element(values.begin(), values.end(), std::less<>{});
  // minmax_element names the last of several largest ones.
  const auto first_high = std::find(values.begin(), high, *high);
  s.least = *low;
  s.least_time = time[static_cast<std::size_t>(low - values.begin())];
  s.largest = *high;
  s.largest_time = time[static_cast<std::size_t>(first_high - values.begin())];
  const double duration = time[count - 1] - time[0];
  if (!(duration > 0.0)) {
    s.mean = values[0];
    s.rms = std::abs(values[0]);
    return s;
  }
  // Squares relative to the largest value, so that none overflows.
  const double scale = std::max({std::abs(s.least), std::abs(s.largest), 1e-300});
  double sum = 0.0;
  double squares = 0.0;
  for (std::size_t i = 1; i < count; ++i) {
    const double h = (time[i] - time[i - 1]) / duration;
    const double a = values[i - 1] / scale;
    const double b = values[i] / scale;
    sum += 0.5 * h * (a + b);
    squares += h * (a * a + a * b + b * b) / 3.0;  // exact for straight lines
  }
  s.mean = scale * sum;
  s.rms = scale * std::sqrt(squares);
  return s;
}

}  // namespace trammel::results
