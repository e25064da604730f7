#include "trammel/integrators/march.h"

#include <algorithm>
#include <cmath>

namespace trammel::integrators {

MarchReport March::advance(double h, long steps, const std::function<bool()>& after_step) {
  if (integrator_.adaptive()) {
    return advance_adaptively(h * static_cast<double>(steps), after_step);
  }
  constexpr int good_enough = 4;
  MarchReport report;
  report.smallest_step = std::ldexp(h, -level_);
  // Position in the interval in units of the smallest step that may occur.
  const long long whole = 1LL << most_halvings_;
  const long long end = whole * steps;
  long long position = 0;
  while (position < end) {
    const StepReport step = integrator_.step(std::ldexp(h, -level_));
    if (!step.ok()) {
      good_steps_ = 0;
      if (level_ == most_halvings_) {
        report.ok = false;
        report.failure = step.failure;
        break;
      }
      ++level_;
      ++report.halvings;
      report.smallest_step = std::min(report.smallest_step, std::ldexp(h, -level_));
      continue;
    }
    position += whole >> level_;
    // Double only where the longer step ends on its own grid.
    const bool aligned = level_ > 0 && position % (whole >> (level_ - 1)) == 0;
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
  while (integrator_.motion().state.t < end) {
    const StepReport step = integrator_.step(end - integrator_.motion().state.t);
    if (step.size > 0.0) report.smallest_step = std::min(report.smallest_step, step.size);
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

}  // namespace trammel::integrators
