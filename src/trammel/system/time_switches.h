// Times at which functions of time are not smooth, known in advance: the edges of a pulse, the
// knots of a table, the changes of a condition on time.
//
// What jumps there is a derivative of the positions; its order is
//
//     0   the position itself: a constraint that no motion can follow
//     1   the velocity: an impact
//     2   the acceleration: a load that jumps, a drive with a kink in its velocity
//     3   its rate: a load with a kink
//     4+  loads that are smoother
//     10+ positions that are prescribed with continuous accelerations: constraints hold at the end
//         of a step whatever happens inside it, and only methods of high order mind
//
// No step goes over a switch of order up to 2: it ends there, and the next one begins from a
// consistent motion on the other side. So that the step before sees the left limits of all
// functions, whatever its last evaluation makes of the time by round-off, the system is told to
// hold: evaluations at and after the time of the switch are then those just before it. The value at
// the very time of a jump belongs to what follows, and so does that at the start: what differs only
// at t = 0 itself (time > 0 s) is not seen.
//
// Switches of several functions that fall on one time in exact arithmetic are computed at times
// that differ by round-off. They are one switch, whose order is the lowest: it is held before the
// first and crossed behind the last.
//
// A system with such functions implements this interface besides its own; it is found by
// time_switches().
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "trammel/system/capability.h"

namespace trammel::system {

struct TimeSwitch {
  static constexpr int none = 1000;
  /// Up to this order a step ends at the switch and the next one begins anew.
  static constexpr int restarts = 2;
  /// Up to this order loads are meant.
  static constexpr int loads = 9;
  static constexpr int all = 99;
  /// Of the time: switches of several functions that are nearer to each other are one.
  static constexpr double round_off = 64.0 * std::numeric_limits<double>::epsilon();

  double time = std::numeric_limits<double>::infinity();  ///< s: first at which a new side holds
  int order = none;                                       ///< of the lowest derivative that jumps
  double last = time;  ///< s: first at which all new sides hold; round-off puts it behind `time`

  bool jumps() const { return order <= restarts; }
};

/// The first of two; both as one, with the lower order, where only round-off puts them apart.
inline TimeSwitch first_of(const TimeSwitch& a, const TimeSwitch& b) {
  const TimeSwitch& early = b.time < a.time ? b : a;
  const TimeSwitch& late = b.time < a.time ? a : b;
  if (!(late.time <= early.last + TimeSwitch::round_off * std::abs(early.last))) return early;
  return {early.time, std::min(a.order, b.order), std::max(a.last, b.last)};
}

class TimeSwitches : public Capability {
 public:
  /// Whether there are any.
  virtual bool has_switches() const = 0;
  /// The first switch of an order up to `highest` in (t, t + h], or one that never comes; what
  /// falls on its time but for round-off is part of it. Kinks are left out where a step of size h
  /// passes over them unharmed: where a table's slope changes so little that over h this is less
  /// than a hundredth of the table's range.
  virtual TimeSwitch next_switch(double t, double h, int highest) = 0;
  /// From now on no function goes beyond this switch; TimeSwitch{} lets go.
  virtual void hold_before(const TimeSwitch& next) = 0;
  virtual const TimeSwitch& held() const = 0;
};

/// The system's switches; null when all its functions of time are smooth.
inline TimeSwitches* time_switches(MechanicalSystem& system) {
  auto* switches = capability<TimeSwitches>(system);
  return switches != nullptr && switches->has_switches() ? switches : nullptr;
}

}  // namespace trammel::system
