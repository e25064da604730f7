// A run that comes to its end, with its rows.
#pragma once

#include <string>

#include <gtest/gtest.h>

#include "trammel/analysis/simulate.h"
#include "trammel/formulation/coordinates.h"
#include "trammel/results/memory_sink.h"

namespace trammel::analysis {

struct RecordedRun {
  SimulationReport report;
  results::Table table;

  double last(const std::string& channel) const { return table.column(channel).back(); }
};

inline RecordedRun recorded_run(const model::Description& description) {
  const auto system = formulation::compile_model(description).system;
  results::MemorySink sink;
  SimulationOptions options;
  options.sink = &sink;
  RecordedRun result;
  result.report = simulate(*system, description.simulation, options);
  EXPECT_EQ(result.report.outcome, results::Outcome::completed) << result.report.message;
  result.table = sink.take();
  return result;
}

}  // namespace trammel::analysis
