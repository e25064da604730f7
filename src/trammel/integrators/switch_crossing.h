// What happens at a time at which functions of the system jump (system/time_switches.h): from the
// motion that a step reached just before it, the consistent motion just after it.
//
//     q+ = q-
//     M (v+ - v-) + G^T s = 0,    G v+ + g_t = 0
//     M a + G^T lambda = f,       G a + gamma = 0
//
// with all functions those of t+; s are the impulses of the constraints: zero but for round-off,
// unless a prescribed velocity jumps.
#pragma once

#include "trammel/constraint_handling/consistent_start.h"
#include "trammel/integrators/integrator.h"
#include "trammel/system/time_switches.h"

namespace trammel::integrators {

class SwitchCrossing {
 public:
  explicit SwitchCrossing(system::MechanicalSystem& system);
  virtual ~SwitchCrossing() = default;
  SwitchCrossing(const SwitchCrossing&) = delete;
  SwitchCrossing& operator=(const SwitchCrossing&) = delete;
  SwitchCrossing(SwitchCrossing&&) = delete;
  SwitchCrossing& operator=(SwitchCrossing&&) = delete;

  system::TimeSwitches& switches() { return switches_; }
  /// The motion was reached with functions held before the switch, and stands at its time. Lets go
  /// of them and changes the motion to that on the other side. Switches that round-off puts apart
  /// (`slack`, s) are crossed together.
  Failure cross(system::Motion& motion, double slack);

 protected:
  /// The new velocities, when functions have been let go; `order` is that of the switch.
  virtual Failure change_velocities(system::Motion& motion, int order);
  /// Called before functions are let go.
  virtual void see_before(const system::Motion& /*motion*/) {}
  /// Called with the consistent motion of the other side.
  virtual void see_after(system::Motion& /*motion*/) {}

  system::MechanicalSystem& system_;
  constraint_handling::ConsistentStart start_;

 private:
  /// False when the state is far from its constraints.
  bool close_positions(system::State& state);

  system::TimeSwitches& switches_;
  system::State closed_;
  system::Vector x_;
};

}  // namespace trammel::integrators
