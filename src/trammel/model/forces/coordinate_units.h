// Settings whose unit follows from the coordinate that their item names: a stop of a slider stands
// at 98.5 mm and has 2 kN/mm, that of a hinge at 30 deg with 5 N m/deg.
//
//     [setting] = F^load x^coordinate s^time,     F = N and x = m along lengths,
//                                                 F = N m and x = rad along angles.
#pragma once

#include <array>
#include <optional>
#include <string_view>

#include "trammel/core/dimension.h"

namespace trammel::model {

struct CoordinateUnit {
  int load = 0;
  int coordinate = 0;
  int time = 0;
  /// Of a list: each entry has one power of the coordinate less than the one before it.
  bool falling = false;
  /// The setting by which the power of the coordinate is multiplied, if there is one.
  std::string_view exponent = {};

  /// Along a coordinate of this dimension, a length or an angle; of entry `place` of a list.
  constexpr core::Dimension dimension(const core::Dimension& x,
                                      int place = 0,
                                      int times = 1) const {
    const core::Dimension force =
        x == core::dimension::length ? core::dimension::force : core::dimension::torque;
    const int power = coordinate * times - (falling ? place : 0);
    return {load * force.length + power * x.length, load * force.mass, load * force.time + time,
            power * x.angle};
  }
};

struct CoordinateSettings {
  std::string_view kind;
  std::string_view setting;
  CoordinateUnit unit;
};

/// Kinds of forces and drives with a key `coordinate`.
inline constexpr std::array coordinate_settings{
    CoordinateSettings{"coordinate_spring", "stiffness", {1, -1, 0, true}},
    CoordinateSettings{"coordinate_spring", "damping", {1, -1, 1}},
    CoordinateSettings{"coordinate_spring", "reference", {0, 1, 0}},
    CoordinateSettings{"coordinate_spring", "preload", {1, 0, 0}},
    CoordinateSettings{"coordinate_stop", "lower", {0, 1, 0}},
    CoordinateSettings{"coordinate_stop", "upper", {0, 1, 0}},
    CoordinateSettings{"coordinate_stop", "stiffness", {1, -1, 0, false, "exponent"}},
    CoordinateSettings{"coordinate_stop", "damping", {1, -1, 1}},
    CoordinateSettings{"coordinate_stop", "transition", {0, 1, 0}},
    CoordinateSettings{"coordinate_friction", "viscous", {1, -1, 1}},
    CoordinateSettings{"lugre_friction", "viscous", {1, -1, 1}},
    CoordinateSettings{"lugre_friction", "bristle_stiffness", {1, -1, 0}},
    CoordinateSettings{"lugre_friction", "bristle_damping", {1, -1, 1}},
    CoordinateSettings{"coordinate_viscoelastic", "stiffness", {1, -1, 0}},
    CoordinateSettings{"coordinate_viscoelastic", "branch_stiffness", {1, -1, 0}},
    CoordinateSettings{"coordinate_viscoelastic", "branch_times", {0, 0, 1}},
    CoordinateSettings{"coordinate_viscoelastic", "relaxation_times", {0, 0, 1}},
    CoordinateSettings{"coordinate_viscoelastic", "relaxation_values", {1, -1, 0}},
    CoordinateSettings{"coordinate_viscoelastic", "reference", {0, 1, 0}},
    CoordinateSettings{"coordinate_viscoelastic", "initial_strain", {0, 1, 0}},
    CoordinateSettings{"coordinate_viscoelastic", "initial_load", {1, 0, 0}},
    CoordinateSettings{"pid", "proportional_gain", {1, -1, 0}},
    CoordinateSettings{"pid", "integral_gain", {1, -1, -1}},
    CoordinateSettings{"pid", "derivative_gain", {1, -1, 1}},
    CoordinateSettings{"pid", "lower", {1, 0, 0}},
    CoordinateSettings{"pid", "upper", {1, 0, 0}},
    CoordinateSettings{"pid", "initial_integral", {1, 0, 0}},
    CoordinateSettings{"pid", "initial_filter", {0, 1, 0}},
    CoordinateSettings{"implicit_force", "guess", {1, 0, 0}},
    CoordinateSettings{"acceleration", "initial_rate", {0, 1, -1}},
};

/// Null for settings with a dimension of their own.
constexpr const CoordinateUnit* coordinate_unit(std::string_view kind, std::string_view setting) {
  for (const CoordinateSettings& each : coordinate_settings) {
    if (each.kind == kind && each.setting == setting) return &each.unit;
  }
  return nullptr;
}

}  // namespace trammel::model
