// Keeps the results of a run in memory.
#pragma once

#include <vector>

#include "trammel/results/sink.h"
#include "trammel/results/table.h"

namespace trammel::results {

class MemorySink : public Sink {
 public:
  void begin(const std::vector<Channel>& channels, const RunInformation& info) override;
  void append(double time, const double* values) override;
  void flush() override {}
  void annotate(const std::map<std::string, std::string>& texts) override;
  void finish(Outcome outcome,
              const std::string& message,
              const std::map<std::string, double>& statistics) override;

  const Table& table();
  /// Hands the table over; the sink is empty afterwards.
  Table take();

 private:
  void move_rows();

  Table table_;
  std::vector<double> rows_;  ///< the last rows, one after the other; not yet in the columns
};

}  // namespace trammel::results
