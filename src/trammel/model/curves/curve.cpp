#include "trammel/model/curves/curve.h"

#include <cmath>
#include <numbers>
#include <span>

#include <fmt/format.h>

#include "trammel/expression/compile.h"

namespace trammel::model {
namespace {

constexpr int sample_count = 256;
constexpr int newton_steps = 40;
// Of the range; the error that such a step of Newton's method leaves is its square.
constexpr double last_step = 1e-9;
constexpr double closing_tolerance = 1e-6;

template <int D>
class FunctionCurve final : public Curve<D> {
 public:
  FunctionCurve(std::vector<expression::FunctionPointer> components,
                double from,
                double to,
                bool closed)
      : Curve<D>(from, to, closed), components_(std::move(components)) {
    this->sample();
  }
  CurvePoint<D> at(double s) const override {
    CurvePoint<D> point;
    for (int i = 0; i < D; ++i) {
      const auto y = evaluated(*components_[static_cast<std::size_t>(i)], s);
      point.c[i] = y.value;
      point.first[i] = y.first;
      point.second[i] = y.second;
    }
    return point;
  }

 private:
  std::vector<expression::FunctionPointer> components_;
};

class PolarCurve final : public Curve<2> {
 public:
  explicit PolarCurve(expression::FunctionPointer radius)
      : Curve<2>(0.0, 2.0 * std::numbers::pi, true), radius_(std::move(radius)) {
    sample();
  }
  CurvePoint<2> at(double s) const override {
    const auto r = evaluated(*radius_, s);
    const Eigen::Vector2d u(std::cos(s), std::sin(s));
    const Eigen::Vector2d t(-u.y(), u.x());
    return {r.value * u, r.first * u + r.value * t, (r.second - r.value) * u + 2.0 * r.first * t};
  }
  Eigen::Vector2d third(double s) const override {
    if (!radius_->has_third()) return Curve<2>::third(s);
    const auto r = evaluated(*radius_, s);
    const Eigen::Vector2d u(std::cos(s), std::sin(s));
    const Eigen::Vector2d t(-u.y(), u.x());
    return (r.third - 3.0 * r.first) * u + (3.0 * r.second - r.value) * t;
  }

