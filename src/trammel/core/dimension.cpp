#include "trammel/core/dimension.h"

#include <array>
#include <utility>

#include <fmt/format.h>

namespace trammel::core {
namespace {

struct NamedUnit {
  Dimension dimension;
  const char* unit = "";
};

constexpr std::array<NamedUnit, 20> named_units{{
    {dimension::none, ""},
    {dimension::length, "m"},
    {dimension::mass, "kg"},
    {dimension::time, "s"},
    {dimension::angle, "rad"},
    {dimension::velocity, "m/s"},
    {dimension::acceleration, "m/s^2"},
    {dimension::angular_velocity, "rad/s"},
    {dimension::force, "N"},
    {dimension::torque, "N m"},
    {dimension::inertia, "kg m^2"},
    {dimension::density, "kg/m^3"},
    {dimension::stiffness, "N/m"},
    {dimension::damping, "N s/m"},
    {dimension::rotational_stiffness, "N m/rad"},
    {dimension::rotational_damping, "N m s/rad"},
    {{0, 0, -2, 1}, "rad/s^2"},
    {dimension::pressure, "Pa"},
    {dimension::power, "W"},
    {{3, 0, -1, 0}, "m^3/s"},
}};

}  // namespace

std::string si_unit(const Dimension& dimension) {
  for (const NamedUnit& named : named_units) {
    if (named.dimension == dimension) return named.unit;
  }
  // No usual name: a product of powers of the base units.
  std::string text;
  const std::array<std::pair<const char*, int>, 4> powers{{{"kg", dimension.mass},
                                                           {"m", dimension.length},
                                                           {"s", dimension.time},
                                                           {"rad", dimension.angle}}};
  for (const auto& [unit, power] : powers) {
    if (power == 0) continue;
    if (!text.empty()) text += ' ';
    text += unit;
    if (power != 1) text += fmt::format("^{}", power);
  }
  return text;
}

}  // namespace trammel::core
