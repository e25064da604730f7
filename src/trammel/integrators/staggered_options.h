// What can be chosen about the staggered method.
#pragma once

#include <string>

#include "trammel/constraint_handling/penalty_stabilisation.h"
#include "trammel/integrators/kinds.h"

namespace trammel::integrators {

/// What determines the multipliers.
enum class ReactionRule {
  penalty,  ///< penalty constraint stabilisation (constraint_handling/penalty_stabilisation.h)
  none      ///< the acceleration constraint alone, G a + gamma = 0: positions drift
};

/// Multipliers at full stations.
enum class FullStations {
  solved,       ///< from the half station before, as at half stations
  extrapolated  ///< 2 lambda_{n+1/2} - lambda_n, as published; positions are not controlled
};

/// What a step above the stability limit does.
enum class AboveLimit { stop, go_on };

struct StaggeredOptions {
  ReactionRule rule = ReactionRule::penalty;
  constraint_handling::PenaltyOptions penalty;
  FullStations full_stations = FullStations::solved;
  /// Steps between rebuilding the half stations; 0: never; -1: 10 where something dissipates or the
  /// grids have come apart.
  int resynchronise = -1;
  AboveLimit above_limit = AboveLimit::stop;
  std::string solver = "auto";
};

std::vector<Setting> staggered_settings();

/// Puts settings over the options. Throws InputError when one is wrong or out of range.
void apply(const Settings& settings, StaggeredOptions& options);

}  // namespace trammel::integrators
