#include "trammel/integrators/march.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace trammel::integrators {
namespace {

constexpr int most_events = 200;        // in one step, or one after the other in an interval
constexpr double crowded = 1e-3;        // of an interval between them
constexpr double kink_margin = 1e-2;    // of a fixed step, at its ends
constexpr double shortest_step = 1e-6;  // of a fixed step; below that it is no step of the method
constexpr double short_step = 0.5;      // of the fixed steps before

// Times nearer to each other are one: the round-off of the clock, and of sums of steps.
double time_resolution(double t, double h) {
  return 64.0 * std::numeric_limits<double>::epsilon() * std::max(std::abs(t), h);
}

bool smaller_steps_help(Failure failure) {
  return failure != Failure::round_off && failure != Failure::no_successor &&
         failure != Failure::unstable;
}

}  // namespace

March::March(Integrator& integrator, int most_halvings)
    : integrator_(integrator), most_halvings_(most_halvings) {
  if (system::time_switches(integrator.system()) == nullptr) return;
  own_crossing_ = std::make_unique<SwitchCrossing>(integrator.system());
  crossing_ = own_crossing_.get();
}

MarchReport March::advance(double h, long steps, const AfterStep& after_step) {
  if (integrator_.adaptive()) {
    return advance_adaptively(h * static_cast<double>(steps), after_step);
  }
  constexpr int good_enough = 4;
  MarchReport report;
  report.smallest_step = std::ldexp(h, -level_);
  const double share = asked_step_ > 0.0 ? h / asked_step_ : 1.0;
  asked_step_ = h;
  // Whole steps that are done, and the part of the present one in units of the smallest step that
  // may occur.
  const long long whole = 1LL << most_halvings_;
  long done = 0;
  long long part = 0;
  while (done < steps) {
    const double size = std::ldexp(h, -level_);
    const Parts parts = take_step(size, share, after_step);
    if (!parts.report.ok()) {
      good_steps_ = 0;
      if (parts.passed || level_ == most_halvings_ || !smaller_steps_help(parts.report.failure)) {
        report.ok = false;
        report.failure = parts.report.failure;
        break;
      }
      ++level_;
      ++report.halvings;
      report.smallest_step = std::min(report.smallest_step, std::ldexp(h, -level_));
      continue;
    }
    if (parts.stopped) break;
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

March::Parts March::take_step(double h, double share, const AfterStep& after_step) {
  Parts parts;
  if (events_ != nullptr || crossing_ != nullptr) {
    parts = step_in_parts(h, after_step);
  } else if (share < shortest_step) {
    coast(h);
    return parts;
  } else {
    parts.report = take(h);
  }
  if (share < short_step && parts.report.ok() && !parts.stopped) refresh();
  return parts;
}

MarchReport March::advance_adaptively(double interval, const AfterStep& after_step) {
  MarchReport report;
  report.smallest_step = interval;
  // Compensated summation, as the integrators do: after any number of intervals the time is right,
  // though a jump at the end of one may lie on either side of it.
  double begin = integrator_.motion().state.t;
  const bool goes_on = std::abs(begin - interval_end_) <= time_resolution(begin, interval);
  if (goes_on) begin = interval_end_;
  const double advance = interval - (goes_on ? time_carry_ : 0.0);
  const double end = begin + advance;
  time_carry_ = (end - begin) - advance;
  interval_end_ = end;
  const double slack = time_resolution(end, interval);
  int events = 0;
  bool stopped = false;
  while (integrator_.motion().state.t < end - (crossing_ != nullptr ? slack : 0.0)) {
    if (events_ != nullptr) mark();
    StepReport step = integrator_.step(end - integrator_.motion().state.t);
    if (step.size > 0.0) report.smallest_step = std::min(report.smallest_step, step.size);
    if (step.ok() && events_ != nullptr) step.failure = stop_at_event(after_step, interval, events);
    if (step.ok() && at_jump(0.0)) step.failure = cross(slack, after_step, stopped);
    if (!step.ok()) {
      report.ok = false;
      report.failure = step.failure;
      break;
    }
    if (stopped || (after_step && !after_step())) return end_of(report);
  }
  if (report.ok && crossing_ != nullptr) {
    report.failure = cross_at_end(end, slack, after_step, stopped);
    report.ok = report.failure == Failure::none;
  }
  return end_of(report);
}

Failure March::cross_at_end(double end, double slack, const AfterStep& after_step, bool& stopped) {
  const double t = integrator_.motion().state.t;
  system::TimeSwitches& switches = crossing_->switches();
  const system::TimeSwitch next =
      switches.next_switch(t, end + slack - t, system::TimeSwitch::restarts);
  if (!(next.time <= end + slack)) return Failure::none;
  switches.hold_before(next);
  const Failure failure = cross(slack, after_step, stopped);
  if (failure == Failure::none && !stopped && after_step) after_step();
  return failure;
}

MarchReport March::end_of(MarchReport report) const {
  report.time = integrator_.motion().state.t;
  return report;
}

bool March::at_jump(double slack) const {
  return crossing_ != nullptr &&
         integrator_.motion().state.t >= crossing_->switches().held().time - slack;
}

// The end of the step before is told first, with the functions that it saw.
Failure March::cross(double slack, const AfterStep& after_step, bool& stopped) {
  if (after_step && !after_step()) {
    stopped = true;
    return Failure::none;
  }
  system::Motion motion = integrator_.motion();
  const Failure failure = crossing_->cross(motion, slack);
  if (failure == Failure::none) integrator_.start(motion);
  return failure;
}

// After a step of a method that chooses its own: back to an event that lies in it, and over it.
// Multipliers of such methods have the error of their tolerance: only exact values count here.
Failure March::stop_at_event(const AfterStep& after_step, double interval, int& events) {
  if (events_->watch(integrator_.motion(), true) >= 0.0) return Failure::none;
  if (step_to_event(integrator_.motion().state.t - before_.state.t) < 0.0) return Failure::slow;
  if (events_->watch(integrator_.motion(), true) >= 0.0) return Failure::none;
  const double t = integrator_.motion().state.t;
  if (t - last_event_ > crowded * interval) events = 0;
  last_event_ = t;
  if (++events > most_events) return Failure::events;
  if (after_step && !after_step()) return Failure::none;
  system::Motion motion = integrator_.motion();
  events_->act(motion);
  if (events_->stuck()) return Failure::no_successor;
  integrator_.start(motion);
  return Failure::none;
}

void March::mark() {
  before_ = integrator_.motion();
  work_before_ = integrator_.work();
}

void March::go_back() {
  integrator_.set_work(work_before_);
  integrator_.start(before_);
}

StepReport March::take(double size, int division) {
  if (division == 1) return integrator_.step(size);
  const system::Motion motion = integrator_.motion();
  const system::Power work = integrator_.work();
  StepReport report;
  for (int i = 0; i < division; ++i) {
    report = integrator_.step(size / division);
    if (report.ok()) continue;
    if (i == 0) return report;
    integrator_.set_work(work);
    integrator_.start(motion);
    return report;
  }
  return report;
}

// Steps from the start of an integrator over exactly that much time.
bool March::reach(double size) {
  if (!integrator_.adaptive()) return take(size, division_ * division_of_parts_).ok();
  const double end = integrator_.motion().state.t + size;
  while (integrator_.motion().state.t < end && !at_jump(0.0)) {
    if (!integrator_.step(end - integrator_.motion().state.t).ok()) return false;
  }
  return true;
}

bool March::limit_to_switch(double h, double& part) {
  system::TimeSwitches& switches = crossing_->switches();
  switches.hold_before({});
  const double t = integrator_.motion().state.t;
  const double slack = time_resolution(t, h);
  system::TimeSwitch next{.time = t};
  // Kinks near the ends of the step are passed over.
  do {
    const double rest = t + part + slack - next.last;
    next = switches.next_switch(next.last, rest, integrator_.minded_switches());
    if (!(next.time - t <= part + slack)) return false;
  } while (!next.jumps() && passes_over(next, next.time - t, part, h));
  switches.hold_before(next);
  const double until = next.time - t;
  if (until < part - slack) part = std::max(until, 0.0);
  return until <= slack;
}

bool March::passes_over(const system::TimeSwitch& kink, double until, double part, double h) {
  if (until >= kink_margin * h && until <= part - kink_margin * h) return false;
  system::TimeSwitches& switches = crossing_->switches();
  const int minded = integrator_.minded_switches();
  const bool first = switches.next_switch(kink.time - h, h, minded).time >= kink.time;
  return first && !(switches.next_switch(kink.last, h, minded).time <= kink.last + h);
}

// By Taylor's series, over a time that is next to nothing for the method: it would only lose
// digits. Loads are taken as straight lines.
void March::coast(double d) {
  system::MechanicalSystem& system = integrator_.system();
  system::Motion motion = integrator_.motion();
  const system::Vector v = motion.state.v;
  const system::Vector a = motion.a;
  system::Vector rates;
  system::FirstOrderStates* states =
      motion.state.z.size() > 0 ? system.first_order_states() : nullptr;
  if (states != nullptr) {
    states->rates(motion.state, rates);
    motion.state.z += d * rates;
  }
  const system::Vector x = d * (v + 0.5 * d * a);
  system.retract(motion.state.q, x, motion.state.q);
  motion.state.v = v + d * a;
  motion.state.t += d;
  find_accelerations(motion);
  motion.state.v = v + 0.5 * d * (a + motion.a);
  if (states != nullptr) {
    system::Vector last_rates;
    states->rates(motion.state, last_rates);
    motion.state.z += 0.5 * d * (last_rates - rates);
  }
  integrator_.start(motion);
}

void March::refresh() {
  system::Motion motion = integrator_.motion();
  find_accelerations(motion);
  integrator_.start(motion);
}

// With functions as they are held; unchanged where there are none.
void March::find_accelerations(system::Motion& motion) {
  if (!start_) {
    start_ = std::make_unique<constraint_handling::ConsistentStart>(integrator_.system());
  }
  system::Vector a = motion.a;
  system::Vector lambda = motion.lambda;
  start_->accelerations(motion.state, a, lambda);
  if (!a.allFinite() || !lambda.allFinite()) return;
  motion.a = a;
  motion.lambda = lambda;
}

// What is watched, after a step of size `tried`: steps back to the first event in it and lets the
// source act. Returns how much of the step is left of it, negative when that fails.
double March::act_on_event(double h, double tried, const AfterStep& after_step, bool& stopped) {
  double taken = tried;
  if (events_->watch(integrator_.motion(), false) < 0.0) taken = step_to_event(tried);
  if (taken < 0.0) return taken;
  const bool event = events_->watch(integrator_.motion(), false) < 0.0;
  if (event && after_step) stopped = !after_step();
  // Accelerations and multipliers of short steps from a fresh start are rough: found anew, too.
  if (!stopped && (event || taken < 0.5 * h)) {
    system::Motion motion = integrator_.motion();
    events_->act(motion);
    if (events_->stuck()) return taken;
    integrator_.start(motion);
  }
  return taken;
}

// Parts that are as long as the step are none.
void March::divide_part(double h, double slack, Piece& piece, double& part) const {
  constexpr double rounding = 1e-9;
  if (division_of_parts_ == 1) return;
  const double t = integrator_.motion().state.t;
  if (!(t + part <= piece.end + slack)) {
    if (part >= (1.0 - rounding) * h || part < shortest_step * h) return;
    piece.end = t + part;
    piece.share = part / division_of_parts_;
  }
  if (part > (1.0 + rounding) * piece.share) part = piece.share;
}

// One part of a step, of at most `part`; how much of it was taken, or negative when it failed.
double March::take_part(double h, double part, const AfterStep& after_step, Parts& parts) {
  if (crossing_ != nullptr && part < shortest_step * h) {
    coast(part);
    return part;
  }
  if (events_ != nullptr) mark();
  parts.report = take(part);
  if (!parts.report.ok()) return -1.0;
  if (events_ == nullptr) return part;
  const double taken = act_on_event(h, part, after_step, parts.stopped);
  if (taken < 0.0) parts.report.failure = Failure::slow;
  if (events_->stuck()) parts.report.failure = Failure::no_successor;
  return taken;
}

// A failure behind an event is met here by smaller steps: there is no way back.
// NOLINTNEXTLINE(readability-function-cognitive-complexity): one loop from event to event.
March::Parts March::step_in_parts(double h, const AfterStep& after_step) {
  Parts parts;
  Piece piece;
  double left = h;
  double size = h;
  int pieces = 0;
  const double least = std::ldexp(h, -most_halvings_);
  const double slack =
      crossing_ != nullptr ? time_resolution(integrator_.motion().state.t, h) : 1e-9 * h;
  while (true) {
    double part = size;
    const bool jumps_here = crossing_ != nullptr && limit_to_switch(h, part);
    divide_part(h, slack, piece, part);
    const double taken = jumps_here ? 0.0 : take_part(h, part, after_step, parts);
    if (taken < 0.0) {
      if (!parts.passed || size <= least) return parts;
      size = 0.5 * part;
      continue;
    }
    left -= taken;
    if (!jumps_here && taken < part && ++pieces > most_events) {
      parts.report.failure = Failure::events;
    }
    if (!parts.report.ok() || parts.stopped) return parts;
    if (crossing_ != nullptr && (jumps_here || taken == part) && at_jump(slack)) {
      parts.report.failure = cross(slack, after_step, parts.stopped);
      parts.passed = true;
      if (!parts.report.ok() || parts.stopped) return parts;
    }
    parts.passed = parts.passed || left < h;
    if (left <= slack) return parts;
    if (after_step && !after_step()) {
      parts.stopped = true;
      return parts;
    }
    size = left;
  }
}

double March::step_to_event(double h) {
  // Fixed steps have errors of their own; those that a tolerance chooses may be long.
  const double precision = integrator_.adaptive() ? 1e-11 : 1e-8;
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
    go_back();
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
