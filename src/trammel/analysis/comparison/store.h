// Finished runs of comparisons, in a CSV file that people read too.
//
// One line per run, appended as soon as the run has ended, so that a comparison that was stopped
// goes on where it was. A line belongs to a model (hash of its text and values) and to a run (hash
// of method, step, end and limits); lines of another model are dropped. While one process adds
// lines, no other can; what others added before that is kept.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>

#include "trammel/analysis/comparison/compare.h"
#include "trammel/results/output_file.h"

namespace trammel::analysis::comparison {

/// The columns of the file, without those that only serve to find runs again.
std::vector<std::string> store_columns();

class RunStore {
 public:
  /// Reads what is there; a missing file is empty. Throws InputError when the file is none of ours,
  /// cannot be read, or is being written.
  RunStore(std::filesystem::path path, std::string model);

  const KeptRuns& runs() const { return runs_; }
  /// Appends one line. Throws RunError when it cannot be written.
  void add(const Row& row);
  /// Writes the file anew: these rows in their order, with orders, then the other runs of this
  /// model.
  void write(const std::vector<Row>& rows);
  /// All is in the file, and this is where it was; RunError otherwise.
  void close();

 private:
  /// Takes over the runs of this model that are not known yet.
  void read();
  std::string contents(const std::vector<Row>& rows) const;
  std::string line(const Row& row) const;

  std::filesystem::path path_;
  std::string model_;
  KeptRuns runs_;
  std::unique_ptr<results::OutputFile> file_;  ///< since the first line of this process
  std::uint64_t end_ = 0;                      ///< of the whole lines in it
};

}  // namespace trammel::analysis::comparison
