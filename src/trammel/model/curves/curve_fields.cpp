#include "trammel/model/curves/curve_fields.h"

#include <array>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include "trammel/model/curves/arc_profile.h"

namespace trammel::model {
namespace {

constexpr std::array<const char*, 3> names{"x", "y", "z"};

std::string component_name(int i, const std::string& suffix) {
  return names[static_cast<std::size_t>(i)] + suffix;
}

std::string points_name(int i, const std::string& suffix) {
  return "points_" + component_name(i, suffix);
}

// Whether all of the names are given; some but not all are a mistake.
bool given(const Values& values, const std::vector<std::string>& wanted, const char* what) {
  std::size_t count = 0;
  std::string missing;
  for (const std::string& name : wanted) {
    if (has(values, name)) {
      ++count;
    } else {
      missing = name;
    }
  }
  if (count == 0) return false;
  if (count == wanted.size()) return true;
  throw core::InputError(fmt::format("{} needs '{}' too", what, missing),
                         fmt::format("give '{}'", missing));
}

std::vector<std::string> heights(int dimension, const std::string& suffix) {
  std::vector<std::string> list;
  for (int i = 1; i < dimension; ++i) list.push_back(component_name(i, suffix));
  return list;
}

template <int D>
CurvePointer<D> curve_of_points(const Values& values, const std::string& suffix) {
  std::vector<std::vector<double>> components;
  for (int i = 0; i < D; ++i) {
    components.push_back(numbers(values, points_name(i, suffix)));
    if (components.back().size() < 3) {
      throw core::InputError(
          fmt::format("{} has {} numbers", points_name(i, suffix), components.back().size()),
          "give three points or more");
    }
  }
  return point_curve<D>(components, flag(values, "closed" + suffix));
}

template <int D>
CurvePointer<D> parametric_curve(const Values& values, const std::string& suffix) {
  std::vector<expression::FunctionPointer> functions;
  for (int i = 0; i < D; ++i) {
    functions.push_back(
        curve_formula(text(values, component_name(i, suffix)), "u", core::dimension::none));
  }
  if (!has(values, "from" + suffix) || !has(values, "to" + suffix)) {
    throw core::InputError("the range of the curve's parameter u is not given",
                           fmt::format("give 'from{0}' and 'to{0}'", suffix));
  }
  return function_curve<D>(std::move(functions), number(values, "from" + suffix),
                           number(values, "to" + suffix), flag(values, "closed" + suffix));
}

Field curve_formula_field(const std::string& name, const std::string& suffix) {
  return {.name = name + suffix,
          .kind = FieldKind::formula,
          .dimension = core::dimension::length,
          .description = name == "x" ? "x as a formula of the parameter u"
                                     : name + " as a formula of u where x is given, else of x",
          .optional = true,
          .variables = {"u", "x"}};
}

Field list_field(const std::string& name,
                 const core::Dimension& dimension,
                 const std::string& description) {
  return {.name = name,
          .kind = FieldKind::numbers,
          .dimension = dimension,
          .description = description,
          .optional = true};
}

}  // namespace

std::vector<Field> curve_fields(Space space, const std::string& suffix) {
  std::vector<Field> fields;
  const int dimension = space == Space::planar ? 2 : 3;
  for (int i = 0; i < dimension; ++i) {
    fields.push_back(curve_formula_field(names[static_cast<std::size_t>(i)], suffix));
  }
  for (int i = 0; i < dimension; ++i) {
    fields.push_back(list_field(points_name(i, suffix), core::dimension::length,
                                "points of a spline instead of formulas"));
  }
  fields.push_back({.name = "from" + suffix, .description = "first value of u", .optional = true});
  fields.push_back({.name = "to" + suffix, .description = "last value of u", .optional = true});
  fields.push_back({.name = "closed" + suffix,
                    .kind = FieldKind::flag,
                    .description = "the curve ends where it begins, with the same tangent",
                    .fallback = false});
  return fields;
}

template <int D>
GivenCurve<D> given_curve(const Values& values, const std::string& suffix) {
  std::vector<std::string> lists;
  for (int i = 0; i < D; ++i) lists.push_back(points_name(i, suffix));
  const bool has_points = given(values, lists, "a curve of points");
  const bool has_formulas = given(values, heights(D, suffix), "a curve of formulas");
  if (has_points == (has_formulas || has(values, "x" + suffix))) {
    throw core::InputError(has_points ? "the curve is given twice" : "no curve is given",
                           fmt::format("give formulas (y{0} of x; or x{0}, y{0} of u), or lists of "
                                       "points",
                                       suffix));
  }
  if (has_points) return {std::nullopt, curve_of_points<D>(values, suffix)};
  if (!has_formulas) {
    throw core::InputError(fmt::format("'x{}' is given alone", suffix),
                           fmt::format("give 'y{}' too", suffix));
  }
  if (has(values, "x" + suffix)) return {std::nullopt, parametric_curve<D>(values, suffix)};
  Graph graph;
  for (const std::string& name : heights(D, suffix)) {
    graph.heights.push_back(curve_formula(text(values, name), "x", core::dimension::length));
  }
  return {std::move(graph), nullptr};
}

template GivenCurve<2> given_curve<2>(const Values&, const std::string&);
template GivenCurve<3> given_curve<3>(const Values&, const std::string&);

std::vector<Field> profile_fields(const std::string& suffix) {
  const std::string frame = suffix.empty() ? "first" : "second";
  return {Field{.name = "profile" + suffix,
                .kind = FieldKind::formula,
                .dimension = core::dimension::length,
                .description =
                    "radius of the profile as a formula of angle, in the " + frame + " frame",
                .optional = true,
                .variables = {"angle"}},
          list_field("angles" + suffix, core::dimension::angle,
                     "of points of the profile, over a whole turn"),
          list_field("radii" + suffix, core::dimension::length,
                     "of these points; the last as the first"),
          list_field("circles_x" + suffix, core::dimension::length,
                     "centres of circles that the profile follows, counterclockwise"),
          list_field("circles_y" + suffix, core::dimension::length, "of these centres"),
          list_field("circle_radii" + suffix, core::dimension::length, "of these circles")};
}

namespace {

CurvePointer<2> profile_of_circles(const Values& values, const std::string& suffix) {
  const std::vector<double>& x = numbers(values, "circles_x" + suffix);
  const std::vector<double>& y = numbers(values, "circles_y" + suffix);
  const std::vector<double>& radii = numbers(values, "circle_radii" + suffix);
  if (x.empty() || x.size() != y.size() || x.size() != radii.size()) {
    throw core::InputError(fmt::format("the circles have {} and {} coordinates and {} radii",
                                       x.size(), y.size(), radii.size()),
                           "give every circle its centre and its radius");
  }
  std::vector<ProfileCircle> circles;
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (!(radii[i] > 0.0)) {
      throw core::InputError(fmt::format("circle {} has the radius {:g} m", i + 1, radii[i]),
                             "give radii above zero");
    }
    circles.push_back({{x[i], y[i]}, radii[i]});
  }
  return polar_curve(arc_profile(circles));
}

}  // namespace

