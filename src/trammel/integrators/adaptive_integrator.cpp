#include "trammel/integrators/adaptive_integrator.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace trammel::integrators {

using system::Vector;

AdaptiveIntegrator::AdaptiveIntegrator(system::MechanicalSystem& system, AdaptiveOptions options)
    : options_(std::move(options)), equations_(system, options_) {}

void AdaptiveIntegrator::start(const system::Motion& motion) {
  now_ = motion;
  t_ = motion.state.t;
  equations_.start(motion, y_, dy_);
  between_.setZero(equations_.size());
  rates_.setZero(equations_.size());
  equations_.set_weights(y_);
  h_ = 0.0;
  restart();
  settle_memory();
}

// Times nearer than round-off are the same.
constexpr double same_time = 1e-14;

StepReport AdaptiveIntegrator::step(double h) {
  StepReport report;
  const double end = now_.state.t + h;
  const double slack = same_time * std::max(1.0, std::abs(end));
  if (t_ < end - slack) {
    report = advance();
    if (!report.ok()) return report;
  }
  if (t_ > end + slack) {
    if (!look_between(end)) report.failure = Failure::not_finite;
  } else if (t_ >= end - slack) {
    t_ = end;
    now_.state.t = end;
  }
  return report;
}

StepReport AdaptiveIntegrator::advance() {
  StepReport report;
  const long iterations = statistics_.iterations;
  const double begin = t_;
  while (true) {
    limit_step();
    if (attempt(report.failure)) break;
    ++statistics_.failed_steps;
    constexpr double least = 10.0 * same_time;
    if (h_ >= least * std::max(1.0, std::abs(t_))) continue;
    report.size = h_;
    return report;
  }
  report.failure = Failure::none;
  report.size = t_ - begin;
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
  return true;
}

double AdaptiveIntegrator::first_step(int order) {
  if (options_.first_step > 0.0) return options_.first_step;
  const double tolerance = options_.relative_tolerance + options_.absolute_tolerance;
  const double slope = equations_.norm(dy_);
  // A hundredth of the way to a change of one radian or model size; at rest, next to nothing.
  constexpr double at_rest = 1e-5;
  const double probe = slope > at_rest && std::isfinite(slope) ? 0.01 / (tolerance * slope) : 1e-6;
  between_ = y_ + probe * dy_;
  double curvature = 0.0;
  if (equations_.rates(t_ + probe, between_, rates_)) {
    rates_ -= dy_;
    curvature = equations_.norm(rates_) / probe;
  }
  const double largest = std::max(slope, curvature);
  const double by_error =
      largest > 0.0 ? std::pow(0.01 / largest, 1.0 / (order + 1)) : 100.0 * probe;
  return std::min(100.0 * probe, by_error);
}

void AdaptiveIntegrator::limit_step() {
  if (options_.largest_step > 0.0) h_ = std::min(h_, options_.largest_step);
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
  statistics_.error_estimate += position_error;
}

}  // namespace trammel::integrators
