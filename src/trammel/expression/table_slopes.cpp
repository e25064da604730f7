#include "trammel/expression/table_slopes.h"

#include <algorithm>
#include <cmath>

namespace trammel::expression {
namespace {

using Numbers = std::vector<double>;

/// Lengths h_i and chord slopes d_i of the intervals, periodic or not.
class Chords {
 public:
  Chords(const Numbers& x, const Numbers& y, bool periodic)
      : count_(x.size() - 1), periodic_(periodic) {
    for (std::size_t i = 0; i < count_; ++i) {
      h_.push_back(x[i + 1] - x[i]);
      d_.push_back((y[i + 1] - y[i]) / h_.back());
    }
  }
  std::size_t count() const { return count_; }
  bool periodic() const { return periodic_; }
  double h(std::size_t i) const { return h_[i]; }
  double d(std::size_t i) const { return d_[i]; }
  std::size_t before(std::size_t i) const { return i == 0 ? count_ - 1 : i - 1; }

  /// Chord slope with index beyond the ends: periodic, or continued linearly as Akima does.
  double far_d(long i) const {
    const long n = static_cast<long>(count_);
    if (periodic_) return d_[static_cast<std::size_t>(((i % n) + n) % n)];
    const auto at = [&](long k) { return d_[static_cast<std::size_t>(k)]; };
    if (n == 1) return d_[0];
    if (i < 0) return at(0) + static_cast<double>(-i) * (at(0) - at(1));
    if (i >= n) return at(n - 1) + static_cast<double>(i - n + 1) * (at(n - 1) - at(n - 2));
    return at(i);
  }

 private:
  std::size_t count_;
  bool periodic_;
  Numbers h_;
  Numbers d_;
};

/// Rows lower_i m_{i-1} + diagonal_i m_i + upper_i m_{i+1} = right_i.
struct Tridiagonal {
  explicit Tridiagonal(std::size_t n) : lower(n), diagonal(n), upper(n) {}
  Numbers lower;
  Numbers diagonal;
  Numbers upper;

