// A converged solution to measure methods against, with an estimate of its own error.
//
// Generalized-alpha (rho 0.6, index 3) runs at steps h, h/2, h/4, ... with a tight Newton
// tolerance. Its error has an expansion c2 h^2 + c3 h^3 + c4 h^4 + ..., so that
//
//     T_{k,0} = solution at h/2^k,   T_{k,j} = T_{k,j-1} + (T_{k,j-1} - T_{k-1,j-1})/(2^(j+1) - 1)
//
// removes one term after the other (Richardson extrapolation), along the manifold for rotations.
// The last correction |T_{k,j} - T_{k,j-1}| estimates the error, or half of what the last
// halving changed, |T_{k,j} - T_{k-1,j-1}|, where that is more: jumps and events that steps do not
// meet leave errors of second order that no correction removes. Extrapolated positions and
// velocities are projected onto their constraints; accelerations and multipliers then follow from
// the equations of motion, so that nothing of the method is left in them. Models with events
// (contacts, friction that sticks) keep the accelerations and reactions of the finest run.
//
// Halving goes on until the estimate is below a thousandth of the plain error at the first step.
// Where motions part exponentially (chaos) no step is short enough for long times: the reference
// is trusted until its estimate first exceeds a thousandth of the model's size (or rad).
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "trammel/analysis/comparison/deviation.h"
#include "trammel/analysis/comparison/sampling.h"
#include "trammel/analysis/watch.h"
#include "trammel/model/description.h"

namespace trammel::analysis::comparison {

struct ReferenceOptions {
  double step = 1e-3;  ///< the longest, h
  int least_runs = 3;
  int most_runs = 6;
  int threads = 0;
  EarlyEnd end;
  std::function<void(long steps)> progress;  ///< steps done since the last call; from any thread
};

struct Reference {
  std::vector<Sample> samples;  ///< after the start, up to the trusted one
  std::vector<double> steps;    ///< of the runs, s
  Deviation scale;              ///< largest velocity, acceleration and reaction
  Deviation estimate;           ///< of its error, relative to the scale
  double trusted_until = 0.0;   ///< s
  std::string obstacle;         ///< why there is none, when samples are empty

  /// "generalized-alpha at 5 steps from 0.001 to 6.25e-05 s, extrapolated; ...".
  std::string text() const;
};

/// Empty when the model cannot be run at these steps, or when it was stopped.
Reference make_reference(const model::Description& description,
                         const Sampling& sampling,
                         const ReferenceOptions& options);

}  // namespace trammel::analysis::comparison
