#include "trammel/model/forces/joint_friction.h"

#include <cmath>

#include <fmt/format.h>

namespace trammel::model {

JointFrictionParameters JointFrictionParameters::from(const Values& values) {
  JointFrictionParameters p;
  p.friction.sliding = number(values, "friction");
  p.friction.sticking =
      has(values, "static_friction") ? number(values, "static_friction") : p.friction.sliding;
  p.friction.stribeck_speed = number(values, "stribeck_speed");
  p.friction.slip_speed = number(values, "slip_speed");
  p.radius = number(values, "radius");
  p.lever = number(values, "lever");
  p.preload = number(values, "preload");
  p.sticks = text(values, "stick") == "event";
  if (p.friction.sticking < p.friction.sliding) {
    throw core::InputError(fmt::format("static_friction {:g} is below friction {:g}",
                                       p.friction.sticking, p.friction.sliding),
                           "give a static coefficient at least as large as the sliding one");
  }
  if (p.friction.stribeck_speed == 0.0 && !p.sticks) {
    throw core::InputError("stribeck_speed 0 is a jump, which smoothed friction does not have",
                           "give a positive speed, or stick: event");
  }
  return p;
}

double JointFrictionParameters::normal_load(double force, double moment) const {
  return preload + (lever > 0.0 ? std::hypot(force, moment / lever) : force);
}

auto JointFrictionParameters::at(double rate, double normal_load, Slip slip) const -> Load {
  const double speed = radius * rate;
  const double factor = -radius * normal_load;
  if (slip == Slip::smoothed) {
    const FrictionCoefficient::Value value = friction.at(speed * speed);
    return {factor * value.phi * speed,
            factor * radius * (value.phi + 2.0 * speed * speed * value.by_square)};
  }
  const FrictionCoefficient::Coefficient value = friction.coefficient(speed * speed);
  const double signed_factor = direction(slip) * factor;
  return {signed_factor * value.mu, signed_factor * radius * 2.0 * speed * value.by_square};
}

ForceKind joint_friction(Space space) {
  const auto entry = [](const char* name, const core::Dimension& dimension, const char* description,
                        const std::optional<Value>& fallback, Sign sign) {
    return Field{.name = name,
                 .dimension = dimension,
                 .description = description,
                 .fallback = fallback,
                 .sign = sign};
  };
  using namespace core::dimension;
  return {
      .name = "joint_friction",
      .space = space,
      .summary = "Coulomb and Stribeck friction in a joint, loaded by its reaction",
      .fields = {Field{.name = "coordinate",
                       .kind = FieldKind::quantity,
                       .description = "coordinate of a joint, e.g. pin.angle"},
                 entry("friction", none, "coefficient of sliding friction", std::nullopt,
                       Sign::non_negative),
                 Field{.name = "static_friction",
                       .description = "coefficient at small slip; when left out, that of sliding",
                       .sign = Sign::non_negative,
                       .optional = true},
                 entry("radius", length, "of the pin, for angles; 1 m along displacements", 1.0,
                       Sign::positive),
                 entry("lever", length,
                       "length over which a moment presses; 0: moments press nothing", 0.0,
                       Sign::non_negative),
                 entry("preload", force, "normal load without any reaction", 0.0,
                       Sign::non_negative),
                 entry("stribeck_speed", velocity,
                       "slip at which the static part has faded; 0, with stick: event: at once",
                       1e-2, Sign::non_negative),
                 entry("slip_speed", velocity, "slip below which friction is smoothed", 1e-3,
                       Sign::positive),
                 Field{.name = "stick",
                       .kind = FieldKind::choice,
                       .description = "smoothed: creeps below slip_speed; event: sticks in runs, "
                                      "with true rest",
                       .fallback = std::string("smoothed"),
                       .choices = {"smoothed", "event"}}},
      .mirroring = mirrored_by_fields(),
      .attachments = 0,
      .constraint_dependent = true};
}

}  // namespace trammel::model
