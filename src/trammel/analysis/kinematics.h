// trammel kinematics: positions, velocities and accelerations that joints and drives determine,
// over time, with the singular positions met on the way.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "trammel/analysis/drive_switch.h"
#include "trammel/analysis/simulate.h"
#include "trammel/analysis/singular_position.h"
#include "trammel/analysis/watch.h"

namespace trammel::analysis {

struct KinematicsReport {
  results::Outcome outcome = results::Outcome::completed;
  std::string message;
  std::string remedy;
  Assembly assembly;
  DriveCheck drives;
  std::vector<SingularPosition> singular;  ///< passed, or the one that ended the motion
  std::vector<DriveSwitch> switches;       ///< by which dead centres were passed
  system::Motion final_motion;
  double largest_position_error = 0.0;
  double largest_velocity_error = 0.0;
  double largest_acceleration_error = 0.0;
  long steps = 0;
  long iterations = 0;
};

/// Called for every motion; `output` at output times, `tell` when it is time to tell how far it is.
/// `system` is that of the motion.
struct Visit {
  model::ModelSystem& system;
  const system::Motion& motion;
  bool output = false;
  double h = 0.0;
  bool tell = false;
  double wall_time = 0.0;  ///< s since the start
};
using Visitor = std::function<void(const Visit& visit)>;

/// Follows the motion from its assembled start over the times of `settings`. InputError when the
/// drives do not determine it; RunError when it cannot be assembled. Dead centres are passed with
/// another input when `switched` is given, which must have been made of the same description, and
/// end the motion otherwise. Any end of the motion is told in the report.
KinematicsReport follow_kinematics(model::ModelSystem& system,
                                   const model::SimulationSettings& settings,
                                   const std::vector<std::string>& drives,
                                   const Visitor& visit,
                                   const EarlyEnd& early_end = {},
                                   SwitchedDrives* switched = nullptr);

/// The same, with rows to the sink as a simulation writes them. Reactions and drive loads are those
/// of inverse dynamics.
KinematicsReport kinematics(model::ModelSystem& system,
                            const model::SimulationSettings& settings,
                            const std::vector<std::string>& drives,
                            const SimulationOptions& options,
                            SwitchedDrives* switched = nullptr);

}  // namespace trammel::analysis
