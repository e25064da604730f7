// Results as far as a pack can use them: of huge files only the channels that will be shown.
#pragma once

#include <cstddef>
#include <filesystem>

#include "trammel/core/diagnostic.h"
#include "trammel/report/run_notes.h"
#include "trammel/results/table.h"

namespace trammel::report {

struct ReadOptions {
  std::size_t memory = 1'500'000'000;  ///< bytes; larger files are read in part
  std::size_t budget = 24'000'000;     ///< of the pack, bytes
};

struct ReadRun {
  results::Table table;
  std::size_t left_out = 0;  ///< channels of the file that were not read
};

/// What its results file tells about it, for a pack.
RunNotes notes_of(const ReadRun& run);

/// Errors and warnings as of results::read.
ReadRun read_run(const std::filesystem::path& path,
                 core::Diagnostics* warnings = nullptr,
                 const ReadOptions& options = {});

}  // namespace trammel::report
