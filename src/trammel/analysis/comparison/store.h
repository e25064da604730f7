// Finished runs of comparisons, in a CSV file that people read too.
//
// One line per run, appended as soon as the run has ended, so that a comparison that was stopped
// goes on where it was. A line belongs to a model (hash of its text and values) and to a run (hash
// of method, step, end and limits); lines of another model are dropped.
#pragma once

#include <filesystem>
#include <string>

#include "trammel/analysis/comparison/compare.h"

namespace trammel::analysis::comparison {

/// The columns of the file, without those that only serve to find runs again.
std::vector<std::string> store_columns();

class RunStore {
 public:
  /// Reads what is there; a missing file is empty. Throws InputError when the file is none of ours.
  RunStore(std::filesystem::path path, std::string model);

  const KeptRuns& runs() const { return runs_; }
  /// Appends one line. Throws RunError when it cannot be written.
  void add(const Row& row);
  /// Writes the file anew: these rows in their order, with orders, then the other runs of this
  /// model.
  void write(const std::vector<Row>& rows);

 private:
  std::string line(const Row& row) const;

  std::filesystem::path path_;
  std::string model_;
  KeptRuns runs_;
  bool stale_ = false;  ///< the file holds lines of another model, or a broken one
};

}  // namespace trammel::analysis::comparison
