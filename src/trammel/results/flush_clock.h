// Tells a sink when it is time to put its buffer on disk.
#pragma once

#include <chrono>

namespace trammel::results {

class FlushClock {
 public:
  explicit FlushClock(double interval_in_seconds)
      : interval_(std::chrono::duration_cast<Clock::duration>(
            std::chrono::duration<double>(interval_in_seconds))),
        last_(Clock::now()) {}

  bool due() const { return Clock::now() - last_ >= interval_; }
  void restart() { last_ = Clock::now(); }

 private:
  using Clock = std::chrono::steady_clock;
  Clock::duration interval_;
  Clock::time_point last_;
};

}  // namespace trammel::results
