#include "trammel/model/forces/force_curve.h"

#include <algorithm>
#include <cmath>

namespace trammel::model {

ForceCurve ForceCurve::polynomial(std::vector<double> coefficients) {
  ForceCurve curve;
  const bool zero =
      std::all_of(coefficients.begin(), coefficients.end(), [](double c) { return c == 0.0; });
  if (!zero) curve.coefficients_ = std::move(coefficients);
  return curve;
}

ForceCurve ForceCurve::odd_polynomial(std::vector<double> coefficients) {
  ForceCurve curve = polynomial(std::move(coefficients));
  curve.odd_ = true;
  return curve;
}

ForceCurve ForceCurve::table(const std::string& name,
                             const std::vector<double>& x,
                             const std::vector<double>& y,
                             expression::TableOptions options) {
  ForceCurve curve;
  curve.table_.emplace_back(name, x, y, options);
  curve.nodes_ = x;
  curve.ordinates_ = y;
  curve.sums_.push_back(0.0);
  for (std::size_t i = 1; i < x.size(); ++i) {
    curve.sums_.push_back(curve.sums_.back() + curve.piece(x[i - 1], x[i]));
  }
  return curve;
}

// Two Gauss points: exact for a cubic.
double ForceCurve::piece(double from, double to) const {
  const double half = 0.5 * (to - from);
  const double middle = 0.5 * (to + from);
  const double side = half / std::sqrt(3.0);
  return half * (table_.front().value(middle - side) + table_.front().value(middle + side));
}

double ForceCurve::antiderivative(double x) const {
  if (x <= nodes_.front()) return piece(nodes_.front(), x);
  const auto above = std::upper_bound(nodes_.begin(), nodes_.end(), x);
  const auto i = static_cast<std::size_t>(above - nodes_.begin()) - 1;
  return sums_[i] + piece(nodes_[i], x);
}

ForceCurve::Point ForceCurve::at(double x) const {
  if (!table_.empty()) {
    const expression::Derivatives d = table_.front().at(x);
    return {d.value, d.first};
  }
  Point point;
  const double sign = odd_ && x < 0.0 ? -1.0 : 1.0;
  const double size = sign * x;
  double power = 1.0;
  for (std::size_t i = 0; i < coefficients_.size(); ++i) {
    point.slope += static_cast<double>(i + 1) * coefficients_[i] * power;
    power *= size;
    point.value += sign * coefficients_[i] * power;
  }
  return point;
}

double ForceCurve::integral(double x) const {
  if (!table_.empty()) return antiderivative(x) - antiderivative(0.0);
  const double size = odd_ ? std::abs(x) : x;
  double sum = 0.0;
  double power = size * size;
  for (std::size_t i = 0; i < coefficients_.size(); ++i) {
    sum += coefficients_[i] * power / static_cast<double>(i + 2);
    power *= size;
  }
  return sum;
}

bool ForceCurve::resists() const {
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    if (nodes_[i] * ordinates_[i] < 0.0) return false;
  }
  return true;
}

std::vector<Field> table_fields() {
  return {
      Field{.name = "interpolation",
            .kind = FieldKind::choice,
            .description = "between the points: spline, pchip (no overshoot), akima or linear",
            .fallback = std::string("spline"),
            .choices = {"linear", "spline", "pchip", "akima"}},
      Field{.name = "extrapolation",
            .kind = FieldKind::choice,
            .description = "outside of the points: hold the end's value, extend its slope, or none "
                           "(stops the run)",
            .fallback = std::string("extend"),
            .choices = {"hold", "extend", "none"}}};
}

expression::TableOptions table_options(const Values& values) {
  return {.interpolation = *expression::interpolation_named(text(values, "interpolation")),
          .extrapolation = *expression::extrapolation_named(text(values, "extrapolation"))};
}

}  // namespace trammel::model
