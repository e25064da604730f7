// A run as far as a pack can show it, in bounded memory: whole when it is small, otherwise thinned
// out while it is read (see report/thinning.h).
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include "trammel/core/diagnostic.h"
#include "trammel/results/row_source.h"
#include "trammel/results/table.h"

namespace trammel::report {

inline constexpr std::size_t report_budget = 24'000'000;  ///< bytes for all numbers of a report

/// Columns over times.
struct ThinnedColumns {
  std::vector<results::Channel> channels;
  std::vector<double> time;                  ///< s
  std::vector<std::vector<double>> columns;  ///< one per channel
};

struct ThinnedRun : results::RunRecord {
  bool whole = true;         ///< all rows of all channels are in `samples`
  std::size_t rows = 0;      ///< of the run
  std::size_t left_out = 0;  ///< channels of the run that are not shown
  ThinnedColumns samples;    ///< for plots
  ThinnedColumns frames;     ///< for the animation; empty when whole
};

/// `budget` is for the numbers of the pack, which are of 4 bytes each.
ThinnedRun thinned(const results::Table& table, std::size_t budget = report_budget);

/// The same from a file, a few rows at a time. Errors and warnings as of results::read.
ThinnedRun read_thinned(const std::filesystem::path& path,
                        core::Diagnostics* warnings = nullptr,
                        std::size_t budget = report_budget);

/// At most so many rows of a file, evenly spaced, of all channels or only those that move bodies.
results::Table read_spread(const std::filesystem::path& path,
                           std::size_t most_rows,
                           bool poses_only,
                           core::Diagnostics* warnings = nullptr);

}  // namespace trammel::report
