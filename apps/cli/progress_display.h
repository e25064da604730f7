// How far a run is: a bar with the time left on a terminal, otherwise a plain line now and then.
#pragma once

#include <string>

#include "trammel/analysis/simulate.h"

namespace trammel::cli {

/// "3 s", "2 min 05 s", "1 h 12 min"
std::string duration_text(double seconds);

/// Writes to standard error, so that standard output holds nothing but results:
///   "  42 % [#########-------------] t = 4.2 of 10 s, 12 s left"     on a terminal
///   "trammel: t = 4.2 of 10 s (42 %), 4200 steps, the last of 0.001 s, 12 s left"
///                                                                    elsewhere, every ten seconds
/// The bar names the step as well when it has become so short that the run stalls. The time left is
/// that at the speed of the last seconds, where this is slower than that of the whole run.
class ProgressDisplay {
 public:
  ProgressDisplay(bool terminal, std::size_t width);
  /// Removes the bar.
  ~ProgressDisplay();
  ProgressDisplay(const ProgressDisplay&) = delete;
  ProgressDisplay& operator=(const ProgressDisplay&) = delete;

  void update(const analysis::Progress& progress);
  /// How much of the whole is done, and with what words; `wall_time` is that since the start, s.
  void update(double fraction, const std::string& what, double wall_time);

 private:
  bool terminal_;
  std::size_t width_;
  double last_shown_ = 0.0;  ///< wall time of the run, s
  bool drawn_ = false;

  struct Mark {
    double wall_time = 0.0;
    double fraction = 0.0;
  };
  std::string time_left(double fraction, double wall_time);
  Mark before_;  ///< some seconds ago, against which the present speed is measured
  Mark last_;    ///< the next of these
};

}  // namespace trammel::cli
