// The equations of motion of a small model as formulas, in the coordinates x of its hinges:
//
//     sum_j M_kj(x) x_j'' + sum_ij C_kij(x) x_i' x_j' + dV/dx_k + sum_r lambda_r dg_r/dx_k = Q_k,
//     g_r(x) = 0,
//
// with M the mass matrix, C_kij = (dM_ki/dx_j + dM_kj/dx_i - dM_ij/dx_k)/2 (Christoffel symbols),
// V the potential of gravity, g the rows of joints that close loops and of drives, Q the loads.
// Everything but the loads is a Polynomial and exact for the numbers of the model; a test compares
// it with what solvers compute.
//
// Models whose bodies hang on turns, slides and screws are written; joints that turn about a point
// (Euler parameters), curves, nonholonomic joints and couplings are refused with their name.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "trammel/model/description.h"
#include "trammel/symbolic/polynomial.h"

namespace trammel::symbolic {

struct Coordinate {
  std::string name;  ///< "pin.angle"
  std::string unit;  ///< "rad" or "m"
};

/// A row g = 0.
struct Row {
  std::string name;              ///< "tip: point x", "motor"
  Polynomial g;                  ///< without what a drive prescribes
  std::string motion = {};       ///< of a drive: g = x - motion, a formula of the model file
  std::vector<Polynomial> by_x;  ///< dg/dx_k
};

/// Along the line between two points: Q_k = -F dL/dx_k, dL/dx_k = (d(L^2)/dx_k)/(2 L).
struct Line {
  Polynomial squared_length;  ///< L^2
  std::vector<Polynomial> half_gradient;
  /// F = stiffness (L - length) + damping L' + preload; without it F is told by its name alone.
  struct Spring {
    double stiffness = 0.0;
    double damping = 0.0;
    double length = 0.0;
    double preload = 0.0;
  };
  std::optional<Spring> spring;
};

/// A force of the model.
struct Load {
  std::string name;
  std::string kind;
  /// One of: along a line, along a coordinate, anything else, which acts along `touches`.
  std::optional<Line> line = std::nullopt;
  std::optional<int> coordinate = std::nullopt;
  std::string formula = {};  ///< of the model file, along a coordinate
  std::vector<int> touches = {};
};

struct Equations {
  std::string model;
  std::vector<Coordinate> coordinates;
  std::vector<std::vector<Polynomial>> mass;                         ///< M_kj
  std::vector<std::vector<std::vector<Polynomial>>> velocity_terms;  ///< C_kij, symmetric in i, j
  std::vector<Polynomial> weight;                                    ///< dV/dx_k
  std::vector<Row> rows;
  std::vector<Load> loads;

  int size() const { return static_cast<int>(coordinates.size()); }
  /// How many terms there are to be read.
  std::size_t terms() const;
};

/// Throws InputError for mistakes of the description and for models that are not written, with the
/// reason.
Equations equations_of_motion(const model::Description& description);

}  // namespace trammel::symbolic
