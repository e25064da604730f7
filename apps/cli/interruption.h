// Ctrl-C stops a run gently: the first signal asks it to end, with its results kept; the second
// one ends the program at once.
#pragma once

#include <atomic>

namespace trammel::cli {

/// While it lives, SIGINT, SIGTERM and SIGHUP set the flag instead of ending the program (each only
/// once), and a closed pipe behind standard error does no harm. Only one may live at a time.
class Interruption {
 public:
  Interruption();
  ~Interruption();
  Interruption(const Interruption&) = delete;
  Interruption& operator=(const Interruption&) = delete;

  const std::atomic<bool>& requested() const;
};

}  // namespace trammel::cli
