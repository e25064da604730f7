// A system written by hand whose functions of time jump or have kinks at given times.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <vector>

#include "hand_written_systems.h"

#include "trammel/system/time_switches.h"

namespace trammel::integrators::testing {

/// The time that functions see: none after a switch that is held.
using Clock = std::shared_ptr<double>;

inline Clock make_clock() {
  return std::make_shared<double>(std::numeric_limits<double>::infinity());
}
inline double seen(const Clock& clock, const State& state) {
  return std::min(*clock, state.t);
}

class SwitchedSystem final : public FunctionSystem, public system::TimeSwitches {
 public:
  SwitchedSystem(Parts parts, Clock clock, std::vector<system::TimeSwitch> switches)
      : FunctionSystem(std::move(parts)),
        clock_(std::move(clock)),
        switches_(std::move(switches)) {}

  bool has_switches() const override { return true; }
  system::TimeSwitch next_switch(double t, double h, int highest) override {
    for (const system::TimeSwitch& next : switches_) {
      if (next.time > t && next.time <= t + h && next.order <= highest) return next;
    }
    return {};
  }
  void hold_before(const system::TimeSwitch& next) override {
    held_ = next;
    *clock_ = std::isinf(next.time) ? next.time : std::nextafter(next.time, 0.0);
  }
  const system::TimeSwitch& held() const override { return held_; }

 private:
  Clock clock_;
  std::vector<system::TimeSwitch> switches_;
  system::TimeSwitch held_;
};

/// Unit mass under a force of `impulse` over `width`, from `start` on.
inline SwitchedSystem struck_mass(double start, double width, double impulse) {
  const Clock clock = make_clock();
  const double end = start + width;
  return {{.mass = vector({1.0}),
           .force =
               [=](const State& s) {
                 const double t = seen(clock, s);
                 return vector({t >= start && t < end ? impulse / width : 0.0});
               }},
          clock,
          {{start, 2}, {end, 2}}};
}

/// Unit mass at x, which is driven: at rest until t = 0.3, then with the speed 2; and on a spring
/// of stiffness 9 to it another unit mass at y, at rest. A row of both.
inline SwitchedSystem ramp_driven_pair() {
  const Clock clock = make_clock();
  return {
      {.mass = vector({1.0, 1.0}),
       .force =
           [](const State& s) {
             const double pull = 9.0 * (s.q[0] - s.q[1]);
             return vector({-pull, pull});
           },
       .position =
           [=](const State& s) {
             return vector({s.q[0] - 2.0 * std::max(0.0, seen(clock, s) - 0.3)});
           },
       .jacobian =
           [](const State&) {
             return Eigen::MatrixXd(vector({1, 0}).transpose());
           },
       .velocity_bias = [=](const State& s) { return vector({seen(clock, s) < 0.3 ? 0.0 : -2.0}); },
       .acceleration_bias = [](const State&) { return vector({0.0}); },
       .holonomic = 1},
      clock,
      {{0.3, 1}}};
}

/// A position that is prescribed to jump at t = 0.3.
inline SwitchedSystem jumping_mass() {
  const Clock clock = make_clock();
  return {{.mass = vector({1.0}),
           .force = [](const State&) { return vector({0.0}); },
           .position =
               [=](const State& s) { return vector({s.q[0] - (seen(clock, s) < 0.3 ? 0 : 1)}); },
           .jacobian = [](const State&) { return Eigen::MatrixXd(vector({1}).transpose()); },
           .acceleration_bias = [](const State&) { return vector({0.0}); },
           .holonomic = 1},
          clock,
          {{0.3, 0}}};
}

}  // namespace trammel::integrators::testing
