// Steps between output times. Output times are hit exactly: the output step is divided evenly.
#pragma once

#include <algorithm>
#include <cmath>

#include "trammel/model/description.h"

namespace trammel::analysis {

struct OutputGrid {
  double h = 0.0;
  long steps_per_output = 1;
  long outputs = 0;
  double last_h = 0.0;  ///< for a shorter last interval
  long last_steps = 0;

  explicit OutputGrid(const model::SimulationSettings& settings) {
    const double output =
        settings.output_step > 0.0 ? settings.output_step : std::min(settings.step, settings.until);
    constexpr double slack = 1e-9;  // 10 ms / 1 ms is ten steps, whatever rounding says
    steps_per_output = std::max(1L, static_cast<long>(std::ceil(output / settings.step - slack)));
    h = output / static_cast<double>(steps_per_output);
    outputs = static_cast<long>(std::floor(settings.until / output + slack));
    const double rest = settings.until - static_cast<double>(outputs) * output;
    if (rest > slack * output) {
      last_steps = std::max(1L, static_cast<long>(std::ceil(rest / h - slack)));
      last_h = rest / static_cast<double>(last_steps);
    }
  }
};

}  // namespace trammel::analysis
