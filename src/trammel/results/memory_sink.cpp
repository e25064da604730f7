#include "trammel/results/memory_sink.h"

namespace trammel::results {

void MemorySink::begin(const std::vector<Channel>& channels, const RunInformation& info) {
  table_ = Table{};
  table_.channels = channels;
  table_.info = info;
  table_.columns.resize(channels.size());
}

void MemorySink::append(double time, const double* values) {
  table_.time.push_back(time);
  for (std::size_t i = 0; i < table_.columns.size(); ++i) table_.columns[i].push_back(values[i]);
}

void MemorySink::finish(Outcome outcome,
                        const std::string& message,
                        const std::map<std::string, double>& statistics) {
  table_.outcome = outcome;
  table_.message = message;
  table_.statistics = statistics;
}

}  // namespace trammel::results
