// Steps between output times. Output times are hit exactly: the output step is divided evenly.
#pragma once

#include <string>

#include "trammel/model/description.h"

namespace trammel::analysis {

/// More steps and rows than these are refused. The fastest steps take a microsecond: so many of
/// them take twelve days, and so many rows of ten channels are a terabyte.
constexpr double most_steps = 1e12;
constexpr double most_rows = 1e10;

/// Motions that end earlier or later, in s, are refused: methods compute with 1 / h^2 and t^2, and
/// with steps of 1e-12 of that time. The limits leave room for the masses and lengths that these
/// are multiplied by.
constexpr double shortest_end = 1e-75;
constexpr double longest_end = 1e75;

/// "1e-200 s is too short a time to be computed with; ..."; empty when it is not.
std::string unusable_end(double until);

/// "5e+13 steps of 1e-15 s until t = 0.05 s are too many: at a microsecond each they take 1.6
/// years"; empty when they can be taken.
std::string too_many_steps(double until, double step);

/// The times of a motion from 0 to `until`. The intervals between outputs are `output_step` long
/// and hold as many equal steps of at most `step` as they need. Where `until` is no multiple of
/// the output step, a shorter interval follows that ends at `until`, of steps no longer than the
/// others. A rest of less than a millionth of a step, either way, is shared by all intervals: the
/// last row is always that of `until`.
struct OutputGrid {
  double h = 0.0;
  long steps_per_output = 1;
  long outputs = 0;
  double last_h = 0.0;  ///< for a shorter last interval
  long last_steps = 0;

  /// InputError, with the number, when steps or rows are too many, or the end is out of bounds.
  explicit OutputGrid(const model::SimulationSettings& settings);
};

/// The grid of a simulation: where a method chooses its own steps, or may turn out to (`auto`),
/// intervals are those of the results.
OutputGrid simulation_grid(model::SimulationSettings settings);

}  // namespace trammel::analysis
