// --time-limit: no command goes on for longer than it may.
#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>
#include <string>
#include <thread>

#include <CLI/CLI.hpp>

namespace trammel::cli {

/// Adds --time-limit.
CLI::Option* add_time_limit(CLI::App* command, std::string& text);

/// Seconds of "30", "30 s" or "2 h"; 0 for an empty text. InputError for anything else.
double time_limit_seconds(const std::string& text);

/// Computations that can be ended in good order watch the time themselves (analysis/watch.h) and
/// write how they ended. Where one does not, since it is still being assembled or decomposes a
/// large matrix, this ends the program a little later: exit code 1, after the last will of whoever
/// has something to save.
class TimeLimit {
 public:
  /// Called with the reason, from another thread, while the computation goes on: saves what there
  /// is and tells what is kept, as the end of a message.
  using LastWill = std::function<std::string(const std::string& reason)>;

  /// 0 seconds: none.
  explicit TimeLimit(double seconds);
  ~TimeLimit();
  TimeLimit(const TimeLimit&) = delete;
  TimeLimit& operator=(const TimeLimit&) = delete;

  /// The computation is over; what is left is to tell about it.
  void end();

  /// A last will, for as long as this lives.
  class Heir {
   public:
    Heir(TimeLimit& limit, LastWill will);
    ~Heir();
    Heir(const Heir&) = delete;
    Heir& operator=(const Heir&) = delete;

   private:
    TimeLimit& limit_;
  };

 private:
  void guard(double seconds);

  std::mutex mutex_;  ///< held while the last will is done: who could take it back must wait
  std::condition_variable ended_;
  bool over_ = false;
  LastWill will_;
  std::thread thread_;
};

}  // namespace trammel::cli
