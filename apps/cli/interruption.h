// Ctrl-C stops a run gently: the first signal asks it to end, with its results kept; the second
// one ends the program at once.
#pragma once

#include <atomic>

namespace trammel::cli {

/// From the first call on, until the program has ended, the first SIGINT, SIGTERM or SIGHUP sets
/// this flag instead of ending the program. Who computes for long looks at it; who is about to
/// write a file only calls this, and what has begun is finished.
const std::atomic<bool>& catch_stop_signals();

}  // namespace trammel::cli
