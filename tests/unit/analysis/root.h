// Roots of functions that change their sign, for exact times of events.
#pragma once

namespace trammel::analysis {

/// The root of f between low and high, where it changes its sign.
template <class F>
double root(F f, double low, double high) {
  const bool rising = f(high) > 0.0;
  for (int i = 0; i < 200; ++i) {
    const double middle = 0.5 * (low + high);
    ((f(middle) > 0.0) == rising ? high : low) = middle;
  }
  return low;
}

}  // namespace trammel::analysis
