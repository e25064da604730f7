// The scale of one direction of a plot: range, ticks and their labels.
#pragma once

#include <string>
#include <vector>

namespace trammel::results::plotting {

struct Tick {
  double value = 0.0;
  std::string label;
};

struct Axis {
  double low = 0.0;
  double high = 1.0;
  std::vector<Tick> ticks;
  std::string note;  ///< what the labels leave out: a power of ten, a large constant; or empty
};

/// The smallest range that holds all finite values of both, given as {low, high} with low <= high;
/// low > high means that there is none yet.
struct Range {
  double low = 1.0;
  double high = -1.0;

  bool empty() const { return low > high; }
  void include(double value);
};

/// Ticks at multiples of 1, 2 or 5 times a power of ten, at most about `most_ticks` of them.
/// `padding` is the part of the range that is added at each end. A range without width is widened.
Axis make_axis(Range range, int most_ticks, double padding);

/// The axis of decimal logarithms: ticks at powers of ten, every one or every few of them; at 1, 2
/// and 5 times a power of ten where the range holds less than two.
Axis make_log_axis(const Range& range, double padding);

/// "10⁻³" for -3.
std::string power_of_ten(int exponent);
/// "m/s^2" becomes "m/s²".
std::string with_superscripts(const std::string& unit);

}  // namespace trammel::results::plotting
