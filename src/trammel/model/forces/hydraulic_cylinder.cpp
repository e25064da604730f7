#include "trammel/model/forces/hydraulic_cylinder.h"

#include "trammel/model/forces/formula_text.h"

namespace trammel::model {
namespace {

using core::dimension::pressure;
constexpr core::Dimension volume{3, 0, 0, 0};
constexpr core::Dimension area{2, 0, 0, 0};
constexpr core::Dimension flow{3, 0, -1, 0};

// Names and pieces of one chamber: fed from the supply by `feed`, drained by `drain`.
struct Chamber {
  std::string p;
  std::string flow;
  std::string volume;
};

std::string orifice(const std::string& difference, double smoothing) {
  return fmt::format("({}/({}^2 + {})^0.25)", difference, difference,
                     digits(smoothing * smoothing));
}

Chamber chamber(const Item& item,
                const char* side,
                double sign,
                const std::string& feed,
                const std::string& drain) {
  const Values& values = item.values;
  const double smoothing = number(values, "smoothing_pressure");
  const double start = number(values, std::string("volume_") + side);
  const double piston = number(values, std::string("area_") + side);
  Chamber c;
  c.p = fmt::format("(1*{}.pressure_{})", item.name, side);
  const std::string in = orifice(
      fmt::format("({}*1 - {})", digits(number(values, "supply_pressure")), c.p), smoothing);
  const std::string out =
      orifice(fmt::format("({} - {}*1)", c.p, digits(number(values, "tank_pressure"))), smoothing);
  c.flow = fmt::format("({}*({}*{} - {}*{}))", digits(number(values, "valve_coefficient")), feed,
                       in, drain, out);
  c.volume =
      fmt::format("max({}, {} + {}*{})", digits(0.01 * start), digits(start), digits(sign * piston),
                  difference(text(values, "coordinate"), number(values, "reference")));
  return c;
}

LawSet hydraulic_cylinder_laws(const Item& item, const Description& /*description*/) {
  const Values& values = item.values;
  const std::string rate = rate_of(text(values, "coordinate"));
  const std::string u = plain(text(values, "opening"));
  const std::string open = fmt::format("max(0, {})", u);
  const std::string reverse = fmt::format("max(0, -{})", u);
  const Chamber a = chamber(item, "a", 1.0, open, reverse);
  const Chamber b = chamber(item, "b", -1.0, reverse, open);
  const double A_a = number(values, "area_a");
  const double A_b = number(values, "area_b");
  const std::string K = digits(number(values, "bulk_modulus"));
  const std::string leak = fmt::format("{}*({} - {})", digits(number(values, "leakage")), a.p, b.p);
  return {.laws = {{.along = text(values, "coordinate"),
                    .formula = fmt::format("{}*{} - {}*{}", digits(A_a), a.p, digits(A_b), b.p),
                    .quantity = "load"}},
          .states = {{.name = item.name + ".pressure_a",
                      .rate = fmt::format("{}*({} - {}*{} - {})/{}", K, a.flow, digits(A_a), rate,
                                          leak, a.volume),
                      .initial = number(values, "initial_pressure_a"),
                      .dimension = pressure},
                     {.name = item.name + ".pressure_b",
                      .rate = fmt::format("{}*({} + {}*{} + {})/{}", K, b.flow, digits(A_b), rate,
                                          leak, b.volume),
                      .initial = number(values, "initial_pressure_b"),
                      .dimension = pressure}},
          .outputs = {{.name = item.name + ".flow_a", .formula = a.flow, .dimension = flow},
                      {.name = item.name + ".flow_b", .formula = b.flow, .dimension = flow}}};
}

Field sized(const char* name,
            const core::Dimension& dimension,
            const char* description,
            const std::optional<Value>& fallback,
            Sign sign) {
  Field field = number_field(name, description, fallback, sign);
  field.dimension = dimension;
  return field;
}

}  // namespace

ForceKind hydraulic_cylinder(Space space) {
  return {
      .name = "hydraulic_cylinder",
      .space = space,
      .summary = "cylinder with two chambers, compressible oil and a four-way valve",
      .fields = {coordinate_field(), formula_field("opening", "of the valve, -1 .. 1, e.g. 0.5"),
                 sized("area_a", area, "of the piston in chamber a, which pushes", std::nullopt,
                       Sign::positive),
                 sized("area_b", area, "of the piston in chamber b, which pulls", std::nullopt,
                       Sign::positive),
                 sized("volume_a", volume, "of chamber a with its pipe at the reference",
                       std::nullopt, Sign::positive),
                 sized("volume_b", volume, "of chamber b with its pipe at the reference",
                       std::nullopt, Sign::positive),
                 sized("reference", core::dimension::length,
                       "coordinate x0 at which the volumes are given", 0.0, Sign::any),
                 sized("bulk_modulus", pressure, "K of the oil", 1.4e9, Sign::positive),
                 sized("supply_pressure", pressure, "p_s", std::nullopt, Sign::positive),
                 sized("tank_pressure", pressure, "p_t", 1e5, Sign::non_negative),
                 number_field("valve_coefficient",
                              "k: flow of the open valve per root of pressure, m^3/(s sqrt(Pa))",
                              std::nullopt, Sign::positive),
                 number_field("leakage", "c_l between the chambers, m^3/(s Pa)", 0.0,
                              Sign::non_negative),
                 sized("smoothing_pressure", pressure,
                       "d0, below which the root of the pressure is made smooth", 1e4,
                       Sign::positive),
                 sized("initial_pressure_a", pressure, "at the start", 1e5, Sign::non_negative),
                 sized("initial_pressure_b", pressure, "at the start", 1e5, Sign::non_negative)},
      .mirroring = not_mirrored_with_quantities(),
      .attachments = 0,
      .laws = hydraulic_cylinder_laws};
}

}  // namespace trammel::model
