#include "trammel/core/large_pages.h"

#include <numeric>

#include <gtest/gtest.h>

namespace trammel::core {
namespace {

// Growing from small to large arrays, and back, keeps what they hold.
TEST(LargePages, HoldArraysOfAnySize) {
  LargeArray<double> numbers;
  for (const std::size_t size : {0UL, 1UL, 1000UL, 600'000UL, 3'000'000UL}) {
    const std::size_t before = numbers.size();
    numbers.resize(size);
    std::iota(numbers.begin() + static_cast<std::ptrdiff_t>(before), numbers.end(),
              static_cast<double>(before));
  }
  for (std::size_t i = 0; i < numbers.size(); ++i) ASSERT_EQ(numbers[i], static_cast<double>(i));
  numbers.resize(10);
  numbers.shrink_to_fit();
  LargeArray<double> copy = numbers;
  EXPECT_EQ(std::accumulate(copy.begin(), copy.end(), 0.0), 45.0);
}

}  // namespace
}  // namespace trammel::core
