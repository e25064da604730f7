#include "trammel/model/curves/curve_fields.h"

#include <array>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

namespace trammel::model {
namespace {

constexpr std::array<const char*, 3> names{"x", "y", "z"};

std::string points_name(int i) {
  return std::string("points_") + names[static_cast<std::size_t>(i)];
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

std::vector<std::string> heights(int dimension) {
  return dimension == 2 ? std::vector<std::string>{"y"} : std::vector<std::string>{"y", "z"};
}

template <int D>
CurvePointer<D> curve_of_points(const Values& values) {
  std::vector<std::vector<double>> components;
  for (int i = 0; i < D; ++i) {
    components.push_back(numbers(values, points_name(i)));
    if (components.back().size() < 3) {
      throw core::InputError(
          fmt::format("{} has {} numbers", points_name(i), components.back().size()),
          "give three points or more");
    }
  }
  return point_curve<D>(components, flag(values, "closed"));
}

template <int D>
CurvePointer<D> parametric_curve(const Values& values) {
  std::vector<expression::FunctionPointer> functions;
  for (int i = 0; i < D; ++i) {
    functions.push_back(curve_formula(text(values, names[static_cast<std::size_t>(i)]), "u",
                                      core::dimension::none));
  }
  if (!has(values, "from") || !has(values, "to")) {
    throw core::InputError("the range of the curve's parameter u is not given",
                           "give 'from' and 'to'");
  }
  return function_curve<D>(std::move(functions), number(values, "from"), number(values, "to"),
                           flag(values, "closed"));
}

Field formula_field(const std::string& name) {
  return {.name = name,
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

std::vector<Field> curve_fields(Space space) {
  std::vector<Field> fields;
  const int dimension = space == Space::planar ? 2 : 3;
  for (int i = 0; i < dimension; ++i) {
    fields.push_back(formula_field(names[static_cast<std::size_t>(i)]));
  }
  for (int i = 0; i < dimension; ++i) {
    fields.push_back(list_field(points_name(i), core::dimension::length,
                                "points of a spline instead of formulas"));
  }
  fields.push_back({.name = "from", .description = "first value of u", .optional = true});
  fields.push_back({.name = "to", .description = "last value of u", .optional = true});
  fields.push_back({.name = "closed",
                    .kind = FieldKind::flag,
                    .description = "the curve ends where it begins, with the same tangent",
                    .fallback = false});
  return fields;
}

template <int D>
GivenCurve<D> given_curve(const Values& values) {
  std::vector<std::string> lists;
  for (int i = 0; i < D; ++i) lists.push_back(points_name(i));
  const bool has_points = given(values, lists, "a curve of points");
  const bool has_formulas = given(values, heights(D), "a curve of formulas");
  if (has_points == (has_formulas || has(values, "x"))) {
    throw core::InputError(has_points ? "the curve is given twice" : "no curve is given",
                           "give formulas (y of x; or x, y of u), or lists of points");
  }
  if (has_points) return {std::nullopt, curve_of_points<D>(values)};
  if (!has_formulas) throw core::InputError("'x' is given alone", "give 'y' too");
  if (has(values, "x")) return {std::nullopt, parametric_curve<D>(values)};
  Graph graph;
  for (const std::string& name : heights(D)) {
    graph.heights.push_back(curve_formula(text(values, name), "x", core::dimension::length));
  }
  return {std::move(graph), nullptr};
}

template GivenCurve<2> given_curve<2>(const Values& values);
template GivenCurve<3> given_curve<3>(const Values& values);

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
                     "of these points; the last as the first")};
}

CurvePointer<2> given_profile(const Values& values, const std::string& suffix) {
  const std::string formula = "profile" + suffix;
  const bool has_points =
      given(values, {"angles" + suffix, "radii" + suffix}, "a profile of points");
  if (has_points == has(values, formula)) {
    throw core::InputError(
        has_points ? "the profile is given twice" : "no profile is given",
        fmt::format("give '{0}', or 'angles{1}' and 'radii{1}'", formula, suffix));
  }
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