 private:
  expression::FunctionPointer radius_;
};

}  // namespace

expression::Derivatives evaluated(const expression::Function& function, double x) {
  // Scratch memory that is kept between calls; curves themselves are constant and shared.
  thread_local expression::Workspace workspace;
  return function.at(x, workspace);
}

template <int D>
auto Curve<D>::third(double s) const -> Vector {
  const double h = 1e-3 * (to_ - from_);
  return (8.0 * (at(s + h).second - at(s - h).second) - at(s + 2.0 * h).second +
          at(s - 2.0 * h).second) /
         (12.0 * h);
}

template <int D>
double Curve<D>::foot(const Vector& e) const {
  std::size_t nearest = 0;
  double smallest = (e - samples_[0]).squaredNorm();
  for (std::size_t i = 1; i < samples_.size(); ++i) {
    const double distance = (e - samples_[i]).squaredNorm();
    if (distance >= smallest) continue;
    smallest = distance;
    nearest = i;
  }
  double s = parameters_[nearest];
  const double longest = (to_ - from_) / sample_count;
  for (int i = 0; i < newton_steps; ++i) {
    const CurvePoint<D> p = at(s);
    const Vector r = e - p.c;
    const double speed2 = p.first.squaredNorm();
    const double slope = speed2 - r.dot(p.second);
    // Beyond the centre of curvature the foot is no minimum: go along the curve as if it were
    // straight there.
    double step = r.dot(p.first) / (slope > 0.1 * speed2 ? slope : speed2);
    // Beyond the ends of open curves the steps may be of any length.
    const bool inside = s > from_ && s < to_;
    if (inside && std::abs(step) > longest) step = std::copysign(longest, step);
    s += step;
    if (std::abs(step) <= last_step * (to_ - from_)) break;
  }
  return s;
}

template <int D>
double Curve<D>::farthest(const Vector& n) const {
  std::size_t best = 0;
  for (std::size_t i = 1; i < samples_.size(); ++i) {
    if (n.dot(samples_[i]) > n.dot(samples_[best])) best = i;
  }
  return farthest(n, parameters_[best]);
}

template <int D>
double Curve<D>::farthest(const Vector& n, double start) const {
  double s = start;
  for (int i = 0; i < newton_steps; ++i) {
    const CurvePoint<D> p = at(s);
    const double step = -n.dot(p.first) / n.dot(p.second);
    s += step;
    if (std::abs(step) <= last_step * (to_ - from_)) break;
  }
  return s;
}

template <int D>
void Curve<D>::sample() {
  if (!(to_ > from_)) {
    throw core::InputError(fmt::format("the curve goes from {:g} to {:g}", from_, to_),
                           "give 'to' a value above 'from'");
  }
  std::vector<CurvePoint<D>> points;
  Vector low = at(from_).c;
  Vector high = low;
  for (int i = 0; i <= sample_count; ++i) {
    parameters_.push_back(from_ + (to_ - from_) * i / sample_count);
    points.push_back(at(parameters_.back()));
    samples_.push_back(points.back().c);
    low = low.cwiseMin(points.back().c);
    high = high.cwiseMax(points.back().c);
  }
  size_ = (high - low).norm();
  check(points);
  if (closed_) check_closing();
}

template <int D>
void Curve<D>::check(const std::vector<CurvePoint<D>>& points) const {
  for (std::size_t i = 0; i < points.size(); ++i) {
    const CurvePoint<D>& p = points[i];
    if (!p.c.allFinite() || !p.first.allFinite() || !p.second.allFinite()) {
      throw core::InputError(
          fmt::format("the curve is not finite or has no derivatives at {:g}", parameters_[i]),
          "change the formula, or the range 'from' - 'to'");
    }
    if (p.first.norm() * (to_ - from_) <= 1e-9 * size_) {
      throw core::InputError(
          fmt::format("the curve stands still at {:g}, where it has no tangent", parameters_[i]),
          "choose a parameter that moves along the curve everywhere");
    }
  }
}

template <int D>
void Curve<D>::check_closing() const {
  const CurvePoint<D> first = at(from_);
  const CurvePoint<D> last = at(to_);
  const double gap = (last.c - first.c).norm();
  if (gap > closing_tolerance * size_) {
    throw core::InputError(
        fmt::format("the closed curve does not close: its ends are {:.6g} m apart", gap),
        "repeat the first point at the end, correct the range, or set closed: false");
  }
  const double kink = (last.first.normalized() - first.first.normalized()).norm();
  if (kink > closing_tolerance) {
    throw core::InputError(
        fmt::format("the closed curve has a kink of {:.3g} rad where it closes", kink),
        "make the tangents at both ends equal");
  }
}

template class Curve<2>;
template class Curve<3>;

template <int D>
CurvePointer<D> function_curve(std::vector<expression::FunctionPointer> components,
                               double from,
                               double to,
                               bool closed) {
  return std::make_shared<FunctionCurve<D>>(std::move(components), from, to, closed);
}

template CurvePointer<2> function_curve<2>(std::vector<expression::FunctionPointer>,
                                           double,
                                           double,
                                           bool);
template CurvePointer<3> function_curve<3>(std::vector<expression::FunctionPointer>,
                                           double,
                                           double,
                                           bool);

CurvePointer<2> polar_curve(expression::FunctionPointer radius) {
  for (int i = 0; i <= sample_count; ++i) {
    const double s = 2.0 * std::numbers::pi * i / sample_count;
    const double r = evaluated(*radius, s).value;
    if (r > 0.0) continue;
    throw core::InputError(fmt::format("the profile has the radius {:g} m at {:.4g} rad", r, s),
                           "give a profile whose radius is above zero everywhere");
  }
  return std::make_shared<PolarCurve>(std::move(radius));
}

template <int D>
CurvePointer<D> point_curve(const std::vector<std::vector<double>>& components, bool closed) {
  std::vector<double> chord{0.0};
  const std::size_t count = components.front().size();
  for (std::size_t i = 1; i < count; ++i) {
    double length2 = 0.0;
    for (const std::vector<double>& list : components) {
      if (list.size() != count) {
        throw core::InputError("the lists of points have different lengths",
                               "give every point all of its coordinates");
      }
      length2 += (list[i] - list[i - 1]) * (list[i] - list[i - 1]);
    }
    chord.push_back(chord.back() + std::sqrt(length2));
  }
  expression::TableOptions options;
  options.extrapolation =
      closed ? expression::Extrapolation::periodic : expression::Extrapolation::extend;
  std::vector<expression::FunctionPointer> functions;
  for (const std::vector<double>& list : components) {
    functions.push_back(expression::table_function(
        std::make_shared<expression::Table>("points", chord, list, options)));
  }
  return function_curve<D>(std::move(functions), chord.front(), chord.back(), closed);
}

template CurvePointer<2> point_curve<2>(const std::vector<std::vector<double>>&, bool);
template CurvePointer<3> point_curve<3>(const std::vector<std::vector<double>>&, bool);

expression::FunctionPointer curve_formula(const std::string& text,
                                          const std::string& input,
                                          const core::Dimension& dimension) {
  expression::Scope scope;
  scope.add_input(input, dimension);
  try {
    expression::FunctionPointer function =
        expression::expression_function(expression::compile(text, scope, core::dimension::length));
    if (function->smooth() < 1) {
      throw core::InputError(fmt::format("'{}' may have kinks, where a curve has no tangent", text),
                             "use functions with continuous derivatives, or a table of points");
    }
    return function;
  } catch (const expression::ExpressionError& error) {
    const core::Diagnostic diagnostic = expression::to_diagnostic(error, text, "");
    throw core::InputError(fmt::format("in '{}': {}", text, diagnostic.message), diagnostic.remedy);
  }
}

}  // namespace trammel::model
