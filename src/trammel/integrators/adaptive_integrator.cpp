#include "trammel/integrators/adaptive_integrator.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

namespace trammel::integrators {

using system::Vector;

namespace {

// What the clock can tell apart near a time.
double clock_resolution(double t) {
  return 4.0 * std::numeric_limits<double>::epsilon() * std::abs(t);
}

}  // namespace

AdaptiveIntegrator::AdaptiveIntegrator(system::MechanicalSystem& system, AdaptiveOptions options)
    : options_(std::move(options)),
      equations_(system, options_),
      switches_(system::time_switches(system)) {}

void AdaptiveIntegrator::start(const system::Motion& motion) {
  now_ = motion;
  end_motion_ = motion;
  t_ = motion.state.t;
  equations_.set_damping(damps());
  equations_.start(motion, work_, y_, dy_);
  between_.setZero(equations_.size());
  rates_.setZero(equations_.size());
  h_ = 0.0;
  last_size_ = 0.0;
  begun_ = false;
  looks_between_ = false;
  watch_turns(0.0);
  settle_memory();
}

void AdaptiveIntegrator::begin(double interval) {
  interval_ = std::max(interval_, interval);
  if (begun_) return;
  begun_ = true;
  restart();
}

StepReport AdaptiveIntegrator::step(double h) {
  StepReport report;
  begin(h);
  const double end = now_.state.t + h;
  const double slack = clock_resolution(end);
  if (t_ < end - slack && !at_jump()) {
    report = advance();
    if (!report.ok()) return report;
    looks_between_ = false;
  }
  if (t_ > end + slack) {
    if (!looks_between_) end_motion_ = now_;
    looks_between_ = true;
    if (!look_between(end)) report.failure = Failure::not_finite;
    return report;
  }
  look_at_end();
  if (t_ >= end - slack && !at_jump() && !switch_before(end)) {
    t_ = end;
    now_.state.t = end;
  }
  return report;
}

bool AdaptiveIntegrator::switch_before(double end) const {
  if (switches_ == nullptr || t_ >= end) return false;
  return switches_->next_switch(t_, end - t_, minded_switches()).time <= end;
}

void AdaptiveIntegrator::look_at_end() {
  if (looks_between_) {
    now_ = end_motion_;
    work_ = equations_.work(y_);
  }
  looks_between_ = false;
}

StepReport AdaptiveIntegrator::advance() {
  StepReport report;
  const long iterations = statistics_.iterations;
  const double begin = t_;
  while (true) {
    if (!limit_step()) return {};
    round_step();
    if (attempt(report.failure)) break;
    ++statistics_.failed_steps;
    if (report.failure == Failure::tolerance) equations_.count_refusal();
    const double least = 10.0 * clock_resolution(std::max(std::abs(t_), interval_));
    if (h_ >= least) continue;
    report.size = h_;
    return report;
  }
  if (std::isfinite(switch_time_)) {
    t_ = switch_time_;
    now_.state.t = switch_time_;
    resume(wanted_);
  }
  report.failure = Failure::none;
  work_ = equations_.work(y_);
  equations_.see_energy(y_, now_.state);
  report.size = t_ - begin;
  last_size_ = report.size;
  watch_turns(report.size);
  report.iterations = static_cast<int>(statistics_.iterations - iterations);
  statistics_.most_iterations = std::max(statistics_.most_iterations, report.iterations);
  statistics_.residual_evaluations = evaluations();
  statistics_.factorisations = factorisations();
  return report;
}

bool AdaptiveIntegrator::look_between(double t) {
  interpolate(t, between_);
  if (!equations_.project(t, between_)) return false;
  if (!equations_.rates(t, between_, rates_)) return false;
  now_ = equations_.motion();
  work_ = equations_.work(between_);
  return true;
}

// With s = |y'| and r = |y''|/|y'|, a derivative of order p + 1 is about s r^p: the step that makes
// h^(p+1) s r^p a small part of the tolerance.
double AdaptiveIntegrator::first_step(int order) {
  if (options_.first_step > 0.0) return options_.first_step;
  equations_.set_weights(y_);
  const double tolerance = options_.relative_tolerance + options_.absolute_tolerance;
  const double slope = equations_.motion_norm(dy_);
  // A hundredth of the way to a change of one radian or model size; at rest, next to nothing.
  constexpr double at_rest = 1e-6;
  const bool moves = std::isfinite(slope) && tolerance * slope * interval_ > at_rest;
  const double probe = moves ? 0.01 / (tolerance * slope) : at_rest * interval_;
  between_ = y_ + probe * dy_;
  double curvature = 0.0;
  if (equations_.rates(t_ + probe, between_, rates_)) {
    rates_ -= dy_;
    curvature = equations_.motion_norm(rates_) / probe;
  }
  if (!(slope > 0.0 && curvature > 0.0)) return 100.0 * probe;
  constexpr double small = 2.5e-3;
  const double derivative = std::log(slope) + order * std::log(curvature / slope);
  return std::min(100.0 * probe, std::exp((std::log(small) - derivative) / (order + 1)));
}

bool AdaptiveIntegrator::limit_step() {
  if (options_.largest_step > 0.0) h_ = std::min(h_, options_.largest_step);
  limit_turns();
  switch_time_ = std::numeric_limits<double>::infinity();
  wanted_ = h_;
  if (switches_ == nullptr) return true;
  const double slack = clock_resolution(std::max(std::abs(t_), interval_));
  const double end = t_ + 2.0 * h_;
  system::TimeSwitch next = switches_->next_switch(t_, end - t_, minded_switches());
  while (!restarts_at(next) && next.time <= t_ + slack) {
    next = switches_->next_switch(next.last, end - next.last, minded_switches());
  }
  switches_->hold_before(restarts_at(next) ? next : system::TimeSwitch{});
  const double until = next.time - t_;
  if (restarts_at(next) && until <= slack) {
    look_at_end();
    t_ = next.time;
    now_.state.t = next.time;
    return false;
  }
  if (until > 2.0 * h_) return true;
  step_was_changed();
  // Two equal steps rather than one and a rest that is next to nothing.
  if (until > h_) {
    h_ = 0.5 * until;
  } else {
    h_ = until;
    switch_time_ = next.time;
  }
  return true;
}

// So that h is the difference of two times, exactly: the histories of multistep methods divide by
// such differences.
void AdaptiveIntegrator::round_step() {
  const double end = t_ + std::max(h_, clock_resolution(t_));
  h_ = end - t_;
}

// The counts may be those of a time inside the last step, so that half a turn has to cover two
// steps and what the rate grows in them. Multistep methods bear no steps that grow and shrink in
// turns: the last size stays as long as it will do, and one that is shortened gets some room, so
// that it can stay.
void AdaptiveIntegrator::limit_turns() {
  constexpr double largest_turn = 1.0;  // rad
  constexpr double room = 0.7;
  const double fast = turn_rate_ + std::sqrt(turn_rate_ * turn_rate_ + 2.0 * turn_growth_);
  const double longest = 2.0 * largest_turn / fast;
  if (!(h_ > longest)) return;
  if (last_size_ > 0.0 && last_size_ <= longest) {
    h_ = last_size_;
  } else {
    step_was_changed();
    h_ = room * longest;
  }
}

void AdaptiveIntegrator::watch_turns(double h) {
  const double rate = equations_.system().fastest_turn(now_.state);
  turn_growth_ = h > 0.0 ? std::abs(rate - turn_rate_) / h : 0.0;
  turn_rate_ = rate;
}

void AdaptiveIntegrator::note_stiffness() {
  if (stiff_) return;
  stiff_ = true;
  notes_.push_back(
      fmt::format("from t = {:.6g} s on the step ({:.3g} s) is limited by stability, not by the "
                  "tolerance: the model is stiff; try bdf or generalized-alpha",
                  t_, h_));
}

void AdaptiveIntegrator::count_step(double position_error) {
  ++statistics_.steps;
  statistics_.local_errors += position_error;
}

}  // namespace trammel::integrators
