#include "trammel/analysis/row_queue.h"

#include <chrono>

namespace trammel::analysis {

void RowQueue::begin(const std::vector<results::Channel>& channels,
                     const results::RunInformation& /*info*/) {
  width_ = channels.size();
}

void RowQueue::append(double time, const double* values) {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return unwanted_ || rows_.size() < capacity; });
  if (unwanted_) return;
  rows_.push_back({time, std::vector<double>(values, values + width_)});
  changed_.notify_all();
}

void RowQueue::finish(results::Outcome outcome,
                      const std::string& message,
                      const std::map<std::string, double>& /*statistics*/) {
  end(outcome == results::Outcome::completed ? std::string() : message);
}

std::optional<RowQueue::Row> RowQueue::take(const std::atomic<bool>* stop) {
  constexpr std::chrono::milliseconds patience(50);  // between looks at `stop`
  std::unique_lock lock(mutex_);
  while (rows_.empty() && !ended_) {
    if (stop != nullptr && stop->load()) return std::nullopt;
    changed_.wait_for(lock, patience);
  }
  if (rows_.empty()) return std::nullopt;
  Row row = std::move(rows_.front());
  rows_.pop_front();
  changed_.notify_all();
  return row;
}

void RowQueue::end(const std::string& reason) {
  const std::lock_guard lock(mutex_);
  if (!ended_) reason_ = reason;
  ended_ = true;
  changed_.notify_all();
}

void RowQueue::give_up() {
  const std::lock_guard lock(mutex_);
  unwanted_ = true;
  changed_.notify_all();
}

std::string RowQueue::reason() const {
  const std::lock_guard lock(mutex_);
  return reason_;
}

}  // namespace trammel::analysis
