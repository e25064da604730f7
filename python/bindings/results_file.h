// Results files in a process with several threads.
#pragma once

#include <mutex>

namespace trammel::python {

/// Held while a results file is touched: the HDF5 library has state of its own, one for the whole
/// process, and need not be built for threads. Nobody waits for the GIL while holding it.
std::mutex& results_file_mutex();

}  // namespace trammel::python
