// Ctrl-C stops a run gently: the first signal asks it to end, with its results kept; the second
// one ends the program at once.
#pragma once

#include <atomic>

namespace trammel::cli {

/// Catches SIGINT, SIGTERM and SIGHUP from now on, and lets writes to a full disk or a closed pipe
/// fail with an error instead of ending the program. The flag is set by the first signal.
const std::atomic<bool>& catch_interruptions();

}  // namespace trammel::cli
