// Reads results back, from HDF5 or CSV; which of the two is seen from the contents of the file.
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "trammel/core/diagnostic.h"
#include "trammel/results/file_kind.h"
#include "trammel/results/row_source.h"
#include "trammel/results/table.h"

namespace trammel::results {

/// HDF5 or CSV, by the first bytes of a file. InputError when it is missing or neither of the two.
FileKind kind_of(const std::filesystem::path& path);

/// Reads everything but the values. InputError for a file that is missing, damaged or foreign.
Contents inspect(const std::filesystem::path& path, core::Diagnostics* warnings = nullptr);

/// Reads the channels that match the names or patterns (all, if none is given), in that order, and
/// only those. The file may still be growing: the answer holds the rows of the last flush. Doubts
/// (a last line cut short) go to `warnings`.
Table read(const std::filesystem::path& path,
           const std::vector<std::string>& patterns = {},
           core::Diagnostics* warnings = nullptr);

/// The same, a few rows at a time: however long the file is, memory stays small (CSV is read
/// whole). `choose` gets the contents and answers which channels are wanted.
using Choose = std::function<std::vector<std::size_t>(const Contents&)>;
Contents read_blocks(const std::filesystem::path& path,
                     const Choose& choose,
                     const RowVisitor& visit,
                     core::Diagnostics* warnings = nullptr);

}  // namespace trammel::results
