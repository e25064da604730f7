#include "trammel/core/large_pages.h"

#include <cstdlib>
#include <cstring>
#include <fstream>
#include <memory>
#include <numeric>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#ifdef __linux__
#include <sys/mman.h>
#endif

namespace trammel::core {
namespace {

/// Whether the system moves memory at all: one page, asked for directly.
bool system_moves_memory() {
#ifdef __linux__
  constexpr std::size_t page = std::size_t{1} << 21U;
  constexpr int collapse = 25;
  const std::unique_ptr<void, decltype(&std::free)> memory(std::aligned_alloc(page, page),
                                                           &std::free);
  std::memset(memory.get(), 1, page);
  return ::madvise(memory.get(), page, collapse) == 0;
#else
  return false;
#endif
}

/// In large pages, of all memory of this process.
long bytes_in_large_pages() {
  std::ifstream maps("/proc/self/smaps_rollup");
  for (std::string line; std::getline(maps, line);) {
    std::istringstream words(line);
    std::string key;
    long kilobytes = 0;
    if (words >> key >> kilobytes && key == "AnonHugePages:") return 1024 * kilobytes;
  }
  return 0;
}

// What moves keeps its numbers; a second call finds nothing to do.
TEST(LargePages, TakeLargeArraysAsTheyAre) {
  std::vector<double> numbers(3'000'000);
  std::iota(numbers.begin(), numbers.end(), 0.0);
  for (int i = 0; i < 2; ++i) {
    move_to_large_pages();
    for (std::size_t k = 0; k < numbers.size(); ++k) ASSERT_EQ(numbers[k], static_cast<double>(k));
  }
  if (!system_moves_memory()) GTEST_SKIP() << "this system does not move memory";
  // 24 MB less what lies outside of whole pages at both ends; single pages may be refused.
  EXPECT_GE(bytes_in_large_pages(), 10'000'000);
}

}  // namespace
}  // namespace trammel::core
