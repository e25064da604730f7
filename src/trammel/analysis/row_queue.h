// Rows of results on their way from a run in one thread to whoever compares them in another.
#pragma once

#include <atomic>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "trammel/results/sink.h"

namespace trammel::analysis {

/// The sink of a run that may go ahead of its reader by so many rows only.
class RowQueue final : public results::Sink {
 public:
  struct Row {
    double time = 0.0;
    std::vector<double> values;
  };

  void begin(const std::vector<results::Channel>& channels,
             const results::RunInformation& info) override;
  /// Waits while the queue is full.
  void append(double time, const double* values) override;
  void flush() override {}
  void finish(results::Outcome outcome,
              const std::string& message,
              const std::map<std::string, double>& statistics) override;

  /// The next row; waits for it, unless `stop` is set. None when there is no other.
  std::optional<Row> take(const std::atomic<bool>* stop);
  /// No more rows come, for this reason (empty: all is well).
  void end(const std::string& reason);
  /// No more rows are wanted: whoever writes is not held up.
  void give_up();
  std::string reason() const;

 private:
  static constexpr std::size_t capacity = 1000;

  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Row> rows_;
  std::size_t width_ = 0;
  bool ended_ = false;
  bool unwanted_ = false;
  std::string reason_;
};

}  // namespace trammel::analysis
