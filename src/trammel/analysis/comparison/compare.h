// The same model by many methods: errors, constraint residuals, energy, cost and a verdict for
// each.
//
//   Comparison c = compare(description, {.axes = {.methods = {"newmark", "V0"}, .steps = {1e-3}}});
//   for (const Row& row : c.rows) use(row.candidate.name(), row.result.error.position);
//
// Runs are independent and go on several threads, each with a system of its own; the numbers do not
// depend on how many (times excepted).
#pragma once

#include <map>

#include "trammel/analysis/comparison/run.h"

namespace trammel::analysis::comparison {

struct Row {
  std::string key;  ///< of the run, see run_key()
  Candidate candidate;
  RunResult result;
  /// Of the errors, from the next longer step of the same method; NaN where it cannot be told.
  Deviation order{unknown, unknown, unknown, unknown};
  std::string reference;  ///< what the errors were measured against
  bool kept = false;      ///< taken from an earlier comparison
};

struct CompareProgress {
  double fraction = 0.0;  ///< of all steps
  int finished = 0;       ///< runs
  int runs = 0;
  double wall_time = 0.0;  ///< s
  bool in_reference = false;
};

/// What an earlier comparison left: runs by their key.
using KeptRuns = std::map<std::string, Row>;

struct CompareOptions {
  Axes axes;
  int threads = 0;  ///< 0: as many as the machine runs at once
  Limits limits;
  KeptRuns kept;
  const std::atomic<bool>* stop = nullptr;
  double time_limit = 0.0;  ///< s of wall time after which it stops; 0: none
  std::function<void(const CompareProgress&)> progress;  ///< from one thread at a time
  std::function<void(const Row&)> finished;              ///< the same
};

struct Comparison {
  std::vector<Row> rows;  ///< as expanded; without those that were stopped
  std::vector<LeftOut> left_out;
  Sampling sampling;
  std::string reference;       ///< what the errors are measured against, and how good it is
  Deviation reference_error;   ///< NaN when every run was kept
  double trusted_until = 0.0;  ///< errors are measured until then, s; NaN when every run was kept
  /// Joints and drives leave no freedom: the motion is the same by every method.
  bool prescribed = false;
  bool stopped = false;
  std::string ending;  ///< why it was stopped
  int threads = 1;
  double wall_time = 0.0;  ///< s
};

/// Names the run of a candidate: everything but the model that its numbers depend on.
std::string run_key(const Candidate& candidate, const Sampling& sampling, const Limits& limits);

/// Throws InputError for methods that do not exist, RunError when the model cannot be assembled.
Comparison compare(const model::Description& description, const CompareOptions& options);

/// Fills in the orders of rows that stand as expanded.
void measure_orders(std::vector<Row>& rows, const Deviation& reference_error);

}  // namespace trammel::analysis::comparison
