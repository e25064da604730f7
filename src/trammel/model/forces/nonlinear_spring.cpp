#include "trammel/model/forces/nonlinear_spring.h"

#include <fmt/format.h>

namespace trammel::model {

Tension NonlinearSpringLaw::tension(double length, double rate) const {
  const Parameters& p = parameters_;
  const Ramp r = ramp(p.side, length - p.length, p.smoothing);
  const ForceCurve::Point E = p.elastic.at(r.value);
  const ForceCurve::Point D = p.damper.at(rate);
  Tension T;
  T.elastic = (p.preload + E.value) * r.slope;
  T.total = T.elastic + D.value * r.slope;
  // Only the damper is cut off: the elastic part has its potential.
  const double sign =
      p.side == ActsIn::tension ? 1.0 : (p.side == ActsIn::compression ? -1.0 : 0.0);
  if (sign * T.elastic >= 0.0 && sign * T.total < 0.0) return {.elastic = T.elastic};
  T.by_length = E.slope * r.slope * r.slope + (p.preload + E.value + D.value) * r.curvature;
  T.by_rate = D.slope * r.slope;
  return T;
}

double NonlinearSpringLaw::potential(double length) const {
  const Parameters& p = parameters_;
  const double e = ramp(p.side, length - p.length, p.smoothing).value;
  return p.preload * e + p.elastic.integral(e);
}

namespace {

std::vector<Field> common_fields() {
  return {Field{.name = "length",
                .dimension = core::dimension::length,
                .description = "length at which the extension is zero",
                .fallback = 0.0,
                .sign = Sign::non_negative},
          Field{.name = "preload",
                .dimension = core::dimension::force,
                .description = "tension added at every length",
                .fallback = 0.0},
          Field{.name = "acts",
                .kind = FieldKind::choice,
                .description = "on both sides, in tension only (rope) or compression only (stop)",
                .fallback = std::string("both"),
                .choices = {"both", "tension", "compression"}},
          Field{.name = "smoothing",
                .dimension = core::dimension::length,
                .description = "width over which a one-sided spring sets in",
                .fallback = 0.0,
                .sign = Sign::non_negative}};
}

ActsIn side_of(const Values& values) {
  const std::string& word = text(values, "acts");
  if (word == "tension") return ActsIn::tension;
  return word == "compression" ? ActsIn::compression : ActsIn::both;
}

NonlinearSpringLaw::Parameters common_parameters(const Values& values) {
  return {.length = number(values, "length"),
          .preload = number(values, "preload"),
          .side = side_of(values),
          .smoothing = number(values, "smoothing")};
}

void check_damper(const ForceCurve& damper) {
  if (damper.resists()) return;
  throw core::InputError(
      "damping_forces: the damper would drive: a force has the sign opposite to its rate",
      "give forces that resist: positive at positive rates, negative at negative ones");
}

NonlinearSpringLaw::Parameters polynomial_parameters(const Values& values) {
  NonlinearSpringLaw::Parameters parameters = common_parameters(values);
  parameters.elastic = ForceCurve::polynomial(numbers(values, "stiffness"));
  parameters.damper = ForceCurve::odd_polynomial(numbers(values, "damping"));
  return parameters;
}

ForceCurve table_curve(const Values& values, const char* abscissae, const char* forces) {
  if (has(values, abscissae) != has(values, forces)) {
    throw core::InputError(fmt::format("only one of {} and {} is given", abscissae, forces),
                           "give both lists, one force for each abscissa");
  }
  if (!has(values, abscissae)) return {};
  return ForceCurve::table(fmt::format("{} over {}", forces, abscissae), numbers(values, abscissae),
                           numbers(values, forces), table_options(values));
}

NonlinearSpringLaw::Parameters table_parameters(const Values& values) {
  NonlinearSpringLaw::Parameters parameters = common_parameters(values);
  parameters.elastic = table_curve(values, "extensions", "forces");
  parameters.damper = table_curve(values, "rates", "damping_forces");
  check_damper(parameters.damper);
  return parameters;
}

template <class S, NonlinearSpringLaw::Parameters (*read)(const Values&)>
std::unique_ptr<Force<S>> build_nonlinear_spring(const Values& values,
                                                 const NodeFrame<S>& a,
                                                 const NodeFrame<S>& b) {
  return std::make_unique<LineForce<S>>(a, b, std::make_unique<NonlinearSpringLaw>(read(values)));
}

std::vector<Field> polynomial_fields() {
  std::vector<Field> fields{
      Field{.name = "stiffness",
            .kind = FieldKind::numbers,
            .description = "k1, k2, k3, ...: tension k1 e + k2 e^2 + ..., SI units",
            .fallback = std::vector<double>{}},
      Field{.name = "damping",
            .kind = FieldKind::numbers,
            .description = "c1, c2, c3, ...: tension c1 L' + c2 L' |L'| + c3 L'^3 + ..., SI units",
            .fallback = std::vector<double>{},
            .sign = Sign::non_negative}};
  for (Field& field : common_fields()) fields.push_back(std::move(field));
  return fields;
}

std::vector<Field> table_spring_fields() {
  std::vector<Field> fields{Field{.name = "extensions",
                                  .kind = FieldKind::numbers,
                                  .dimension = core::dimension::length,
                                  .description = "extensions L - length, increasing",
                                  .optional = true,
                                  .increasing = true},
                            Field{.name = "forces",
                                  .kind = FieldKind::numbers,
                                  .dimension = core::dimension::force,
                                  .description = "tension at each extension",
                                  .optional = true},
                            Field{.name = "rates",
                                  .kind = FieldKind::numbers,
                                  .dimension = core::dimension::velocity,
                                  .description = "rates of the length, increasing",
                                  .optional = true,
                                  .increasing = true},
                            Field{.name = "damping_forces",
                                  .kind = FieldKind::numbers,
                                  .dimension = core::dimension::force,
                                  .description = "tension of the damper at each rate",
                                  .optional = true}};
  for (Field& field : table_fields()) fields.push_back(std::move(field));
  for (Field& field : common_fields()) fields.push_back(std::move(field));
  return fields;
}

constexpr const char* polynomial_summary = "spring and damper by polynomials, also one-sided";
constexpr const char* table_summary = "spring and damper by tables, also one-sided";

}  // namespace

ForceKind planar_polynomial_spring() {
  return {.name = "polynomial_spring",
          .space = Space::planar,
          .summary = polynomial_summary,
          .fields = polynomial_fields(),
          .mirroring = mirrored_by_fields(),
          .build_planar = build_nonlinear_spring<Planar, polynomial_parameters>};
}
ForceKind spatial_polynomial_spring() {
  return {.name = "polynomial_spring",
          .space = Space::spatial,
          .summary = polynomial_summary,
          .fields = polynomial_fields(),
          .mirroring = mirrored_by_fields(),
          .build_spatial = build_nonlinear_spring<Spatial, polynomial_parameters>};
}
ForceKind planar_table_spring() {
  return {.name = "table_spring",
          .space = Space::planar,
          .summary = table_summary,
          .fields = table_spring_fields(),
          .mirroring = mirrored_by_fields(),
          .build_planar = build_nonlinear_spring<Planar, table_parameters>};
}
ForceKind spatial_table_spring() {
  return {.name = "table_spring",
          .space = Space::spatial,
          .summary = table_summary,
          .fields = table_spring_fields(),
          .mirroring = mirrored_by_fields(),
          .build_spatial = build_nonlinear_spring<Spatial, table_parameters>};
}

}  // namespace trammel::model
