// What can be chosen about the midpoint procedure of 1987.
#pragma once

#include <string>

#include "trammel/constraint_handling/penalty_stabilisation.h"
#include "trammel/integrators/kinds.h"

namespace trammel::integrators {

/// How numbers (translations) advance.
enum class TranslationRule { central_difference, midpoint };

/// How Euler parameters and their rates are kept on |e| = 1 and e . e' = 0.
enum class UnitNorm {
  closed,  ///< the solutions of the bordered equations in closed form
  newton,  ///< the bordered equations as printed, by Newton's method
  none
};

/// Multipliers at the ends of steps.
enum class EndMultipliers {
  solved,       ///< over the whole step
  extrapolated  ///< 2 lambda_{k+1/2} - lambda_k
};

struct ParkChiouOptions {
  constraint_handling::PenaltyOptions penalty{.rates_of_velocities = true};
  TranslationRule translations = TranslationRule::central_difference;
  UnitNorm norm = UnitNorm::closed;
  EndMultipliers multipliers = EndMultipliers::solved;
  int passes = 10;           ///< most; 1 is of first order
  double tolerance = 1e-10;  ///< of angular velocities, relative to 1/h + |w|
  std::string solver = "auto";
};

std::vector<Setting> park_chiou_settings();

/// Puts settings over the options. Throws InputError when one is wrong or out of range.
void apply(const Settings& settings, ParkChiouOptions& options);

}  // namespace trammel::integrators
