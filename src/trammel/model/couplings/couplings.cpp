#include "trammel/model/couplings/couplings.h"

#include <fmt/format.h>

#include "trammel/core/diagnostic.h"
#include "trammel/model/contact_row.h"

namespace trammel::model {
namespace {

Field coordinates_field(const char* description) {
  return {.name = "coordinates", .kind = FieldKind::quantities, .description = description};
}

Field equation_field(const char* description) {
  return {.name = "equation", .kind = FieldKind::formula, .description = description};
}

const std::vector<std::string>& pair_of_coordinates(const Values& values) {
  const std::vector<std::string>& names = texts(values, "coordinates");
  if (names.size() != 2) {
    throw core::InputError(fmt::format("{} coordinates are named", names.size()),
                           "name two, e.g. coordinates: [wheel.angle, pinion.angle]");
  }
  return names;
}

std::string gear_formula(const Values& values, const DescribedValues& described) {
  const auto& names = pair_of_coordinates(values);
  const double ratio = number(values, "ratio");
  if (ratio == 0.0) {
    throw core::InputError("ratio is 0: the second coordinate would be fixed",
                           "give a ratio other than zero, or use a linear coupling");
  }
  const double offset = described.value(names[1]) - ratio * described.value(names[0]);
  return fmt::format("1 * {} - {:.17g} * {} - {:.17g} * 1", names[1], ratio, names[0], offset);
}

std::string linear_formula(const Values& values, const DescribedValues& described) {
  const auto& names = texts(values, "coordinates");
  const auto& factors = numbers(values, "factors");
  if (names.size() != factors.size() || names.empty()) {
    throw core::InputError(
        fmt::format("{} coordinates and {} factors are given", names.size(), factors.size()),
        "give one factor for each coordinate");
  }
  std::string text;
  double sum = 0.0;
  for (std::size_t i = 0; i < names.size(); ++i) {
    text += fmt::format("{}{:.17g} * {}", i == 0 ? "" : " + ", factors[i], names[i]);
    sum += factors[i] * described.value(names[i]);
  }
  const double constant = has(values, "constant") ? number(values, "constant") : sum;
  return fmt::format("{} - {:.17g} * 1", text, constant);
}

std::string coupled_curve_formula(const Values& values, const DescribedValues& /*described*/) {
  return fmt::format("1 * {} - 1 * ({})", text(values, "coordinate"), text(values, "formula"));
}

std::string equation_formula(const Values& values, const DescribedValues& /*described*/) {
  return text(values, "equation");
}

}  // namespace

CouplingKind gear_coupling() {
  return {.name = "gear",
          .summary = "second coordinate = ratio * first one: gears, racks, belts, screws",
          .fields = {coordinates_field("two coordinates, e.g. [wheel.angle, pinion.angle]"),
                     Field{.name = "ratio",
                           .description =
                               "change of the second per change of the first, SI units and rad"}},
          .mirroring = not_mirrored_with_quantities(),
          .formula = gear_formula};
}

CouplingKind linear_coupling() {
  return {.name = "linear",
          .summary = "weighted sum of coordinates = constant: differentials, planetary gears",
          .fields = {coordinates_field("coordinates of any joints, bodies or sensors"),
                     Field{.name = "factors",
                           .kind = FieldKind::numbers,
                           .description = "one factor per coordinate, SI units and rad"},
                     Field{.name = "constant",
                           .description = "the sum; when left out, that of the described model",
                           .optional = true}},
          .mirroring = not_mirrored_with_quantities(),
          .formula = linear_formula};
}

CouplingKind curve_coupling() {
  return {
      .name = "curve",
      .summary = "a coordinate as a formula of others: polynomial and tabulated couplings",
      .fields = {Field{.name = "coordinate",
                       .kind = FieldKind::quantity,
                       .description = "the coordinate that follows"},
                 Field{.name = "formula",
                       .kind = FieldKind::formula,
                       .description = "its value, e.g. 0.1*cam.angle^2 or table(lift, cam.angle)"}},
      .mirroring = not_mirrored_with_quantities(),
      .formula = coupled_curve_formula};
}

CouplingKind equation_coupling() {
  return {.name = "equation",
          .summary = "any formula of coordinates and time that is zero",
          .fields = with_unilateral_fields(
              {equation_field("zero at all times, e.g. bead.position.y - bead.position.x^2; at "
                              "least zero when unilateral")}),
          .mirroring = not_mirrored_with_quantities(),
          .formula = equation_formula};
}

CouplingKind pfaff_coupling() {
  return {.name = "pfaff",
          .summary = "any formula of rates, linear in them, that is zero (nonholonomic)",
          .fields = {equation_field(
              "zero at all times, e.g. cos(a)*boat.velocity.y - sin(a)*boat.velocity.x")},
          .mirroring = not_mirrored_with_quantities(),
          .velocity_level = true,
          .formula = equation_formula};
}

}  // namespace trammel::model
