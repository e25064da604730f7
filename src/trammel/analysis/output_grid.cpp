#include "trammel/analysis/output_grid.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "trammel/analysis/auto_method.h"
#include "trammel/analysis/method.h"
#include "trammel/core/diagnostic.h"

namespace trammel::analysis {
namespace {

// 10 ms / 1 ms is ten steps, whatever rounding says.
constexpr double slack = 1e-9;

// A rest below this share of a step is no step of any method: the others share it.
constexpr double smallest_rest = 1e-6;

// Of products and quotients of times.
constexpr double rounding = 8.0 * std::numeric_limits<double>::epsilon();

// Rounding of a quotient this large.
double slack_of(double count) {
  return std::max(slack, 4.0 * std::numeric_limits<double>::epsilon() * count);
}

long rounded_up(double count) {
  return std::max(1L, static_cast<long>(std::ceil(count - slack_of(count))));
}

std::string duration_text(double seconds) {
  constexpr double day = 86400.0;
  constexpr double year = 365.25 * day;
  return seconds < year ? fmt::format("{:.3g} days", seconds / day)
                        : fmt::format("{:.3g} years", seconds / year);
}

void check_counts(const model::SimulationSettings& settings, double output) {
  core::Diagnostics mistakes;
  if (const std::string end = unusable_end(settings.until); !end.empty()) {
    mistakes.error("simulation.until", end, "give its unit: 1 ms");
  }
  const double step = std::min(settings.step, output);
  if (const std::string steps = too_many_steps(settings.until, step); !steps.empty()) {
    const bool of_rows = output < settings.step;
    mistakes.error(of_rows ? "simulation.output_step" : "simulation.step", steps,
                   fmt::format("give a longer {}, with its unit (1 ms), or an earlier end",
                               of_rows ? "output_step" : "step"));
  } else if (const double rows = settings.until / output; !(rows <= most_rows)) {
    mistakes.error(
        settings.output_step > 0.0 ? "simulation.output_step" : "simulation.step",
        fmt::format("{:.3g} rows of results, one every {:g} s until t = {:g} s, are too "
                    "many",
                    rows, output, settings.until),
        fmt::format("give an output_step of at least {:.2g} s", settings.until / most_rows));
  }
  mistakes.throw_if_errors();
}

}  // namespace

std::string too_many_steps(double until, double step) {
  const double steps = until / step;
  if (steps <= most_steps) return {};
  return fmt::format(
      "{:.3g} steps of {:g} s until t = {:g} s are too many: at a microsecond each they take {}",
      steps, step, until, duration_text(1e-6 * steps));
}

std::string unusable_end(double until) {
  if (until >= shortest_end && until <= longest_end) return {};
  return fmt::format("{:g} s is too {} to be computed with: the end lies between {:g} s and {:g} s",
                     until, until < shortest_end ? "short" : "long", shortest_end, longest_end);
}

OutputGrid::OutputGrid(const model::SimulationSettings& settings) {
  const double wanted = settings.output_step > 0.0 ? settings.output_step : settings.step;
  const double output = std::min(wanted, settings.until);
  check_counts(settings, output);
  steps_per_output = rounded_up(output / settings.step);
  h = output / static_cast<double>(steps_per_output);
  const double count = settings.until / output;
  const double nearest = std::max(1.0, std::round(count));
  const double missing = settings.until - nearest * output;
  if (std::abs(missing) <= std::max(smallest_rest * h, rounding * settings.until)) {
    outputs = static_cast<long>(nearest);
    if (std::abs(missing) <= rounding * settings.until) return;
    h = settings.until / (nearest * static_cast<double>(steps_per_output));
    return;
  }
  outputs = static_cast<long>(std::floor(count));
  const double rest = settings.until - static_cast<double>(outputs) * output;
  last_steps = rounded_up(rest / h);
  last_h = rest / static_cast<double>(last_steps);
}

OutputGrid simulation_grid(model::SimulationSettings settings) {
  const bool free = settings.integrator == auto_method_name || chooses_steps(settings);
  if (free && settings.output_step > 0.0) settings.step = settings.output_step;
  return OutputGrid(settings);
}

}  // namespace trammel::analysis