CurvePointer<2> given_profile(const Values& values, const std::string& suffix) {
  const std::string formula = "profile" + suffix;
  const bool has_points =
      given(values, {"angles" + suffix, "radii" + suffix}, "a profile of points");
  const bool has_circles =
      given(values, {"circles_x" + suffix, "circles_y" + suffix, "circle_radii" + suffix},
            "a profile of circles");
  const int count = (has_points ? 1 : 0) + (has_circles ? 1 : 0) + (has(values, formula) ? 1 : 0);
  if (count != 1) {
    throw core::InputError(
        count > 1 ? "the profile is given twice" : "no profile is given",
        fmt::format("give '{0}', or 'angles{1}' and 'radii{1}', or 'circles_x{1}', 'circles_y{1}' "
                    "and 'circle_radii{1}'",
                    formula, suffix));
  }
  if (has_circles) return profile_of_circles(values, suffix);
  if (!has_points) {
    return polar_curve(curve_formula(text(values, formula), "angle", core::dimension::angle));
  }
  const std::vector<double>& angles = numbers(values, "angles" + suffix);
  constexpr double turn = 2.0 * std::numbers::pi;
  if (angles.size() < 3 || std::abs(angles.back() - angles.front() - turn) > 1e-9) {
    throw core::InputError("the angles do not span one whole turn",
                           "end with the first angle plus 360 deg, and the first radius again");
  }
  expression::TableOptions options;
  options.extrapolation = expression::Extrapolation::periodic;
  return polar_curve(expression::table_function(std::make_shared<expression::Table>(
      "radii" + suffix, angles, numbers(values, "radii" + suffix), options)));
}

}  // namespace trammel::model
