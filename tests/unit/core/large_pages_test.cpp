#include "trammel/core/large_pages.h"

#include <fstream>
#include <numeric>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace trammel::core {
namespace {

/// In large pages, of all memory of this process; 0 where the system does not tell.
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
  const long before = bytes_in_large_pages();
  for (int i = 0; i < 2; ++i) {
    move_to_large_pages();
    for (std::size_t k = 0; k < numbers.size(); ++k) ASSERT_EQ(numbers[k], static_cast<double>(k));
  }
  const long after = bytes_in_large_pages();
  if (after == 0) GTEST_SKIP() << "this system has no large pages, or does not tell";
  EXPECT_GE(after, before);
  // All but the ends of the array.
  EXPECT_GE(after, 18'000'000);
}

}  // namespace
}  // namespace trammel::core
