// One run of a comparison: a method at a fixed step, measured at every step.
#pragma once

#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "trammel/analysis/comparison/candidate.h"
#include "trammel/analysis/comparison/reference.h"
#include "trammel/analysis/comparison/verdict.h"
#include "trammel/analysis/watch.h"

namespace trammel::analysis::comparison {

constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

struct RunResult {
  Verdict verdict = Verdict::stable;
  std::string reason;    ///< what the verdict rests on
  double reached = 0.0;  ///< s
  double step = 0.0;     ///< the one taken, s
  long steps = 0;
  /// Largest over the sample times, against the reference; NaN without one, or where the run ended
  /// before the reference does.
  Deviation error{unknown, unknown, unknown, unknown};
  double position_residual = 0.0;  ///< largest over all steps: max |g|
  double velocity_residual = 0.0;
  double acceleration_residual = 0.0;
  double energy_change = 0.0;  ///< largest |what the energy balance lacks|, J
  double energy_drift = 0.0;   ///< its trend, J/s
  double iterations_per_step = 0.0;
  double factorisations_per_step = 0.0;
  double time = 0.0;  ///< processor time of the steps alone, s
  double saw_tooth_acceleration = 0.0;
  double saw_tooth_reaction = 0.0;
  std::vector<double> energy_history;  ///< what the balance lacks at the sample times, J
};

struct RunOptions {
  Limits limits;
  EarlyEnd end;
  std::function<void(long steps)> progress;
};

/// Runs a candidate. A step that fails ends the run: nothing is retried with a smaller one, since
/// the step belongs to what is compared. Results of a run that was stopped are not complete.
RunResult run_candidate(const model::Description& description,
                        const Candidate& candidate,
                        const Sampling& sampling,
                        const Reference& reference,
                        const RunOptions& options);

}  // namespace trammel::analysis::comparison
