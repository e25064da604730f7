#include "trammel/model/forces/coordinate_forces.h"

#include <fmt/format.h>

#include "trammel/model/forces/formula_text.h"

namespace trammel::model {
namespace {

// ---- spring

LawSet spring_laws(const Item& item, const Description& /*description*/) {
  const Values& values = item.values;
  const std::string& coordinate = text(values, "coordinate");
  const std::string e = difference(coordinate, number(values, "reference"));
  const double preload = number(values, "preload");
  std::string force = fmt::format("({:.17g}) - ({:.17g})*{}", preload, number(values, "damping"),
                                  rate_of(coordinate));
  std::string energy = fmt::format("({:.17g})*{}", -preload, e);
  int power = 1;
  for (const double k : numbers(values, "stiffness")) {
    force += fmt::format(" - ({:.17g})*{}^{}", k, e, power);
    energy += fmt::format(" + ({:.17g})*{}^{}", k / (power + 1), e, power + 1);
    ++power;
  }
  return {.laws = {{.along = coordinate,
                    .formula = force,
                    .quantity = "load",
                    .dissipates = true,
                    .potential = energy}}};
}

// ---- stop

// The load of a stop at the depth d with the rate d', both formulas.
std::string stop_load(const Values& values, const std::string& depth, const std::string& rate) {
  return fmt::format("max(0, ({:.17g})*{}^({:.17g}) + ({:.17g})*{}*min(1, {}*({:.17g})))",
                     number(values, "stiffness"), depth, number(values, "exponent"),
                     number(values, "damping"), rate, depth, 1.0 / number(values, "transition"));
}

std::string stop_energy(const Values& values, const std::string& depth) {
  const double m = number(values, "exponent");
  return fmt::format("({:.17g})*{}^({:.17g})", number(values, "stiffness") / (m + 1.0), depth,
                     m + 1.0);
}

LawSet stop_laws(const Item& item, const Description& /*description*/) {
  const Values& values = item.values;
  const std::string& coordinate = text(values, "coordinate");
  const bool has_lower = has(values, "lower");
  const bool has_upper = has(values, "upper");
  if (!has_lower && !has_upper) {
    throw core::InputError("neither a lower nor an upper stop is given", "give one or both");
  }
  if (has_lower && has_upper && number(values, "lower") >= number(values, "upper")) {
    throw core::InputError(fmt::format("the lower stop {:g} is not below the upper one {:g}",
                                       number(values, "lower"), number(values, "upper")),
                           "give lower < upper");
  }
  if (number(values, "exponent") < 1.0) {
    throw core::InputError(fmt::format("exponent is {:g}", number(values, "exponent")),
                           "give 1 (linear) or more");
  }
  std::string force;
  std::string energy;
  if (has_lower) {
    const std::string depth =
        fmt::format("max(0, -{})", difference(coordinate, number(values, "lower")));
    force = stop_load(values, depth, fmt::format("(-1*{}_rate)", coordinate));
    energy = stop_energy(values, depth);
  }
  if (has_upper) {
    const std::string depth =
        fmt::format("max(0, {})", difference(coordinate, number(values, "upper")));
    force += " - " + stop_load(values, depth, rate_of(coordinate));
    energy += (has_lower ? " + " : "") + stop_energy(values, depth);
  }
  return {.laws = {{.along = coordinate,
                    .formula = force,
                    .quantity = "load",
                    .dissipates = true,
                    .potential = energy}}};
}

// ---- friction

void check_friction(const Values& values) {
  if (!has(values, "static_friction")) return;
  const double sliding = number(values, "friction");
  const double sticking = number(values, "static_friction");
  if (sticking >= sliding) return;
  throw core::InputError(
      fmt::format("static_friction {:g} is below friction {:g}", sticking, sliding),
      "give a static coefficient at least as large as the sliding one");
}

// mu(s) r |N|.
std::string friction_level(const Values& values, const std::string& slip) {
  const double sliding = number(values, "friction");
  const double sticking =
      has(values, "static_friction") ? number(values, "static_friction") : sliding;
  const double fading = 1.0 / number(values, "stribeck_speed");
  return fmt::format("(({:.17g} + ({:.17g})*exp(-(({:.17g})*{})^2)) * ({:.17g}) * abs(1*({})))",
                     sliding, sticking - sliding, fading, slip, number(values, "radius"),
                     text(values, "normal_load"));
}

std::string slip_of(const Values& values) {
  return fmt::format("({:.17g}*{}_rate)", number(values, "radius"), text(values, "coordinate"));
}

LawSet friction_laws(const Item& item, const Description& /*description*/) {
  const Values& values = item.values;
  check_friction(values);
  const std::string& coordinate = text(values, "coordinate");
  const std::string slip = slip_of(values);
  const double smoothing = number(values, "slip_speed");
  return {.laws = {{.along = coordinate,
                    .formula =
                        fmt::format("-{}*{}/sqrt({}^2 + {:.17g}) - ({:.17g})*{}",
                                    friction_level(values, slip), slip, slip, smoothing * smoothing,
                                    number(values, "viscous"), rate_of(coordinate)),
                    .quantity = "load",
                    .dissipates = true}}};
}

LawSet lugre_laws(const Item& item, const Description& /*description*/) {
  const Values& values = item.values;
  check_friction(values);
  if (number(values, "friction") == 0.0) {
    throw core::InputError("friction is 0: the bristles would hold no load",
                           "give a coefficient above zero, or use coordinate_friction");
  }
  const std::string& coordinate = text(values, "coordinate");
  const std::string slip = slip_of(values);
  const std::string v = rate_of(coordinate);
  const std::string z = fmt::format("(1*{}.bristle)", item.name);
  const double stiffness = number(values, "bristle_stiffness");
  const std::string rate = fmt::format("({} - ({:.17g})*abs({})*{}/{})", v, stiffness, v, z,
                                       friction_level(values, slip));
  const std::string force =
      fmt::format("-(({:.17g})*{} + ({:.17g})*exp(-(({:.17g})*{})^2)*{} + ({:.17g})*{})", stiffness,
                  z, number(values, "bristle_damping"), 1.0 / number(values, "stribeck_speed"),
                  slip, rate, number(values, "viscous"), v);
  return {.laws = {{.along = coordinate,
                    .formula = force,
                    .quantity = "load",
                    .dissipates = true,
                    .potential = fmt::format("({:.17g})*{}^2", 0.5 * stiffness, z)}},
          .states = {{.name = item.name + ".bristle", .rate = rate}}};
}

std::vector<Field> friction_fields() {
  return {
      coordinate_field(),
      Field{.name = "normal_load",
            .kind = FieldKind::formula,
            .dimension = core::dimension::force,
            .description = "load that presses the surfaces together, e.g. 50 N"},
      number_field("friction", "coefficient of sliding friction", std::nullopt, Sign::non_negative),
      Field{.name = "static_friction",
            .description = "coefficient at small slip; when left out, that of sliding",
            .sign = Sign::non_negative,
            .optional = true},
      Field{.name = "radius",
            .dimension = core::dimension::length,
            .description = "where the load acts, for angles; 1 m along displacements",
            .fallback = 1.0,
            .sign = Sign::positive},
      Field{.name = "stribeck_speed",
            .dimension = core::dimension::velocity,
            .description = "slip at which the static part has faded",
            .fallback = 1e-2,
            .sign = Sign::positive},
      number_field("viscous", "load per rate of the coordinate, SI units", 0.0,
                   Sign::non_negative)};
}

}  // namespace

ForceKind coordinate_spring(Space space) {
  return {.name = "coordinate_spring",
          .space = space,
          .summary = "spring and damper along a coordinate, linear or polynomial",
          .fields = {coordinate_field(),
                     Field{.name = "stiffness",
                           .kind = FieldKind::numbers,
                           .description = "k1, k2, ...: load -(k1 e + k2 e^2 + ...), SI units",
                           .fallback = std::vector<double>{}},
                     number_field("damping", "load per rate, SI units", 0.0, Sign::non_negative),
                     number_field("reference", "coordinate of the unloaded spring, SI units", 0.0,
                                  Sign::any),
                     number_field("preload", "load at the reference, SI units", 0.0, Sign::any)},
          .mirroring = not_mirrored_with_quantities(),
          .attachments = 0,
          .laws = spring_laws};
}

ForceKind coordinate_stop(Space space) {
  const auto limit = [](const char* name, const char* description) {
    return Field{.name = name, .description = description, .optional = true};
  };
  return {.name = "coordinate_stop",
          .space = space,
          .summary = "stops at the ends of a coordinate's range",
          .fields = {coordinate_field(), limit("lower", "coordinate of the lower stop, SI units"),
                     limit("upper", "coordinate of the upper stop, SI units"),
                     number_field("stiffness", "k in k d^exponent, SI units", std::nullopt,
                                  Sign::positive),
                     number_field("exponent", "1: linear", 1.0, Sign::positive),
                     number_field("damping", "load per rate in full contact, SI units", 0.0,
                                  Sign::non_negative),
                     number_field("transition", "depth at which the damping is in full, SI units",
                                  1e-4, Sign::positive)},
          .mirroring = not_mirrored_with_quantities(),
          .attachments = 0,
          .laws = stop_laws};
}

ForceKind coordinate_friction(Space space) {
  std::vector<Field> fields = friction_fields();
  fields.push_back(Field{.name = "slip_speed",
                         .dimension = core::dimension::velocity,
                         .description = "slip below which friction is smoothed",
                         .fallback = 1e-3,
                         .sign = Sign::positive});
  return {.name = "coordinate_friction",
          .space = space,
          .summary = "Coulomb, Stribeck and viscous friction along a coordinate, given load",
          .fields = std::move(fields),
          .mirroring = not_mirrored_with_quantities(),
          .attachments = 0,
          .laws = friction_laws};
}

ForceKind lugre_friction(Space space) {
  std::vector<Field> fields = friction_fields();
  fields.push_back(number_field("bristle_stiffness",
                                "sigma0: load per bristle deflection, SI units", std::nullopt,
                                Sign::positive));
  fields.push_back(number_field("bristle_damping", "sigma1: load per bristle rate, SI units", 0.0,
                                Sign::non_negative));
  return {.name = "lugre_friction",
          .space = space,
          .summary = "LuGre friction along a coordinate: bristles that stick, creep and slide",
          .fields = std::move(fields),
          .mirroring = not_mirrored_with_quantities(),
          .attachments = 0,
          .laws = lugre_laws};
}

}  // namespace trammel::model
