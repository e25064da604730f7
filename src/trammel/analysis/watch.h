// Whether a computation is to end early, and when to tell how far it is.
#pragma once

#include <atomic>
#include <chrono>
#include <string>

namespace trammel::analysis {

/// Why a computation may end before its time: somebody asks for it, or it has taken too long.
struct EarlyEnd {
  using Clock = std::chrono::steady_clock;
  const std::atomic<bool>* stop = nullptr;
  double time_limit = 0.0;  ///< s of wall time; 0: none
  Clock::time_point begin = Clock::now();

  bool asked() const { return stop != nullptr && stop->load(std::memory_order_relaxed); }
  bool over(Clock::time_point now) const;
  bool reached() const { return asked() || over(Clock::now()); }
  /// "stopped by the user" or "the time limit of 10 s was reached".
  std::string reason() const;
  /// Throws RunError when it is reached: "the time limit of 10 s was reached while ...".
  void require_time(const std::string& doing, const std::string& remedy) const;
};

/// Looks at the flag after every step, and at the clock as often as it costs nothing: after every
/// step that takes a millisecond, after every sixteenth that takes a microsecond.
class Watch {
 public:
  explicit Watch(const EarlyEnd& end);

  /// To be called after every step. True when a tenth of a second has passed since it last was.
  bool after_step();
  bool stopped() const { return over_ || end_.asked(); }
  std::string reason() const { return end_.reason(); }
  EarlyEnd::Clock::time_point begin() const { return end_.begin; }
  double wall_time() const;  ///< s since the start

 private:
  using Clock = EarlyEnd::Clock;

  EarlyEnd end_;
  Clock::time_point looked_;
  Clock::time_point told_;
  long steps_ = 0;   ///< since the clock was looked at
  long stride_ = 1;  ///< between looks
  bool over_ = false;
};

}  // namespace trammel::analysis