  /// Thomas' elimination; the rows here are diagonally dominant, so that no pivoting is needed.
  Numbers solve(Numbers right) const {
    const std::size_t n = diagonal.size();
    Numbers pivot = diagonal;
    for (std::size_t i = 1; i < n; ++i) {
      const double factor = lower[i] / pivot[i - 1];
      pivot[i] -= factor * upper[i - 1];
      right[i] -= factor * right[i - 1];
    }
    right[n - 1] /= pivot[n - 1];
    for (std::size_t i = n - 1; i-- > 0;)
      right[i] = (right[i] - upper[i] * right[i + 1]) / pivot[i];
    return right;
  }
};

void set_interior_row(const Chords& chords, std::size_t i, Tridiagonal& rows, Numbers& right) {
  const std::size_t left = chords.before(i);
  const double h_left = chords.h(left);
  const double h_right = chords.h(i);
  rows.lower[i] = h_right;
  rows.diagonal[i] = 2.0 * (h_left + h_right);
  rows.upper[i] = h_left;
  right[i] = 3.0 * (h_right * chords.d(left) + h_left * chords.d(i));
}

Numbers open_spline(const Chords& chords, const TableOptions& options) {
  const std::size_t last = chords.count();
  Tridiagonal rows(last + 1);
  Numbers right(last + 1);
  for (std::size_t i = 1; i < last; ++i) set_interior_row(chords, i, rows, right);
  const auto set_end = [&](std::size_t i, double& beside, std::optional<double> slope, double d) {
    rows.diagonal[i] = slope ? 1.0 : 2.0;
    beside = slope ? 0.0 : 1.0;
    right[i] = slope ? *slope : 3.0 * d;
  };
  set_end(0, rows.upper[0], options.first_slope, chords.d(0));
  set_end(last, rows.lower[last], options.last_slope, chords.d(last - 1));
  return rows.solve(right);
}

/// The corners of the cyclic matrix are split off as u v^T with u = (gamma, 0, ..., upper) and
/// v = (1, 0, ..., lower / gamma) (Sherman and Morrison).
Numbers periodic_spline(const Chords& chords) {
  const std::size_t n = chords.count();
  if (n == 1) return {0.0, 0.0};
  if (n == 2) {  // both rows are (h_0 + h_1) (2 m_0 + m_1) = 3 r: equal slopes
    const double r = chords.h(0) * chords.d(1) + chords.h(1) * chords.d(0);
    const double slope = r / (chords.h(0) + chords.h(1));
    return {slope, slope, slope};
  }
  Tridiagonal rows(n);
  Numbers right(n);
  for (std::size_t i = 0; i < n; ++i) set_interior_row(chords, i, rows, right);
  const double corner_right = rows.lower[0];
  const double corner_left = rows.upper[n - 1];
  const double gamma = -rows.diagonal[0];
  rows.diagonal[0] -= gamma;
  rows.diagonal[n - 1] -= corner_right * corner_left / gamma;
  Numbers u(n, 0.0);
  u[0] = gamma;
  u[n - 1] = corner_left;
  Numbers slopes = rows.solve(right);
  const Numbers z = rows.solve(u);
  const double v_last = corner_right / gamma;
  const double factor = (slopes[0] + v_last * slopes[n - 1]) / (1.0 + z[0] + v_last * z[n - 1]);
  for (std::size_t i = 0; i < n; ++i) slopes[i] -= factor * z[i];
  slopes.push_back(slopes[0]);
  return slopes;
}

/// Weighted harmonic mean of neighbouring chords; 0 at extrema.
double monotone_slope(double h_left, double h_right, double d_left, double d_right) {
  if (d_left * d_right <= 0.0) return 0.0;
  const double w_left = 2.0 * h_right + h_left;
  const double w_right = h_right + 2.0 * h_left;
  return (w_left + w_right) / (w_left / d_left + w_right / d_right);
}

/// Three-point end slope, cut back so that the curve stays monotone.
double monotone_end(double h, double h_next, double d, double d_next) {
  const double slope = ((2.0 * h + h_next) * d - h * d_next) / (h + h_next);
  if (slope * d <= 0.0) return 0.0;
  if (d * d_next <= 0.0 && std::abs(slope) > 3.0 * std::abs(d)) return 3.0 * d;
  return slope;
}

Numbers pchip(const Chords& chords) {
  const std::size_t last = chords.count();
  Numbers slopes(last + 1, chords.d(0));
  for (std::size_t i = chords.periodic() ? 0 : 1; i < last; ++i) {
    const std::size_t left = chords.before(i);
    slopes[i] = monotone_slope(chords.h(left), chords.h(i), chords.d(left), chords.d(i));
  }
  if (chords.periodic()) {
    slopes[last] = slopes[0];
  } else if (last > 1) {
    slopes[0] = monotone_end(chords.h(0), chords.h(1), chords.d(0), chords.d(1));
    slopes[last] = monotone_end(chords.h(last - 1), chords.h(last - 2), chords.d(last - 1),
                                chords.d(last - 2));
  }
  return slopes;
}

Numbers akima(const Chords& chords) {
  Numbers slopes;
  for (long i = 0; i <= static_cast<long>(chords.count()); ++i) {
    const double left = chords.far_d(i - 1);
    const double right = chords.far_d(i);
    const double w_left = std::abs(chords.far_d(i + 1) - right);
    const double w_right = std::abs(left - chords.far_d(i - 2));
    const double sum = w_left + w_right;
    slopes.push_back(sum > 0.0 ? (w_left * left + w_right * right) / sum : 0.5 * (left + right));
  }
  return slopes;
}

}  // namespace

std::vector<double> table_slopes(const std::vector<double>& x,
                                 const std::vector<double>& y,
                                 const TableOptions& options) {
  const Chords chords(x, y, options.extrapolation == Extrapolation::periodic);
  switch (options.interpolation) {
    case Interpolation::pchip:
      return pchip(chords);
    case Interpolation::akima:
      return akima(chords);
    case Interpolation::linear:
    case Interpolation::spline:
      break;
  }
  return chords.periodic() ? periodic_spline(chords) : open_spline(chords, options);
}

}  // namespace trammel::expression
