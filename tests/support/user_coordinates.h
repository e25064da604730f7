// Coordinates of the user's own, for free joints of tests.
#pragma once

#include <string>
#include <vector>

#include "trammel/model/field.h"

namespace trammel::support {

/// Fields of a free joint with coordinates by formulas: parabolic ones in the plane, oblate
/// spheroidal ones in space; good near (1.3, 0.6, 0.7).
inline model::Values user_coordinates(model::Space space) {
  if (space == model::Space::planar) {
    return {{"position", std::string("formulas")},
            {"x", std::string("0.5 m * (u^2 - v^2)")},
            {"y", std::string("1 m * u*v")},
            {"guess", std::vector<double>{1.5, 0.5}}};
  }
  return {{"position", std::string("formulas")},
          {"x", std::string("1 m * cosh(u)*cos(v)*cos(w)")},
          {"y", std::string("1 m * cosh(u)*cos(v)*sin(w)")},
          {"z", std::string("1 m * sinh(u)*sin(v)")},
          {"guess", std::vector<double>{1.0, 0.6, 0.4}}};
}

}  // namespace trammel::support
