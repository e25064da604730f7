// Independent pieces of work on several threads.
#pragma once

#include <functional>

namespace trammel::analysis::comparison {

/// Calls work(0) ... work(count - 1), each once, on at most `threads` threads (0: as many as the
/// machine runs at once), fewer where the system gives no more. The first exception is thrown on
/// when all threads have ended.
void in_parallel(int count, int threads, const std::function<void(int)>& work);

}  // namespace trammel::analysis::comparison
