// Marching from one time to the next with halved steps where a step fails, and stops at events.
#pragma once

#include <functional>

#include "trammel/integrators/event_source.h"
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
///
/// Events (event_source.h) are located by repeating the step in which they lie with other sizes
/// (regula falsi, Illinois rule) until the time is known to 1e-8 of the step.
class March {
 public:
  explicit March(Integrator& integrator, int most_halvings = 20)
      : integrator_(integrator), most_halvings_(most_halvings) {}

  /// Null: no events. Not owned.
  void set_events(EventSource* events) { events_ = events; }

  /// Takes `steps` nominal steps of size h; calls `after_step` after each accepted (sub)step, and
  /// again after an event has acted.
  MarchReport advance(double h, long steps, const std::function<bool()>& after_step = {});

 private:
  MarchReport advance_adaptively(double interval, const std::function<bool()>& after_step);
  Failure stop_at_event(const std::function<bool()>& after_step, int& events);
  bool reach(double size);
  /// One step that stops at events and goes on after them to the full h.
  StepReport step_over_events(double h, const std::function<bool()>& after_step);
  /// From `before`, the size of a step to just behind the first event, which has been taken; or h
  /// when there is none. Negative when steps fail.
  double step_to_event(double h);

  Integrator& integrator_;
  int most_halvings_;
  int level_ = 0;            ///< current step is h / 2^level
  int good_steps_ = 0;       ///< since the last change
  double time_carry_ = 0.0;  ///< what rounding added to the ends of intervals
  EventSource* events_ = nullptr;
  system::Motion before_;  ///< where a step with events starts
};

}  // namespace trammel::integrators
