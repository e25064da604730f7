// Reads results from CSV: what CsvSink writes, and plain CSV with a heading and numbers whose first
// column is the time.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "trammel/core/diagnostic.h"
#include "trammel/results/table.h"

namespace trammel::results::csv {

/// The chosen channels (all, if no pattern is given). InputError with line and column for what is
/// no number, and with the reason when the file cannot be read to its end; a last line that was cut
/// short is left out with a warning.
Table read_csv(const std::filesystem::path& path,
               const std::vector<std::string>& patterns,
               core::Diagnostics* warnings);

}  // namespace trammel::results::csv
