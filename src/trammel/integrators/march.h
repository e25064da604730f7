// Marching from one time to the next with halved steps where a step fails.
#pragma once

#include <functional>

#include "trammel/integrators/integrator.h"

namespace trammel::integrators {

struct MarchReport {
  bool ok = true;
  Failure failure = Failure::none;
  double time = 0.0;           ///< reached, s
  double smallest_step = 0.0;  ///< used, s
  long halvings = 0;
};

/// Advances over fixed intervals. A failed step is retried with half the size, again and again up
/// to 2^-most_halvings; after a few good steps the size doubles back to the nominal one. Methods
/// that choose their own steps are asked for one after the other until the interval is over.
class March {
 public:
  explicit March(Integrator& integrator, int most_halvings = 20)
      : integrator_(integrator), most_halvings_(most_halvings) {}

  /// Takes `steps` nominal steps of size h; calls `after_step` after each accepted (sub)step.
  MarchReport advance(double h, long steps, const std::function<bool()>& after_step = {});

 private:
  MarchReport advance_adaptively(double interval, const std::function<bool()>& after_step);

  Integrator& integrator_;
  int most_halvings_;
  int level_ = 0;            ///< current step is h / 2^level
  int good_steps_ = 0;       ///< since the last change
  double time_carry_ = 0.0;  ///< what rounding added to the ends of intervals
};

}  // namespace trammel::integrators
