// From a described configuration to a consistent start: positions, velocities, accelerations.
#pragma once

#include <string>
#include <vector>

#include "trammel/model/model_system.h"
#include "trammel/system/state.h"

namespace trammel::analysis {

/// Degrees of freedom and redundancy, from the numerical rank of G at the assembled configuration.
struct Mobility {
  int velocities = 0;
  int rows = 0;
  int rank = 0;
  int freedoms() const { return velocities - rank; }
  /// Rows that follow from the others, one for each lost rank ("hinge2: axis tilt about x").
  std::vector<model::RowName> redundant;
  /// Rows whose multiplier is not determined: the reactions of these joints are not unique.
  std::vector<model::RowName> not_unique;
  /// What depends on such reactions, by name: frictions, laws that read loads, contacts that open
  /// where they pull. Rigid bodies do not determine the motion then; it is that of the least
  /// reactions (system/reaction_weights.h). Empty: the motion does not depend on them.
  std::vector<std::string> loads_not_unique;
  /// Contacts and couplings that are open here, and hold nothing; by name.
  std::vector<std::string> open;
  /// Rows whose multiplier would not be determined if all of these were closed; empty where that
  /// makes no difference.
  std::vector<model::RowName> not_unique_closed;
  /// Smallest pivot kept and largest pivot dropped, relative to the row's own size: a wide gap
  /// means that the rank is certain.
  double smallest_kept = 1.0;
  double largest_dropped = 0.0;
};

/// A described initial value that assembly changed.
struct MovedValue {
  model::InitialName name;
  double from = 0.0;
  double to = 0.0;
  bool stated = false;  ///< somebody wrote it down
  bool large = false;   ///< stated, and moved beyond what a guess explains
};

/// "crank: angular_velocity from 10 to 2.5 rad/s".
std::string to_string(const MovedValue& moved);

/// Rank and redundancy of all rows at a state, by name.
Mobility mobility_of(model::ModelSystem& system, const system::State& state);

struct Assembly {
  system::Motion motion;  ///< consistent at all levels
  Mobility mobility;
  int iterations = 0;
  double largest_move = 0.0;             ///< of any coordinate from its described value, m or rad
  double largest_velocity_change = 0.0;  ///< m/s or rad/s
  std::vector<MovedValue> moved;         ///< stated values first, the largest moves first
  std::vector<model::MasslessTurn> massless_turns;  ///< all of them held by joints
  double position_residual = 0.0;                   ///< max |g|
  double velocity_residual = 0.0;                   ///< max |G v + g_t|
  double acceleration_residual = 0.0;               ///< max |G a + gamma|
  double force_residual = 0.0;                      ///< max |M a + G^T lambda - f|
};

/// Assembles the described state. Throws RunError naming the joints that cannot be closed, with
/// their gaps, when no configuration is found.
Assembly assemble(model::ModelSystem& system);

}  // namespace trammel::analysis
