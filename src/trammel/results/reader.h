// Reads results back, from HDF5 or CSV; which of the two is seen from the contents of the file.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include "trammel/core/diagnostic.h"
#include "trammel/results/table.h"

namespace trammel::results {

enum class FileKind { hdf5, csv };

/// By the first bytes of a file. InputError when it is missing or neither of the two.
FileKind kind_of(const std::filesystem::path& path);

/// What a file holds, without the numbers themselves.
struct Contents : RunRecord {
  std::vector<Channel> channels;
  std::size_t rows = 0;
  double first_time = 0.0;  ///< s; 0 when there are no rows
  double last_time = 0.0;   ///< s
};

/// Reads everything but the values. InputError for a file that is missing, damaged or foreign.
Contents inspect(const std::filesystem::path& path, core::Diagnostics* warnings = nullptr);

/// Reads the channels that match the names or patterns (all, if none is given), in that order, and
/// only those. The file may still be growing: the answer holds the rows of the last flush. Doubts
/// (a last line cut short) go to `warnings`.
Table read(const std::filesystem::path& path,
           const std::vector<std::string>& patterns = {},
           core::Diagnostics* warnings = nullptr);

}  // namespace trammel::results
