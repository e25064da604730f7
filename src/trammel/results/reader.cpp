#include "trammel/results/reader.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <fstream>

#include <fmt/format.h>

#include "trammel/results/csv/csv_reader.h"
#include "trammel/results/hdf5/hdf5_reader.h"

namespace trammel::results {

namespace fs = std::filesystem;

// The HDF5 signature, or text without zero bytes.
FileKind kind_of(const fs::path& path) {
  std::error_code ignored;
  const fs::file_status status = fs::status(path, ignored);
  if (!fs::exists(status)) {
    throw core::InputError(fmt::format("results file '{}' does not exist", path.string()),
                           "check the name and the folder");
  }
  if (!fs::is_regular_file(status)) {
    throw core::InputError(fmt::format("'{}' is no regular file", path.string()),
                           "give a results file (.h5 or .csv)");
  }
  std::ifstream file(path, std::ios::binary);
  std::array<char, 512> head{};
  file.read(head.data(), head.size());
  if (file.bad() || (!file && file.gcount() == 0 && fs::file_size(path, ignored) > 0)) {
    throw core::InputError(fmt::format("results file '{}' cannot be read", path.string()),
                           "check its permissions");
  }
  const auto end = head.begin() + file.gcount();
  constexpr std::array<char, 8> signature{'\x89', 'H', 'D', 'F', '\r', '\n', '\x1a', '\n'};
  if (file.gcount() >= 8 && std::equal(signature.begin(), signature.end(), head.begin())) {
    return FileKind::hdf5;
  }
  if (file.gcount() == 0 || std::find(head.begin(), end, '\0') != end) {
    throw core::InputError(fmt::format("'{}' is neither HDF5 nor CSV{}", path.string(),
                                       file.gcount() == 0 ? ": it is empty" : ""),
                           "give a results file written by 'trammel run' or 'trammel export'");
  }
  return FileKind::csv;
}

namespace {

/// `ask` of a file that may be growing. The HDF5 library keeps the end the file had when it was
/// opened and refuses what was added before it came to read the extents, as if the file were
/// damaged; so a file that grew meanwhile is opened again.
template <typename Ask>
auto ask_growing(const fs::path& path, Ask ask) {
  constexpr int most_attempts = 100;
  for (int attempt = 1;; ++attempt) {
    std::error_code ignored;
    const std::uintmax_t size = fs::file_size(path, ignored);
    try {
      return ask(hdf5::Hdf5Reader(path));
    } catch (const core::InputError&) {
      if (attempt == most_attempts || fs::file_size(path, ignored) == size) throw;
    }
  }
}

}  // namespace

Contents inspect(const fs::path& path, core::Diagnostics* warnings) {
  if (kind_of(path) == FileKind::hdf5) {
    return ask_growing(path, [](const hdf5::Hdf5Reader& file) { return file.contents(); });
  }
  const Table table = csv::read_csv(path, {}, warnings);
  Contents contents;
  const RunRecord& record = table;
  static_cast<RunRecord&>(contents) = record;
  contents.channels = table.channels;
  contents.rows = table.rows();
  if (contents.rows > 0) {
    contents.first_time = table.time.front();
    contents.last_time = table.time.back();
  }
  return contents;
}

Table read(const fs::path& path,
           const std::vector<std::string>& patterns,
           core::Diagnostics* warnings) {
  if (kind_of(path) == FileKind::hdf5) {
    return ask_growing(path, [&](const hdf5::Hdf5Reader& file) { return file.read(patterns); });
  }
  return csv::read_csv(path, patterns, warnings);
}

}  // namespace trammel::results
