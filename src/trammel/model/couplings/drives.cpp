#include "trammel/model/couplings/drives.h"

#include <fmt/format.h>

namespace trammel::model {
namespace {

std::vector<Field> drive_fields(const char* motion) {
  return {Field{.name = "coordinate",
                .kind = FieldKind::quantity,
                .description = "what is driven, e.g. pin.angle, slider.displacement, "
                               "crank.position.x"},
          Field{.name = "motion", .kind = FieldKind::formula, .description = motion}};
}

std::string position_formula(const Values& values, const DescribedValues& /*described*/) {
  return fmt::format("1 * {} - 1 * ({})", text(values, "coordinate"), text(values, "motion"));
}

std::string velocity_formula(const Values& values, const DescribedValues& /*described*/) {
  return fmt::format("1 * {}_rate - 1 * ({})", text(values, "coordinate"), text(values, "motion"));
}

std::string rate_formula(const Values& values, const DescribedValues& /*described*/) {
  return fmt::format("1 * ({}) - 1 * ({})", text(values, "rate"), text(values, "motion"));
}

}  // namespace

CouplingKind position_drive() {
  std::vector<Field> list =
      drive_fields("the coordinate as a formula of time, e.g. 30 deg * sin(2*time)");
  list.push_back(Field{.name = "eliminate",
                       .kind = FieldKind::flag,
                       .description = "in relative coordinates, whether a coordinate of a tree "
                                      "hinge leaves the unknowns; false: a constraint row",
                       .fallback = true});
  return {.name = "position",
          .summary = "the coordinate follows a formula of time",
          .fields = std::move(list),
          .mirroring = not_mirrored_with_quantities(),
          .formula = position_formula};
}

CouplingKind velocity_drive() {
  return {.name = "velocity",
          .summary = "the rate of the coordinate follows a formula of time",
          .fields = drive_fields("the rate as a formula of time, e.g. 100 rpm"),
          .mirroring = not_mirrored_with_quantities(),
          .velocity_level = true,
          .time_derivatives = 1,
          .formula = velocity_formula};
}

CouplingKind acceleration_drive() {
  std::vector<Field> list =
      drive_fields("the second derivative as a formula of time, e.g. 2 rad/s^2");
  list.push_back(Field{.name = "initial_rate",
                       .description = "rate at the start, SI units and rad",
                       .fallback = 0.0});
  return {.name = "acceleration",
          .summary = "the acceleration of the coordinate follows a formula of time",
          .fields = std::move(list),
          .mirroring = not_mirrored_with_quantities(),
          .velocity_level = true,
          .time_derivatives = 2,
          .formula = velocity_formula};
}

CouplingKind rate_drive() {
  return {
      .name = "rate",
      .summary = "a rate, such as a component of an angular velocity, follows a formula of time",
      .fields = {Field{.name = "rate",
                       .kind = FieldKind::formula,
                       .description = "what is driven, e.g. tip.angular_velocity.x, "
                                      "pin.angle_rate"},
                 Field{.name = "motion",
                       .kind = FieldKind::formula,
                       .description = "the rate as a formula of time"}},
      .mirroring = not_mirrored_with_quantities(),
      .velocity_level = true,
      .formula = rate_formula};
}

}  // namespace trammel::model
