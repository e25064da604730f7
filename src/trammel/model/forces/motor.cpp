#include "trammel/model/forces/motor.h"

#include "trammel/model/forces/formula_text.h"

namespace trammel::model {
namespace {

LawSet motor_laws(const Item& item, const std::string& voltage) {
  const Values& values = item.values;
  const std::string& coordinate = text(values, "coordinate");
  const std::string R = digits(number(values, "resistance"));
  const std::string c = digits(number(values, "torque_constant"));
  const double inductance = number(values, "inductance");
  const std::string name = item.name + ".current";
  const std::string back = c + "*" + rate_of(coordinate);
  LawSet set;
  std::string current = fmt::format("(1*{})", name);
  std::string stored;
  if (inductance > 0.0) {
    set.states.push_back({.name = name,
                          .rate = fmt::format("({} - {}*{} - {})*{}", voltage, R, current, back,
                                              digits(1.0 / inductance)),
                          .initial = number(values, "initial_current")});
    stored = fmt::format("{}*{}^2", digits(0.5 * inductance), current);
  } else {
    current = fmt::format("(({} - {})/{})", voltage, back, R);
    set.outputs.push_back({.name = name, .formula = current});
  }
  set.laws.push_back({.along = coordinate,
                      .formula = fmt::format("{}*{}", c, current),
                      .quantity = "load",
                      .potential = stored,
                      .loss = fmt::format("{}*{}^2", R, current)});
  set.outputs.push_back({.name = item.name + ".voltage", .formula = voltage});
  return set;
}

LawSet dc_motor_laws(const Item& item, const Description& /*description*/) {
  return motor_laws(item, plain(text(item.values, "voltage")));
}

LawSet servo_laws(const Item& item, const Description& /*description*/) {
  const Values& values = item.values;
  return motor_laws(item,
                    fmt::format("({}*({} - 1*{}))", digits(number(values, "gain")),
                                plain(text(values, "set_point")), text(values, "coordinate")));
}

std::vector<Field> motor_fields(std::initializer_list<Field> first) {
  std::vector<Field> fields{coordinate_field()};
  fields.insert(fields.end(), first);
  fields.insert(
      fields.end(),
      {number_field("resistance", "R of the winding, Ohm", std::nullopt, Sign::positive),
       number_field("inductance", "L of the winding, H; 0: the current follows at once", 0.0,
                    Sign::non_negative),
       number_field("torque_constant", "c: torque per current, N m/A, and voltage per rate",
                    std::nullopt, Sign::positive),
       number_field("initial_current", "current at the start, A; needs an inductance", 0.0,
                    Sign::any)});
  return fields;
}

}  // namespace

ForceKind dc_motor(Space space) {
  return {
      .name = "dc_motor",
      .space = space,
      .summary = "electric motor with winding and back electromotive force",
      .fields = motor_fields({formula_field("voltage", "V, e.g. 12*step5(time, 0, 0, 0.1, 1)")}),
      .mirroring = not_mirrored_with_quantities(),
      .attachments = 0,
      .laws = dc_motor_laws};
}

ForceKind position_servo(Space space) {
  return {.name = "position_servo",
          .space = space,
          .summary = "electric motor whose voltage follows the error of position",
          .fields = motor_fields(
              {formula_field("set_point", "s: where the coordinate should be, e.g. 30 deg"),
               number_field("gain", "b: voltage per error, V/rad or V/m", std::nullopt,
                            Sign::positive)}),
          .mirroring = not_mirrored_with_quantities(),
          .attachments = 0,
          .laws = servo_laws};
}

}  // namespace trammel::model
