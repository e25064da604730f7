#include "trammel/core/free_memory.h"

#include <gtest/gtest.h>

namespace trammel::core {
namespace {

TEST(FreeMemory, IsSomeOfTheMachine) {
  const std::optional<std::size_t> bytes = free_memory();
  if (!bytes) GTEST_SKIP() << "the system does not tell";
  EXPECT_GT(*bytes, std::size_t{1} << 20);  // a test program runs in it
  EXPECT_LT(*bytes, std::size_t{1} << 50);  // and kilobytes were not taken for something else
}

TEST(FreeMemory, IsToldInFewDigits) {
  EXPECT_EQ(memory_text(870e6), "870 MB");
  EXPECT_EQ(memory_text(2.14e9), "2.1 GB");
}

}  // namespace
}  // namespace trammel::core
