// What can be chosen about methods that control their error, and about explicit ones.
//
// The error e of a step is measured by groups: positions x, velocities v, first-order states z and
// energies,
//
//     |e| = max over the groups of sqrt(mean (e_i / w_i)^2)
//
//     w = (absolute + relative) s_i         of a position with the scale s_i (model size, or 1 rad)
//         absolute s_i/T + relative |v_i|   of a velocity
//         absolute + relative |z_i|         of a state
//         (absolute + relative) E/2         of work and dissipation
//         (absolute + relative) E/20        of the balance of energy
//
// where E is the energy that was exchanged so far (state_equations.h), and a step is accepted when
// |e| <= 1. T is a second, or longer where nothing has been faster than a scale in T so far: a
// motion of hours is as accurate as one of seconds. (Of faster motions the relative part decides.)
// Accelerations a of a start from rest count as the speed sqrt(a s).
#pragma once

#include <string>
#include <vector>

#include "trammel/integrators/kinds.h"

namespace trammel::integrators {

/// Who chooses the steps.
enum class StepChoice {
  adaptive,  ///< the method, by its tolerances
  fixed      ///< the user
};

/// What keeps positions and velocities on their constraints, where accelerations alone would drift.
enum class DriftControl {
  projection,  ///< of positions and velocities after every step
  none,
  baumgarte  ///< g'' + 2 w g' + w^2 g = 0 in the place of g'' = 0
};

struct AdaptiveOptions {
  double relative_tolerance = 1e-6;
  double absolute_tolerance = 1e-6;
  StepChoice steps = StepChoice::adaptive;
  double first_step = 0.0;    ///< s; 0: by the method
  double largest_step = 0.0;  ///< s; 0: no limit
  int most_order = 12;        ///< of methods that choose their order
  DriftControl drift = DriftControl::projection;
  double baumgarte_rate = 20.0;  ///< w, 1/s
  std::string solver = "auto";   ///< linear solver, where no recursion takes its place
};

/// Settings of tolerances and steps; the relative tolerance stands first.
std::vector<Setting> tolerance_settings();
/// The choice between adaptive and fixed steps.
Setting step_choice_setting();
Setting order_setting(int most);
/// Settings of the drift; implicit methods have no use for Baumgarte's.
std::vector<Setting> drift_settings(bool explicit_method);

/// Puts settings over the options. Throws InputError when one is wrong or out of range.
void apply(const Settings& settings, AdaptiveOptions& options);

}  // namespace trammel::integrators
