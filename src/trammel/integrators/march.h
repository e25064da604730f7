// Marching from one time to the next with halved steps where a step fails, and stops at events.
#pragma once

#include <functional>
#include <memory>

#include "trammel/integrators/event_source.h"
#include "trammel/integrators/switch_crossing.h"

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
/// (regula falsi, Illinois rule) until the time is known to 1e-8 of the step, or 1e-11 of one that
/// the method chose.
///
/// Times at which functions of the system jump (system/time_switches.h) are known beforehand: a
/// step ends there, the motion is carried over (switch_crossing.h), the integrator starts anew, and
/// the rest of a fixed step follows. Kinks are met likewise by fixed steps, which have no error
/// estimate to see them, and by multistep methods; other methods end a step there and go on. So
/// that no step is next to nothing, kinks within a hundredth of a fixed step from its ends are
/// passed over where no other switch is within a step of them (two kinks that are close to each
/// other may be a pulse), and a switch within a millionth of a step is reached by Taylor's series.
///
/// Fixed steps that are suddenly much shorter than those before (a last interval up to the end of a
/// motion) magnify what accelerations and multipliers lag behind by, or round-off: with h' = h/100
/// a lag of 1e-4 becomes one of 1e-2, and at h/1e6 nothing is left of them. After such steps, of
/// less than half the size of those asked for before, both are found anew from positions and
/// velocities, which do not suffer, and the integrator starts again from there; a step of less than
/// a millionth of those before is taken by Taylor's series.
class March {
 public:
  explicit March(Integrator& integrator, int most_halvings = 20);

  /// Null: no events. Not owned.
  void set_events(EventSource* events) { events_ = events; }
  /// In place of a plain SwitchCrossing. Not owned.
  void set_crossing(SwitchCrossing* crossing) { crossing_ = crossing; }

  /// Fixed steps, and the parts that events and switches leave of them, are taken in so many equal
  /// ones: their ends stay where they are.
  void set_division(int steps) { division_ = steps; }
  /// The same for those parts alone. Halved nominal steps leave them as long as they were: what a
  /// switch cuts off before the middle of a step is the same piece in both.
  void set_division_of_parts(int steps) { division_of_parts_ = steps; }

  /// Takes `steps` nominal steps of size h; calls `after_step` after each accepted (sub)step, and
  /// again after an event has acted.
  MarchReport advance(double h, long steps, const std::function<bool()>& after_step = {});

 private:
  using AfterStep = std::function<bool()>;
  /// A nominal step in parts: from event to event.
  struct Parts {
    StepReport report;
    bool stopped = false;  ///< by after_step
    bool passed = false;   ///< something that happened: a failure after it is met by no smaller h
  };

  /// What events and switches leave of a nominal step, where such pieces are divided.
  struct Piece {
    double end = -1.0;   ///< s
    double share = 0.0;  ///< of one step in it, s
  };

  MarchReport advance_adaptively(double interval, const AfterStep& after_step);
  Failure stop_at_event(const AfterStep& after_step, double interval, int& events);
  bool reach(double size);
  /// A fixed step or a part of one. One that fails leaves the motion as it was.
  StepReport take(double size, int division);
  StepReport take(double size) { return take(size, division_); }
  /// Shortens one to its share of the piece in which it lies, where those are divided.
  void divide_part(double h, double slack, Piece& piece, double& part) const;
  /// Keeps where a step with events starts, and goes back there.
  void mark();
  void go_back();
  /// One step; `share` is its size over that of the calls before.
  Parts take_step(double h, double share, const AfterStep& after_step);
  /// One step that stops at events and switches and goes on after them to the full h.
  Parts step_in_parts(double h, const AfterStep& after_step);
  /// Shortens a step to the next switch; holds the functions where they jump. True when a jump is
  /// here already.
  bool limit_to_switch(double h, double& part);
  /// Whether a kink lies so near to an end of a step that the step goes over it.
  bool passes_over(const system::TimeSwitch& kink, double until, double part, double h);
  double take_part(double h, double part, const AfterStep& after_step, Parts& parts);
  void coast(double d);
  /// Accelerations and multipliers of where the integrator is, found anew.
  void refresh();
  void find_accelerations(system::Motion& motion);
  double act_on_event(double h, double tried, const AfterStep& after_step, bool& stopped);
  MarchReport end_of(MarchReport report) const;
  bool at_jump(double slack) const;
  Failure cross(double slack, const AfterStep& after_step, bool& stopped);
  /// A jump that the end of an interval and round-off leave ahead.
  Failure cross_at_end(double end, double slack, const AfterStep& after_step, bool& stopped);
  /// From `before`, the size of a step to just behind the first event, which has been taken; or h
  /// when there is none. Negative when steps fail.
  double step_to_event(double h);

  Integrator& integrator_;
  int most_halvings_;
  int division_ = 1;
  int division_of_parts_ = 1;
  int level_ = 0;               ///< current step is h / 2^level
  int good_steps_ = 0;          ///< since the last change
  double asked_step_ = 0.0;     ///< by the last call, of fixed ones, s
  double time_carry_ = 0.0;     ///< what rounding added to the ends of intervals
  double last_event_ = -1.0;    ///< s
  double interval_end_ = -1.0;  ///< of the last one, s
  std::unique_ptr<constraint_handling::ConsistentStart> start_;  ///< where steps are short
  EventSource* events_ = nullptr;
  std::unique_ptr<SwitchCrossing> own_crossing_;
  SwitchCrossing* crossing_ = nullptr;  ///< null: functions of time are smooth
  system::Motion before_;               ///< where a step with events starts
  system::Power work_before_;
};

}  // namespace trammel::integrators
