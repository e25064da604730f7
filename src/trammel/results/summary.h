// A channel in a few numbers.
//
//     mean = 1/T int x dt,     rms = sqrt(1/T int x^2 dt)       of the straight lines between rows,
// so that rows that lie closer together do not count for more.
#pragma once

#include <span>

namespace trammel::results {

struct Summary {
  double least = 0.0;
  double least_time = 0.0;  ///< s, the first of several
  double largest = 0.0;
  double largest_time = 0.0;
  double mean = 0.0;
  double rms = 0.0;
  double last = 0.0;
};

/// NaN for all that values without a number make meaningless, and for no values at all.
Summary summary(std::span<const double> time, std::span<const double> values);

}  // namespace trammel::results
