// How model files give curves: as formulas, or as points.
#pragma once

#include <optional>
#include <vector>

#include "trammel/model/curves/curve.h"
#include "trammel/model/field.h"

namespace trammel::model {

/// A curve y = f(x) (and z = g(x)): no range is needed.
struct Graph {
  std::vector<expression::FunctionPointer> heights;
};

/// Exactly one of both is given.
template <int D>
struct GivenCurve {
  std::optional<Graph> graph;
  CurvePointer<D> curve;
};

/// x, y (z), from, to, closed, points_x, points_y (points_z); the suffix ("_b") follows each.
std::vector<Field> curve_fields(Space space, const std::string& suffix = "");
template <int D>
GivenCurve<D> given_curve(const Values& values, const std::string& suffix = "");

/// A closed profile in polar form: `profile` as a formula of `angle`, or `angles` and `radii`, or
/// circles (arc_profile.h).
std::vector<Field> profile_fields(const std::string& suffix = "");
CurvePointer<2> given_profile(const Values& values, const std::string& suffix = "");

}  // namespace trammel::model
