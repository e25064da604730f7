// What people call the coordinates and the constraint rows of a system.
//
// Solvers number them; where one has to speak of them, it asks for their names.
#pragma once

#include <string>

#include <fmt/format.h>

#include "trammel/system/capability.h"

namespace trammel::system {

class CoordinateNames : public Capability {
 public:
  /// Of a component of v: "crank.angle", "rod.position.x" (of the centre of mass), "pin.angle".
  virtual std::string coordinate_name(int component) const = 0;
  /// Of a constraint row: "pin, point x".
  virtual std::string constraint_name(int row) const = 0;
};

/// Systems that do not tell have numbers, from 1 on.
inline std::string coordinate_name(MechanicalSystem& system, int component) {
  const auto* names = capability<CoordinateNames>(system);
  return names != nullptr ? names->coordinate_name(component)
                          : fmt::format("coordinate {}", component + 1);
}

inline std::string constraint_name(MechanicalSystem& system, int row) {
  const auto* names = capability<CoordinateNames>(system);
  return names != nullptr ? names->constraint_name(row) : fmt::format("row {}", row + 1);
}

}  // namespace trammel::system
