#include "trammel/integrators/march.h"

#include <algorithm>
#include <cmath>

namespace trammel::integrators {

MarchReport March::advance(double h, long steps, const std::function<bool()>& after_step) {
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

}  // namespace trammel::integrators
