/// The command line that both comparison programs understand:
///   peer_X CASE --n N --h STEP --until T [--method NAME] [--accuracy A] [--repeat R] [--limit S]
#pragma once

#include <optional>
#include <string>

namespace peers {

struct Arguments {
  std::string case_name;           ///< chain, fourbar, slider_crank, pendulum or forward
  int n = 1;                       ///< number of links (chain, forward) or loops (fourbar)
  double h = 1e-3;                 ///< step of the fixed-step methods [s]
  double until = 1.0;              ///< end of the run [s]
  std::string method = "rk4";      ///< integrator
  double accuracy = 1e-6;          ///< of the adaptive methods; also sets the constraint tolerance
  int repeat = 3;                  ///< timed runs, of which the median is reported
  double limit = 120.0;            ///< CPU time after which a run is given up [s]
  std::optional<double> rigidity;  ///< MuJoCo: time constant of loop closure, in steps

  /// Number of equal steps to the end; the step is shrunk so that they fit exactly.
  long step_count() const;
};

/// Reads the command line; throws std::invalid_argument with what is wrong and what would be right.
Arguments read_arguments(int count, char** values);

}  // namespace peers
