#include "trammel/analysis/comparison/parallel.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

namespace trammel::analysis::comparison {

void in_parallel(int count, int threads, const std::function<void(int)>& work) {
  const int available =
      threads > 0 ? threads : static_cast<int>(std::thread::hardware_concurrency());
  std::atomic<int> next{0};
  std::exception_ptr failure;
  std::mutex mutex;
  const auto worker = [&] {
    for (int i = next++; i < count; i = next++) {
      try {
        work(i);
      } catch (...) {
        const std::lock_guard lock(mutex);
        if (!failure) failure = std::current_exception();
        next = count;
      }
    }
  };
  std::vector<std::thread> team;
  try {
    for (int i = 1; i < std::min(available, count); ++i) team.emplace_back(worker);
  } catch (const std::system_error&) {
    // The system gives no more threads: those that are there do the work.
  }
  worker();
  for (std::thread& thread : team) thread.join();
  if (failure) std::rethrow_exception(failure);
}

}  // namespace trammel::analysis::comparison
