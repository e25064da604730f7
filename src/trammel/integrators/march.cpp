#include "trammel/integrators/march.h"

#include <algorithm>
#include <cmath>

namespace trammel::integrators {
namespace {

constexpr int most_events = 200;  // in one step or interval

bool smaller_steps_help(Failure failure) {
  return failure != Failure::round_off && failure != Failure::no_successor;
}

}  // namespace

MarchReport March::advance(double h, long steps, const std::function<bool()>& after_step) {
  if (integrator_.adaptive()) {
    return advance_adaptively(h * static_cast<double>(steps), after_step);
  }
  constexpr int good_enough = 4;
  MarchReport report;
  report.smallest_step = std::ldexp(h, -level_);
  // Whole steps that are done, and the part of the present one in units of the smallest step that
  // may occur.
  const long long whole = 1LL << most_halvings_;
  long done = 0;
  long long part = 0;
  while (done < steps) {
    const double size = std::ldexp(h, -level_);
    const StepReport step =
        events_ == nullptr ? integrator_.step(size) : step_over_events(size, after_step);
    if (!step.ok()) {
      good_steps_ = 0;
      if (level_ == most_halvings_ || !smaller_steps_help(step.failure)) {
        report.ok = false;
        report.failure = step.failure;
        break;
      }
      ++level_;
      ++report.halvings;
      report.smallest_step = std::min(report.smallest_step, std::ldexp(h, -level_));
      continue;
    }
    part += whole >> level_;
    if (part == whole) {
      part = 0;
      ++done;
    }
    // Double only where the longer step ends on its own grid.
    const bool aligned = level_ > 0 && part % (whole >> (level_ - 1)) == 0;
    if (level_ > 0 && ++good_steps_ >= good_enough && aligned) {
      --level_;
      good_steps_ = 0;
    }
    if (after_step && !after_step()) break;
  }
  report.time = integrator_.motion().state.t;
  return report;
}

MarchReport March::advance_adaptively(double interval, const std::function<bool()>& after_step) {
  MarchReport report;
  report.smallest_step = interval;
  // Compensated summation, as the integrators do: after any number of intervals the time is right.
  const double begin = integrator_.motion().state.t;
  const double advance = interval - time_carry_;
  const double end = begin + advance;
  time_carry_ = (end - begin) - advance;
  int events = 0;
  while (integrator_.motion().state.t < end) {
    if (events_ != nullptr) before_ = integrator_.motion();
    StepReport step = integrator_.step(end - integrator_.motion().state.t);
    if (step.size > 0.0) report.smallest_step = std::min(report.smallest_step, step.size);
    if (step.ok() && events_ != nullptr) step.failure = stop_at_event(after_step, events);
    if (!step.ok()) {
      report.ok = false;
      report.failure = step.failure;
      break;
    }
    if (after_step && !after_step()) break;
  }
  report.time = integrator_.motion().state.t;
  return report;
}

// After a step of a method that chooses its own: back to an event that lies in it, and over it.
// Multipliers of such methods have the error of their tolerance: only exact values count here.
Failure March::stop_at_event(const std::function<bool()>& after_step, int& events) {
  if (events_->watch(integrator_.motion(), true) >= 0.0) return Failure::none;
  if (step_to_event(integrator_.motion().state.t - before_.state.t) < 0.0) return Failure::slow;
  if (events_->watch(integrator_.motion(), true) >= 0.0) return Failure::none;
  if (++events > most_events) return Failure::events;
  if (after_step && !after_step()) return Failure::none;
  system::Motion motion = integrator_.motion();
  events_->act(motion);
  if (events_->stuck()) return Failure::no_successor;
  integrator_.start(motion);
  return Failure::none;
}

// Steps from the start of an integrator over exactly that much time.
bool March::reach(double size) {
  if (!integrator_.adaptive()) return integrator_.step(size).ok();
  const double end = integrator_.motion().state.t + size;
  while (integrator_.motion().state.t < end) {
    if (!integrator_.step(end - integrator_.motion().state.t).ok()) return false;
  }
  return true;
}

// A failure behind an event is met here by smaller steps: there is no way back.
StepReport March::step_over_events(double h, const std::function<bool()>& after_step) {
  double left = h;
  double size = h;
  int events = 0;
  const double least = std::ldexp(h, -most_halvings_);
  while (true) {
    before_ = integrator_.motion();
    StepReport report = integrator_.step(size);
    double taken = size;
    if (report.ok()) {
      if (events_->watch(integrator_.motion(), false) < 0.0) taken = step_to_event(size);
      if (taken < 0.0) report.failure = Failure::slow;
    }
    if (!report.ok()) {
      if (left == h || size <= least) return report;
      size *= 0.5;
      continue;
    }
    left -= taken;
    if (++events > most_events) {
      report.failure = Failure::events;
      return report;
    }
    // Accelerations and multipliers of short steps from a fresh start are rough: found anew, too.
    const bool event = events_->watch(integrator_.motion(), false) < 0.0;
    if (event && after_step && !after_step()) return report;
    if (event || taken < 0.5 * h) {
      system::Motion motion = integrator_.motion();
      events_->act(motion);
      if (events_->stuck()) {
        report.failure = Failure::no_successor;
        return report;
      }
      integrator_.start(motion);
    }
    if (left <= 1e-9 * h) return report;
    if (after_step && !after_step()) return report;
    size = left;
  }
}

double March::step_to_event(double h) {
  constexpr double precision = 1e-8;
  constexpr int most_trials = 60;
  double low = 0.0;
  double high = h;
  double value_high = events_->watch(integrator_.motion(), true);
  double value_low = std::max(events_->watch(before_, true), 0.0);
  double taken = h;
  double value = value_high;
  if (value >= 0.0) return taken;
  for (int i = 0; i < most_trials; ++i) {
    // Behind the root rather than before it, so that the last step taken shows the event.
    const double share = value_low / (value_low - value_high);
    double trial = low + std::min(std::max(share, 1e-3), 1.0) * (high - low) + 0.1 * precision * h;
    if (high - low <= precision * h || trial >= high) trial = high;
    integrator_.start(before_);
    if (!reach(trial)) return -1.0;
    taken = trial;
    const double last = value;
    value = events_->watch(integrator_.motion(), true);
    if (value < 0.0) {
      high = trial;
      value_high = value;
      if (last < 0.0) value_low *= 0.5;
    } else {
      if (trial == high) return trial;  // a fresh start saw no event at the end of the step
      low = trial;
      value_low = value;
      if (last >= 0.0) value_high *= 0.5;
    }
    if (value < 0.0 && high - low <= precision * h) return taken;
  }
  return taken;
}

}  // namespace trammel::integrators
