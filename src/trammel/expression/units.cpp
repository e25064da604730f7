#include "trammel/expression/units.h"

#include <algorithm>
#include <numbers>

namespace trammel::expression {
namespace {

using std::numbers::pi;
constexpr core::Dimension frequency{0, 0, -1, 0};

}  // namespace

const std::vector<Unit>& units() {
  namespace d = core::dimension;
  static const std::vector<Unit> table{
      {"m", d::length, 1.0, "metre"},
      {"km", d::length, 1e3, "kilometre"},
      {"cm", d::length, 1e-2, "centimetre"},
      {"mm", d::length, 1e-3, "millimetre"},
      {"um", d::length, 1e-6, "micrometre"},
      {"in", d::length, 0.0254, "inch"},
      {"ft", d::length, 0.3048, "foot"},
      {"kg", d::mass, 1.0, "kilogram"},
      {"g", d::mass, 1e-3, "gram"},
      {"t", d::mass, 1e3, "tonne"},
      {"lb", d::mass, 0.45359237, "pound"},
      {"s", d::time, 1.0, "second"},
      {"ms", d::time, 1e-3, "millisecond"},
      {"us", d::time, 1e-6, "microsecond"},
      {"min", d::time, 60.0, "minute"},
      {"h", d::time, 3600.0, "hour"},
      {"rad", d::angle, 1.0, "radian"},
      {"mrad", d::angle, 1e-3, "milliradian"},
      {"deg", d::angle, pi / 180.0, "degree"},
      {"rev", d::angle, 2.0 * pi, "revolution"},
      {"rpm", d::angular_velocity, 2.0 * pi / 60.0, "revolutions per minute"},
      {"Hz", frequency, 1.0, "1/s; for a speed of rotation use rev/s, rpm or rad/s"},
      {"N", d::force, 1.0, "newton"},
      {"kN", d::force, 1e3, "kilonewton"},
      {"mN", d::force, 1e-3, "millinewton"},
      {"lbf", d::force, 4.4482216152605, "pound-force"},
      {"J", d::energy, 1.0, "joule"},
      {"kJ", d::energy, 1e3, "kilojoule"},
      {"W", d::power, 1.0, "watt"},
      {"kW", d::power, 1e3, "kilowatt"},
      {"Pa", d::pressure, 1.0, "pascal"},
      {"kPa", d::pressure, 1e3, "kilopascal"},
      {"MPa", d::pressure, 1e6, "megapascal"},
      {"GPa", d::pressure, 1e9, "gigapascal"},
      {"bar", d::pressure, 1e5, "bar"},
  };
  return table;
}

const Unit* find_unit(std::string_view name) {
  const std::vector<Unit>& table = units();
  const auto found =
      std::find_if(table.begin(), table.end(), [&](const Unit& unit) { return unit.name == name; });
  return found == table.end() ? nullptr : &*found;
}

}  // namespace trammel::expression
