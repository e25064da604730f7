// What can interrupt a march: functions of the motion whose fall below zero is an event.
//
// The march stops at the first event of a step, lets the source act on the motion (constraints let
// go, parts meet) and starts the integrator anew from what comes out. Any integrator will do.
#pragma once

#include "trammel/system/state.h"

namespace trammel::integrators {

class EventSource {
 public:
  virtual ~EventSource() = default;
  /// The least of all watched functions, each over its tolerance: an event is where it falls below
  /// zero. Without `exactly` anything above zero will do where no event is near; with it, the value
  /// depends on time, positions and velocities alone, so that steps of any size agree on it.
  virtual double watch(const system::Motion& motion, bool exactly) = 0;
  /// Called at an event, and where a consistent motion is wanted; afterwards watch() is not below
  /// zero and the motion is consistent.
  virtual void act(system::Motion& motion) = 0;
  /// True when act() found no motion to go on with: the march ends there.
  virtual bool stuck() const { return false; }
};

}  // namespace trammel::integrators
