#include "trammel/results/memory_sink.h"

namespace trammel::results {

void MemorySink::begin(const std::vector<Channel>& channels, const RunInformation& info) {
  table_ = Table{};
  rows_.clear();
  table_.channels = channels;
  table_.info = info;
  table_.columns.resize(channels.size());
}

void MemorySink::append(double time, const double* values) {
  // Columns lie far from each other: they are visited once for many rows.
  constexpr std::size_t most_rows = 256;
  const std::size_t count = table_.columns.size();
  table_.time.push_back(time);
  rows_.insert(rows_.end(), values, values + count);
  if (rows_.size() >= most_rows * count) move_rows();
}

void MemorySink::move_rows() {
  if (rows_.empty()) return;
  const std::size_t count = table_.columns.size();
  const std::size_t rows = rows_.size() / count;
  for (std::size_t i = 0; i < count; ++i) {
    std::vector<double>& column = table_.columns[i];
    const std::size_t first = column.size();
    column.resize(first + rows);
    for (std::size_t row = 0; row < rows; ++row) column[first + row] = rows_[row * count + i];
  }
  rows_.clear();
}

const Table& MemorySink::table() {
  move_rows();
  return table_;
}

Table MemorySink::take() {
  move_rows();
  return std::move(table_);
}

void MemorySink::annotate(const std::map<std::string, std::string>& texts) {
  for (const auto& [name, text] : texts) table_.info.more[name] = text;
}

void MemorySink::finish(Outcome outcome,
                        const std::string& message,
                        const std::map<std::string, double>& statistics) {
  table_.outcome = outcome;
  table_.message = message;
  table_.statistics = statistics;
}

}  // namespace trammel::results
