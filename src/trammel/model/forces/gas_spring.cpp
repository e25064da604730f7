#include "trammel/model/forces/gas_spring.h"

#include <cmath>
#include <limits>

#include <fmt/format.h>

namespace trammel::model {

double GasSpringLaw::volume(double length) const {
  const double V = parameters_.volume + parameters_.area * (length - parameters_.length);
  return V > 0.0 ? V : std::numeric_limits<double>::quiet_NaN();
}

Tension GasSpringLaw::tension(double length, double rate) const {
  const Parameters& p = parameters_;
  const double V = volume(length);
  const double gas = p.pressure * std::pow(p.volume / V, p.exponent);
  Tension T;
  T.elastic = -p.area * (gas - p.outside);
  T.total = T.elastic + p.damping * rate;
  T.by_length = p.area * p.area * p.exponent * gas / V;
  T.by_rate = p.damping;
  return T;
}

double GasSpringLaw::potential(double length) const {
  const Parameters& p = parameters_;
  const double ratio = p.volume / volume(length);
  const double against_outside = p.outside * p.area * (length - p.length);
  const double k = p.exponent - 1.0;
  // (ratio^k - 1)/k without cancellation for small k; log(ratio) in the limit.
  const double x = k * std::log(ratio);
  const double shape = k == 0.0 ? std::log(ratio) : std::expm1(x) / k;
  return p.pressure * p.volume * shape + against_outside;
}

namespace {

constexpr core::Dimension pressure_dimension =
    core::dimension::force / (core::dimension::length * core::dimension::length);

template <class S>
std::unique_ptr<Force<S>> build_gas_spring(const Values& values,
                                           const NodeFrame<S>& a,
                                           const NodeFrame<S>& b) {
  const GasSpringLaw::Parameters parameters{.length = number(values, "length"),
                                            .area = number(values, "area"),
                                            .volume = number(values, "volume"),
                                            .pressure = number(values, "pressure"),
                                            .outside = number(values, "outside_pressure"),
                                            .exponent = number(values, "exponent"),
                                            .damping = number(values, "damping")};
  if (parameters.exponent < 1.0) {
    throw core::InputError(fmt::format("exponent is {:g}", parameters.exponent),
                           "give 1 (isothermal) to 1.67 (adiabatic, monatomic)");
  }
  return std::make_unique<LineForce<S>>(a, b, std::make_unique<GasSpringLaw>(parameters));
}

std::vector<Field> gas_spring_fields() {
  constexpr core::Dimension area = core::dimension::length * core::dimension::length;
  return {Field{.name = "length",
                .dimension = core::dimension::length,
                .description = "length at which the gas has its volume and pressure",
                .sign = Sign::positive},
          Field{.name = "area",
                .dimension = area,
                .description = "area of the piston",
                .sign = Sign::positive},
          Field{.name = "volume",
                .dimension = area * core::dimension::length,
                .description = "volume of the gas at that length",
                .sign = Sign::positive},
          Field{.name = "pressure",
                .dimension = pressure_dimension,
                .description = "absolute pressure at that length",
                .sign = Sign::positive},
          Field{.name = "outside_pressure",
                .dimension = pressure_dimension,
                .description = "pressure on the other side of the piston",
                .fallback = 101325.0,
                .sign = Sign::non_negative},
          Field{.name = "exponent",
                .description = "polytropic exponent: 1 isothermal, 1.4 adiabatic air",
                .fallback = 1.4,
                .sign = Sign::positive},
          Field{.name = "damping",
                .dimension = core::dimension::damping,
                .description = "force per rate of extension",
                .fallback = 0.0,
                .sign = Sign::non_negative}};
}

constexpr const char* gas_spring_summary = "piston on enclosed gas between two points";

}  // namespace

ForceKind planar_gas_spring() {
  return {.name = "gas_spring",
          .space = Space::planar,
          .summary = gas_spring_summary,
          .fields = gas_spring_fields(),
          .mirroring = mirrored_by_fields(),
          .build_planar = build_gas_spring<Planar>};
}
ForceKind spatial_gas_spring() {
  return {.name = "gas_spring",
          .space = Space::spatial,
          .summary = gas_spring_summary,
          .fields = gas_spring_fields(),
          .mirroring = mirrored_by_fields(),
          .build_spatial = build_gas_spring<Spatial>};
}

}  // namespace trammel::model
