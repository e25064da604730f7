// How far a run is: a bar with the time left on a terminal, otherwise a plain line now and then.
#pragma once

#include <string>

#include "trammel/analysis/simulate.h"

namespace trammel::cli {

/// "3 s", "2 min 05 s", "1 h 12 min"
std::string duration_text(double seconds);

/// Writes to standard error, so that standard output holds nothing but results:
///   "  42 % [#########-------------] t = 4.2 of 10 s, 12 s left"     on a terminal
///   "trammel: t = 4.2 of 10 s (42 %), 4200 steps, 12 s left"         elsewhere, every ten seconds
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
};

}  // namespace trammel::cli
