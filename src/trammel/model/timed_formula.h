// A formula whose value or derivatives jump at times that it knows in advance, and what that means
// for the motion (system/time_switches.h): by how many orders positions are smoother than it.
//
//     row of positions     g(q, t) = 0      as smooth as the formula
//     row of velocities    h(q, v, t) = 0   one order smoother
//     load, rate of a state                 two orders smoother
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "trammel/expression/switches.h"
#include "trammel/system/time_switches.h"

namespace trammel::model {

enum class TimedUse { position_row = 0, velocity_row = 1, load = 2 };

/// A jump of a drive's row.
struct DriveJump {
  double time = 0.0;
  double before = 0.0;
  double after = 0.0;
};

class TimedFormula {
 public:
  TimedFormula(std::shared_ptr<const expression::Program> program, TimedUse use);

  /// Whether it has switches at all.
  bool switches() const { return !switches_.empty(); }
  /// See system::TimeSwitches; the search ends at `end`.
  system::TimeSwitch next(
      double t, double end, double h, int highest, expression::Workspace& workspace) const;
  /// The first jump of the value itself until `end`, the other inputs left at zero: of a drive,
  /// minus its motion. Its time is infinite when there is none.
  DriveJump first_jump(double end, expression::Workspace& workspace) const;

 private:
  struct Sides {
    double value = 0.0;
    double first = 0.0;
    double second = 0.0;
  };
  Sides at(double t, expression::Workspace& workspace) const;
  /// Whether a prescribed velocity may jump there, at a point that stands alone: points that follow
  /// on each other within a step or two are those of a curve, which steps pass over.
  bool may_strike(const expression::Switch& found,
                  double h,
                  expression::Workspace& workspace) const;
  /// Of the lowest derivative that jumps; beyond the first it is not looked for.
  int order_at(const expression::Switch& found, expression::Workspace& workspace) const;

  std::shared_ptr<const expression::Program> program_;
  expression::Switches switches_;
  TimedUse use_;
  std::size_t time_ = 0;   ///< which input
  bool separate_ = false;  ///< time enters beside everything else: c - f(t)
};

}  // namespace trammel::model
