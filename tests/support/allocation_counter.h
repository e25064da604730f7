// Counts heap allocations of a piece of code, by C++ and C alike (Eigen allocates with malloc).
//
// Linking this file replaces malloc and its relatives by counting ones. It cannot do that under the
// address sanitizer, which has its own; available() says so and tests skip.
#pragma once

namespace trammel::support {

class AllocationCounter {
 public:
  /// Counts from here on, in this thread.
  AllocationCounter();
  /// Allocations since construction.
  long count() const;
  static bool available();

 private:
  long start_;
};

}  // namespace trammel::support
