/// What a comparison run reports: one JSON line on stdout, the same for every program.
#pragma once

#include <cmath>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "arguments.h"

namespace peers {

/// CPU time of the process, all threads [s].
double cpu_time();

struct Report {
  std::string program;
  std::string method;                      ///< full name of what ran
  double h = 0.0;                          ///< step; the mean one for adaptive methods [s]
  long steps = 0;                          ///< accepted
  long rejected = 0;                       ///< error test or convergence failures
  double setup_s = 0.0;                    ///< building the model [s CPU]
  double cpu_s = 0.0;                      ///< stepping only, median of the repeated runs [s CPU]
  double energy_error = std::nan("");      ///< total energy at the end minus at the start [J]
  double constraint_error = std::nan("");  ///< largest loop closure error at the end [m]
  bool failed = false;
  std::string note;
  std::vector<std::pair<std::string, double>> final_values;  ///< none if failed
};

/// Writes one line; numbers that are not finite become null, and so do all final values of a failed
/// run.
void print_json(const Arguments& arguments, const Report& report);

/// The median of CPU times.
double median(std::vector<double> values);

/// CPU time of one call [s]: the median over batches, each long enough (20 ms) for the clock; stops
/// after `batches` of them.
double time_of_call(const std::function<void()>& call, int batches);

}  // namespace peers
