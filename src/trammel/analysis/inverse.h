// trammel inverse: the loads that make a mechanism move as prescribed, and all reactions.
//
// The motion (q, v, a) is known. Loads lambda of joints and drives and loads tau along further
// named coordinates c (rows C) solve
//
//     G^T lambda - C^T tau = f - M a
//
// in the least squares sense with the displacement scales D as weights; of several solutions the
// smallest is taken. With N a basis of the motions that neither joints nor actuators see (G N = 0,
// C N = 0):
//     under-actuated  N is not empty: the part N^T (f - M a) cannot be balanced. It is told as the
//                     missing loads along coordinates by name.
//     over-actuated   rows depend on each other: loads are not unique, and these are the smallest.
#pragma once

#include <string>
#include <vector>

#include "trammel/analysis/kinematics.h"

namespace trammel::analysis {

struct InverseOptions {
  std::vector<std::string> drives;     ///< names of the model's drives
  std::vector<std::string> actuators;  ///< further coordinates with a load along each
  bool least_squares = false;          ///< go on where loads are missing, instead of refusing
  double tolerance = 1e-3;             ///< missing loads below this share of all loads are errors
};

/// Range of a drive's load over the motion.
struct DriveLoad {
  std::string name;
  std::string unit;
  double smallest = 0.0;
  double largest = 0.0;
  double mean_square = 0.0;  ///< square root of the mean square
  double peak_power = 0.0;   ///< W, largest magnitude
};

struct InverseReport {
  results::Outcome outcome = results::Outcome::completed;
  std::string message;
  std::string remedy;
  int freedoms = 0;   ///< of the joints alone
  int actuators = 0;  ///< drives and further loads
  int missing = 0;    ///< freedoms that no actuator moves
  std::vector<std::string> missing_coordinates;
  double largest_missing = 0.0;         ///< share of all loads
  std::vector<std::string> not_unique;  ///< joints, drives and loads whose values are not unique
  std::vector<DriveLoad> loads;
  std::vector<SingularPosition> singular;
  double until = 0.0;
  std::size_t rows = 0;

  bool over_actuated() const { return actuators > freedoms - missing; }
};

/// The motion that the model's drives prescribe. InputError when they do not determine it, naming
/// the coordinates that are left.
InverseReport inverse_of_drives(model::ModelSystem& system,
                                const model::SimulationSettings& settings,
                                const InverseOptions& options,
                                const SimulationOptions& recording);

/// A recorded motion. RunError when it needs loads that no drive and no actuator gives, unless
/// options.least_squares.
InverseReport inverse_of_motion(model::ModelSystem& system,
                                const std::vector<system::Motion>& motions,
                                const InverseOptions& options,
                                const SimulationOptions& recording);

}  // namespace trammel::analysis
