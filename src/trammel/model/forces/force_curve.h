// Force curves y(x) with slope and integral: polynomials and tables.
//
//     polynomial  y = c1 x + c2 x^2 + c3 x^3 + ...
//     odd         y = c1 x + c2 x |x| + c3 x^3 + ...
//     table       through points, by lines or cubics (see expression/table.h)
// The integral from x = 0 is exact for both: the pieces of a table are cubics, for which two Gauss
// points suffice.
#pragma once

#include <string>
#include <vector>

#include "trammel/expression/table.h"
#include "trammel/model/field.h"

namespace trammel::model {

class ForceCurve {
 public:
  struct Point {
    double value = 0.0;
    double slope = 0.0;
  };

  ForceCurve() = default;
  static ForceCurve polynomial(std::vector<double> coefficients);
  static ForceCurve odd_polynomial(std::vector<double> coefficients);
  /// Throws InputError when the points are wrong; `name` is used in messages.
  static ForceCurve table(const std::string& name,
                          const std::vector<double>& x,
                          const std::vector<double>& y,
                          expression::TableOptions options);

  bool is_zero() const { return coefficients_.empty() && nodes_.empty(); }
  Point at(double x) const;
  /// From 0 to x.
  double integral(double x) const;
  /// No point of the table has y x < 0: a damper that never drives at its points.
  bool resists() const;

 private:
  double antiderivative(double x) const;
  double piece(double from, double to) const;

  std::vector<double> coefficients_;
  bool odd_ = false;
  std::vector<expression::Table> table_;  ///< none or one
  std::vector<double> nodes_;
  std::vector<double> ordinates_;
  std::vector<double> sums_;  ///< integral from the first node to each
};

/// The fields `interpolation` and `extrapolation`, and what they choose.
std::vector<Field> table_fields();
expression::TableOptions table_options(const Values& values);

}  // namespace trammel::model
