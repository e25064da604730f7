// What can be chosen about the single-grid procedures.
#pragma once

#include <string>

#include "trammel/constraint_handling/penalty_stabilisation.h"
#include "trammel/integrators/kinds.h"

namespace trammel::integrators {

enum class GridRule { trapezoidal, midpoint };

/// What the rows of the constraints ask of the accelerations.
enum class RowTreatment {
  penalty,             ///< penalty constraint stabilisation, rate form
  penalty_position,    ///< the same with the positions themselves: g = eps (lambda - lambda_0)
  baumgarte,           ///< g'' + 2 alpha g' + beta^2 g = 0 with g and g' of the last pass
  baumgarte_implicit,  ///< with those that the accelerations lead to
  algebraic_penalty,   ///< lambda = g/eps: no equation for accelerations at all
  none                 ///< g'' = 0, direct integration at index 1
};

struct SingleGridOptions {
  GridRule rule = GridRule::trapezoidal;
  RowTreatment treatment = RowTreatment::penalty;
  constraint_handling::PenaltyOptions penalty;
  double baumgarte_alpha = 0.0;  ///< 1/s; 0: 1/h
  double baumgarte_beta = 0.0;   ///< 1/s; 0: sqrt(2)/h
  int passes = 50;               ///< most; 1: no iteration
  double tolerance = 1e-10;      ///< of a pass: |dx| and h |dv| over the displacement scale
  std::string solver = "auto";
};

std::vector<Setting> single_grid_settings();

/// Puts settings over the options. Throws InputError when one is wrong, out of range or does not go
/// with the others.
void apply(const Settings& settings, SingleGridOptions& options);

}  // namespace trammel::integrators
