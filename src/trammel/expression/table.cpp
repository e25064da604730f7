#include "trammel/expression/table.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "trammel/expression/primitives.h"
#include "trammel/expression/table_slopes.h"

namespace trammel::expression {
namespace {

/// Equal to the last digits that a text file usually has.
constexpr double closing_tolerance = 1e-9;
/// Intervals count as equal when every point is nearer to its place than this part of an interval;
/// the search corrects by one interval, so that the limit is not critical.
constexpr double spacing_tolerance = 1e-6;

double largest_magnitude(const std::vector<double>& values) {
  double largest = 0.0;
  for (const double value : values) largest = std::max(largest, std::abs(value));
  return largest;
}

void check_numbers(const std::string& name,
                   const std::vector<double>& numbers,
                   std::string_view column,
                   core::Diagnostics& diagnostics) {
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    if (std::isfinite(numbers[i])) continue;
    diagnostics.error(name, fmt::format("row {}: {} is {}", i + 1, column, numbers[i]),
                      "give a finite number or leave the row out");
    return;
  }
}

void check_order(const std::string& name,
                 const std::vector<double>& x,
                 core::Diagnostics& diagnostics) {
  for (std::size_t i = 1; i < x.size(); ++i) {
    if (x[i] > x[i - 1]) continue;
    const bool repeated = x[i] == x[i - 1];
    diagnostics.error(
        name,
        repeated ? fmt::format("row {}: the abscissa {} comes twice", i + 1, x[i])
                 : fmt::format("row {}: the abscissa {} is less than {} before it", i + 1, x[i],
                               x[i - 1]),
        repeated ? "a function has one value at a place; for a jump use two places close together"
                 : "sort the rows by increasing abscissa");
    return;
  }
}

/// Reciprocal of the common length of the intervals, or 0.
double reciprocal_spacing(const std::vector<double>& x) {
  const auto count = static_cast<double>(x.size() - 1);
  const double h = (x.back() - x.front()) / count;
  for (std::size_t i = 1; i + 1 < x.size(); ++i) {
    const double place = (x[i] - x.front()) / h;
    if (!(std::abs(place - static_cast<double>(i)) < spacing_tolerance)) return 0.0;
  }
  const double reciprocal = 1.0 / h;
  return std::isfinite(reciprocal) ? reciprocal : 0.0;
}

}  // namespace

Table::Table(std::string name, std::vector<double> x, std::vector<double> y, TableOptions options)
    : name_(std::move(name)), x_(std::move(x)), y_(std::move(y)), options_(options) {
  check();
  if (options_.extrapolation == Extrapolation::periodic) y_.back() = y_.front();
  intervals_per_length_ = reciprocal_spacing(x_);
  if (options_.interpolation == Interpolation::linear) {
    make_lines();
  } else {
    make_cubics(table_slopes(x_, y_, options_));
  }
}

void Table::check() const {
  core::Diagnostics diagnostics;
  if (x_.size() != y_.size()) {
    diagnostics.error(name_, fmt::format("{} abscissae, but {} values", x_.size(), y_.size()),
                      "give pairs of numbers");
  } else if (x_.size() < 2) {
    diagnostics.error(name_, fmt::format("{} points", x_.size()), "give at least 2 points");
  }
  check_numbers(name_, x_, "the abscissa", diagnostics);
  check_numbers(name_, y_, "the value", diagnostics);
  if (!diagnostics.has_errors()) check_order(name_, x_, diagnostics);
  const bool ends = options_.first_slope.has_value() || options_.last_slope.has_value();
  const bool periodic = options_.extrapolation == Extrapolation::periodic;
  if (ends && (options_.interpolation != Interpolation::spline || periodic)) {
    diagnostics.error(name_, "end slopes are given, but only open splines use them",
                      "use interpolation spline without periodic, or leave the slopes out");
  }
  for (const std::optional<double>& slope : {options_.first_slope, options_.last_slope}) {
    if (slope && !std::isfinite(*slope)) {
      diagnostics.error(name_, fmt::format("an end slope is {}", *slope), "give a finite number");
    }
  }
  if (!diagnostics.has_errors() && periodic &&
      std::abs(y_.back() - y_.front()) > closing_tolerance * largest_magnitude(y_)) {
    diagnostics.error(name_,
                      fmt::format("it is periodic, but the first value {} and the last {} differ",
                                  y_.front(), y_.back()),
                      "repeat the first value at the end of the period");
  }
  diagnostics.throw_if_errors();
}

void Table::make_cubics(const std::vector<double>& slopes) {
  for (std::size_t i = 0; i + 1 < x_.size(); ++i) {
    const double h = x_[i + 1] - x_[i];
    const double chord = (y_[i + 1] - y_[i]) / h;
    const double left = slopes[i];
    const double right = slopes[i + 1];
    cubics_.push_back({y_[i], left, (3.0 * chord - 2.0 * left - right) / h,
                       (left + right - 2.0 * chord) / (h * h)});
  }
}

void Table::make_lines() {
  for (std::size_t i = 0; i + 1 < x_.size(); ++i) {
    cubics_.push_back({y_[i], (y_[i + 1] - y_[i]) / (x_[i + 1] - x_[i]), 0.0, 0.0});
  }
}

