// A function given by points (x_i, y_i), interpolated between them.
//
// On each interval y is a cubic in s = x - x_i fixed by the values and slopes m_i at its ends
// (Hermite form); the kinds differ in how the slopes are found:
//   linear  straight lines: kinks at the points
//   spline  slopes such that y'' is continuous: h_i m_{i-1} + 2 (h_{i-1} + h_i) m_i + h_{i-1}
//   m_{i+1}
//           = 3 (h_i d_{i-1} + h_{i-1} d_i), with h_i = x_{i+1} - x_i and d_i the slope of the
//           chord; at the ends y'' = 0 (natural), or the slopes are given (clamped) [deBoor1978,
//           IV]
//   pchip   monotone where the points are: no overshoot; y' is continuous  [FritschButland1984]
//   akima   local weighted slopes, little influence of single points; y' is continuous [Akima1970]
// At a point, derivatives that jump are those of the interval to its right (at the last: left).
#pragma once

#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "trammel/core/diagnostic.h"
#include "trammel/core/dimension.h"

namespace trammel::expression {

enum class Interpolation { linear, spline, pchip, akima };

/// What holds outside of the points.
enum class Extrapolation {
  hold,      ///< the value of the nearest end
  extend,    ///< a straight line with the slope of the nearest end
  periodic,  ///< the points repeat; the first and the last value must be equal
  none       ///< nothing: the value is NaN, which stops the run with a message
};

struct TableOptions {
  Interpolation interpolation = Interpolation::spline;
  Extrapolation extrapolation = Extrapolation::hold;
  std::optional<double> first_slope;  ///< y' at the first point (splines only)
  std::optional<double> last_slope;   ///< y' at the last point (splines only)
  core::Dimension abscissa;           ///< no dimension: plain numbers, which fit to everything
  core::Dimension ordinate;
};

/// Value and derivatives of a function of one variable.
struct Derivatives {
  double value = 0.0;
  double first = 0.0;
  double second = 0.0;
  double third = 0.0;  ///< only where the function says that it has one
};

class Table {
 public:
  /// Throws InputError with all mistakes: sizes that differ, fewer than 2 points, numbers that are
  /// not finite, abscissae that do not increase, values that do not close a period. `name` is the
  /// user's name for it in messages.
  Table(std::string name, std::vector<double> x, std::vector<double> y, TableOptions options = {});

  Derivatives at(double x) const;
  double value(double x) const;

  const std::string& name() const { return name_; }
  const TableOptions& options() const { return options_; }
  std::size_t size() const { return x_.size(); }
  double front() const { return x_.front(); }
  double back() const { return x_.back(); }
  /// How many derivatives are continuous.
  int smooth() const;

  /// Number of the piece that holds at x: -1 before the first point, 0, 1, ... between points,
  /// then that behind the last. Of periodic tables the pieces are numbered on through all periods.
  double piece(double x) const;
  /// Where a piece begins; NaN when there is no such point.
  double border(double piece) const;
  /// What two pieces differ in where one follows the other.
  struct Border {
    int order = 0;      ///< of the lowest derivative that jumps
    double bend = 0.0;  ///< change of the slope of the chords
  };
  Border border_between(double before, double after) const;
  /// Largest minus least value of the points.
  double range() const;

 private:
  struct Cubic {
    double c0 = 0.0;
    double c1 = 0.0;
    double c2 = 0.0;
    double c3 = 0.0;
  };
  struct Place {
    std::size_t interval = 0;
    double s = 0.0;       ///< distance from the start of the interval
    double beyond = 0.0;  ///< how far x lies outside of the points
  };

  void check() const;
  void make_cubics(const std::vector<double>& slopes);
  void make_lines();
  Place find(double x) const;
  double period() const { return x_.back() - x_.front(); }
  bool periodic() const { return options_.extrapolation == Extrapolation::periodic; }
  /// Slope of the straight line over a piece.
  double chord(double piece) const;
  std::size_t interval_of(double x) const;

  std::string name_;
  std::vector<double> x_;
  std::vector<double> y_;
  TableOptions options_;
  std::vector<Cubic> cubics_;
  double intervals_per_length_ = 0.0;  ///< of equal intervals; 0: they differ
};

/// "linear", "spline", ...; empty when there is no such kind.
std::optional<Interpolation> interpolation_named(std::string_view name);
std::optional<Extrapolation> extrapolation_named(std::string_view name);
const std::vector<std::string>& interpolation_names();
const std::vector<std::string>& extrapolation_names();

}  // namespace trammel::expression
