#include "trammel/results/plotting/axis.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace trammel::results::plotting {
namespace {

constexpr double largest = 1e300;  ///< beyond it, differences would overflow

/// 1, 2 or 5 times a power of ten, not less than `least`.
double nice_step(double least) {
  const double power = std::pow(10.0, std::floor(std::log10(least)));
  for (const double factor : {1.0, 2.0, 5.0}) {
    if (factor * power >= least * (1.0 - 1e-9)) return factor * power;
  }
  return 10.0 * power;
}

int exponent_of(double number) {
  return number == 0.0 ? 0 : static_cast<int>(std::floor(std::log10(std::abs(number)) + 1e-9));
}

std::string with_minus_sign(std::string text) {
  if (!text.empty() && text[0] == '-') text.replace(0, 1, "\u2212");
  return text;
}

/// Written with as many decimals as the step needs, without "-0".
std::string label_of(double value, double step) {
  const int decimals = std::clamp(-exponent_of(step), 0, 12);
  std::string text = fmt::format("{:.{}f}", value, decimals);
  if (text.find_first_not_of("-0.") == std::string::npos && text[0] == '-') text.erase(0, 1);
  return with_minus_sign(text);
}

/// A round constant near the range, to be taken out of the labels when all of them would begin with
/// the same many digits; else 0.
double common_part(double low, double high) {
  const double magnitude = std::max(std::abs(low), std::abs(high));
  if (high - low > 1e-4 * magnitude) return 0.0;
  const double unit = std::pow(10.0, exponent_of(high - low) + 1);
  return std::floor(low / unit) * unit;
}

Range widened(Range range, double padding) {
  if (range.empty()) return {0.0, 1.0};
  const double magnitude = std::max(std::abs(range.low), std::abs(range.high));
  // A range of rounding errors is none.
  if (range.high - range.low <= 1e-12 * magnitude || range.high == range.low) {
    const double half = magnitude > 0.0 ? 0.1 * magnitude : 1.0;
    return {range.low - half, range.high + half};
  }
  const double extra = padding * (range.high - range.low);
  return {range.low - extra, range.high + extra};
}

}  // namespace

void Range::include(double value) {
  if (!(std::abs(value) <= largest)) return;
  const bool first = empty();
  low = first ? value : std::min(low, value);
  high = first ? value : std::max(high, value);
}

std::string power_of_ten(int exponent) {
  constexpr const char* digits[] = {"\u2070", "\u00B9", "\u00B2", "\u00B3", "\u2074",
                                    "\u2075", "\u2076", "\u2077", "\u2078", "\u2079"};
  std::string text = "10";
  for (const char c : std::to_string(exponent)) text += c == '-' ? "\u207B" : digits[c - '0'];
  return text;
}

std::string with_superscripts(const std::string& unit) {
  std::string text;
  std::size_t begin = 0;
  for (std::size_t caret = unit.find('^'); caret != std::string::npos;
       caret = unit.find('^', caret + 1)) {
    // Sign and up to three digits after the caret.
    const std::size_t digits = unit.find_first_not_of('-', caret + 1);
    const std::size_t end = std::min(unit.find_first_not_of("0123456789", digits), unit.size());
    if (digits == std::string::npos || digits > caret + 2 || end <= digits || end > digits + 3) {
      continue;
    }
    const int exponent = std::stoi(unit.substr(caret + 1, end - caret - 1));
    text += unit.substr(begin, caret - begin) + power_of_ten(exponent).substr(2);
    begin = end;
  }
  return text + unit.substr(begin);
}

Axis make_axis(Range range, int most_ticks, double padding) {
  const Range wide = widened(range, padding);
  const double offset = common_part(wide.low, wide.high);
  const double step = nice_step((wide.high - wide.low) / std::max(1, most_ticks));

  // Numbers of five digits and more, or smaller than a hundredth, get a common power of ten.
  const double reach = std::max(std::abs(wide.low - offset), std::abs(wide.high - offset));
  const int magnitude = exponent_of(reach);
  const int exponent =
      magnitude >= 5 || magnitude < -2 ? static_cast<int>(std::floor(magnitude / 3.0)) * 3 : 0;
  const double unit = std::pow(10.0, exponent);

  Axis axis{wide.low, wide.high, {}, {}};
  const double tolerance = 1e-9 * step;
  for (double k = std::ceil((wide.low - offset - tolerance) / step);
       offset + k * step <= wide.high + tolerance && axis.ticks.size() < 100; ++k) {
    axis.ticks.push_back({offset + k * step, label_of(k * step / unit, step / unit)});
  }
  if (exponent != 0) axis.note = "\u00D7" + power_of_ten(exponent);
  if (offset != 0.0) {
    axis.note += fmt::format("{}{} {:.15g}", axis.note.empty() ? "" : " ",
                             offset > 0.0 ? "+" : "\u2212", std::abs(offset));
  }
  return axis;
}

Axis make_log_axis(const Range& range, double padding) {
  Axis axis;
  if (range.empty()) return axis;
  const double width = std::max(range.high - range.low, 0.5);
  axis.low = range.low - padding * width;
  axis.high = range.high + padding * width;
  const int first = static_cast<int>(std::ceil(axis.low));
  const int last = static_cast<int>(std::floor(axis.high));
  const int every = std::max(1, (last - first + 1 + 7) / 8);
  for (int exponent = first; exponent <= last; exponent += every) {
    axis.ticks.push_back({static_cast<double>(exponent), power_of_ten(exponent)});
  }
  // Within one decade: 1, 2, 5.
  if (axis.ticks.size() > 1) return axis;
  axis.ticks.clear();
  for (int exponent = first - 1; exponent <= last + 1; ++exponent) {
    for (const int digit : {1, 2, 5}) {
      const double value = digit * std::pow(10.0, exponent);
      const double place = std::log10(value);
      if (place >= axis.low && place <= axis.high) {
        axis.ticks.push_back({place, fmt::format("{:g}", value)});
      }
    }
  }
  return axis;
}

}  // namespace trammel::results::plotting
