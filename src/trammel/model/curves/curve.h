// Regular curves C(s) in a frame, for points that stay on them and profiles that touch.
//
// A point e has the foot C(s*) on the curve, (e - C) . C' = 0. With r = e - C and D = |C'|^2 - r .
// C''
//     ds*/de   = C' / D
//     d2s*/de2 = (C'' C'^T + C' C''^T) / D^2 - (3 C' . C'' - r . C''') / D^3 C' C'^T.
// The foot is sought among samples and then by Newton's method, so that it depends on e only.
#pragma once

#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include <Eigen/Core>

#include "trammel/expression/function.h"

namespace trammel::model {

/// The unit vector at this angle from the x axis.
inline Eigen::Vector2d direction_at(double angle) {
  return {std::cos(angle), std::sin(angle)};
}

template <int D>
struct CurvePoint {
  using Vector = Eigen::Matrix<double, D, 1>;
  Vector c = Vector::Zero();
  Vector first = Vector::Zero();   ///< dC/ds
  Vector second = Vector::Zero();  ///< d2C/ds2
};

/// Constant after its making and shared by threads.
template <int D>
class Curve {
 public:
  using Vector = Eigen::Matrix<double, D, 1>;

  virtual ~Curve() = default;
  virtual CurvePoint<D> at(double s) const = 0;

  double from() const { return from_; }
  double to() const { return to_; }
  bool closed() const { return closed_; }
  /// The extent of the samples.
  double size() const { return size_; }

  /// C''', where nothing better is known as the difference of C'' (fourth order). It enters
  /// constraints only times the distance from the curve, which they hold at zero.
  virtual Vector third(double s) const;
  /// s*.
  double foot(const Vector& e) const;
  /// The parameter whose point is farthest along n; closed convex curves. The second form starts
  /// from a parameter nearby instead of searching.
  double farthest(const Vector& n) const;
  double farthest(const Vector& n, double start) const;

 protected:
  Curve(double from, double to, bool closed) : from_(from), to_(to), closed_(closed) {}
  /// Samples the curve and checks it: finite, regular, closed without a kink where it says so.
  /// Throws InputError.
  void sample();

 private:
  void check(const std::vector<CurvePoint<D>>& points) const;
  void check_closing() const;

  double from_;
  double to_;
  bool closed_;
  double size_ = 0.0;
  std::vector<double> parameters_;
  std::vector<Vector> samples_;
};

template <int D>
using CurvePointer = std::shared_ptr<const Curve<D>>;

/// Components as functions of the parameter.
template <int D>
CurvePointer<D> function_curve(std::vector<expression::FunctionPointer> components,
                               double from,
                               double to,
                               bool closed);

/// r(s) (cos s, sin s), closed over one turn.
CurvePointer<2> polar_curve(expression::FunctionPointer radius);

/// A spline through points, over the length of its chords; components as lists.
template <int D>
CurvePointer<D> point_curve(const std::vector<std::vector<double>>& components, bool closed);

/// A formula of one input as a function. Throws InputError with the place of a mistake, and where
/// the formula has kinks.
expression::FunctionPointer curve_formula(const std::string& text,
                                          const std::string& input,
                                          const core::Dimension& dimension);

/// y(x) with derivatives.
expression::Derivatives evaluated(const expression::Function& function, double x);

}  // namespace trammel::model
