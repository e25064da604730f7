// --time-limit: no command goes on for longer than it may.
#pragma once

#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

namespace trammel::cli {

/// Seconds of "30", "30 s" or "2 h"; 0 for an empty text. InputError for anything else.
double time_limit_seconds(const std::string& text);

/// Computations that can be ended in good order watch the time themselves (analysis/watch.h) and
/// write how they ended. Where one does not, since it is still being assembled or decomposes a
/// large matrix, this ends the program a little later: exit code 1, and what was written is kept,
/// as after a kill.
class TimeLimit {
 public:
  /// 0 seconds: none.
  explicit TimeLimit(double seconds);
  ~TimeLimit();
  TimeLimit(const TimeLimit&) = delete;
  TimeLimit& operator=(const TimeLimit&) = delete;

  /// The computation is over; what is left is to tell about it.
  void end();

 private:
  void guard(double seconds);

  std::mutex mutex_;
  std::condition_variable ended_;
  bool over_ = false;
  std::thread thread_;
};

}  // namespace trammel::cli