std::size_t Table::interval_of(double x) const {
  const std::size_t last = cubics_.size() - 1;
  if (intervals_per_length_ > 0.0) {
    const double place =
        std::clamp((x - x_.front()) * intervals_per_length_, 0.0, static_cast<double>(last));
    auto i = static_cast<std::size_t>(place);
    if (x < x_[i] && i > 0) --i;
    if (i < last && x >= x_[i + 1]) ++i;
    return i;
  }
  const auto above = std::upper_bound(x_.begin() + 1, x_.end() - 1, x);
  return static_cast<std::size_t>(above - x_.begin()) - 1;
}

Table::Place Table::find(double x) const {
  if (options_.extrapolation == Extrapolation::periodic) {
    const double period = x_.back() - x_.front();
    const double turns = std::floor((x - x_.front()) / period);
    x = std::clamp(x - turns * period, x_.front(), x_.back());
  }
  const double inside = std::clamp(x, x_.front(), x_.back());
  const std::size_t i = interval_of(inside);
  return {i, inside - x_[i], x - inside};
}

double Table::value(double x) const {
  return at(x).value;
}

Derivatives Table::at(double x) const {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  if (!std::isfinite(x)) return {nan, nan, nan, nan};
  const Place place = find(x);
  const Cubic& c = cubics_[place.interval];
  const double s = place.s;
  const double value = c.c0 + s * (c.c1 + s * (c.c2 + s * c.c3));
  const double first = c.c1 + s * (2.0 * c.c2 + s * 3.0 * c.c3);
  if (place.beyond == 0.0) return {value, first, 2.0 * c.c2 + 6.0 * s * c.c3, 6.0 * c.c3};
  switch (options_.extrapolation) {
    case Extrapolation::extend:
      return {value + place.beyond * first, first, 0.0, 0.0};
    case Extrapolation::none:
      return {nan, nan, nan, nan};
    case Extrapolation::hold:
    case Extrapolation::periodic:
      break;
  }
  return {value, 0.0, 0.0, 0.0};
}

int Table::smooth() const {
  int inside = 1;
  if (options_.interpolation == Interpolation::linear) inside = smoothness::kinks;
  if (options_.interpolation == Interpolation::spline) inside = 2;
  switch (options_.extrapolation) {
    case Extrapolation::hold:
      return smoothness::kinks;
    case Extrapolation::extend:
      return std::min(inside, 1);
    case Extrapolation::periodic:
    case Extrapolation::none:
      break;
  }
  return inside;
}

double Table::piece(double x) const {
  const auto count = static_cast<double>(cubics_.size());
  if (periodic()) {
    const double turns = std::floor((x - x_.front()) / period());
    return turns * count + static_cast<double>(find(x).interval);
  }
  if (x < x_.front()) return -1.0;
  return x > x_.back() ? count : static_cast<double>(interval_of(x));
}

double Table::border(double piece) const {
  const auto count = static_cast<double>(cubics_.size());
  const double turns = periodic() ? std::floor(piece / count) : 0.0;
  const double within = piece - turns * count;
  if (!(within >= 0.0 && within <= count)) return std::numeric_limits<double>::quiet_NaN();
  return x_[static_cast<std::size_t>(within)] + turns * period();
}

double Table::chord(double piece) const {
  const auto count = static_cast<double>(cubics_.size());
  if (periodic()) piece -= std::floor(piece / count) * count;
  const bool held = options_.extrapolation == Extrapolation::hold;
  if (held && (piece < 0.0 || piece >= count)) return 0.0;
  const auto i = static_cast<std::size_t>(std::clamp(piece, 0.0, count - 1.0));
  return (y_[i + 1] - y_[i]) / (x_[i + 1] - x_[i]);
}

double Table::range() const {
  const auto [least, largest] = std::minmax_element(y_.begin(), y_.end());
  return *largest - *least;
}

Table::Border Table::border_between(double before, double after) const {
  const auto count = static_cast<double>(cubics_.size());
  Border border;
  border.bend = std::abs(chord(after) - chord(before));
  const bool end =
      !periodic() && (std::min(before, after) < 0.0 || std::max(before, after) >= count);
  switch (options_.interpolation) {
    case Interpolation::linear:
      border.order = 1;
      break;
    case Interpolation::spline:
      border.order = 3;
      break;
    case Interpolation::pchip:
    case Interpolation::akima:
      border.order = 2;
      break;
  }
  if (end) border.order = options_.extrapolation == Extrapolation::hold ? 1 : 2;
  return border;
}

const std::vector<std::string>& interpolation_names() {
  static const std::vector<std::string> names{"linear", "spline", "pchip", "akima"};
  return names;
}

const std::vector<std::string>& extrapolation_names() {
  static const std::vector<std::string> names{"hold", "extend", "periodic", "none"};
  return names;
}

namespace {

template <class Kind>
std::optional<Kind> kind_named(const std::vector<std::string>& names, std::string_view name) {
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end()) return std::nullopt;
  return static_cast<Kind>(found - names.begin());
}

}  // namespace

std::optional<Interpolation> interpolation_named(std::string_view name) {
  return kind_named<Interpolation>(interpolation_names(), name);
}

std::optional<Extrapolation> extrapolation_named(std::string_view name) {
  return kind_named<Extrapolation>(extrapolation_names(), name);
}

}  // namespace trammel::expression
