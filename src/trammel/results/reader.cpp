#include "trammel/results/reader.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <fstream>
#include <memory>
#include <numeric>

#include <fmt/format.h>

#include "trammel/results/csv/csv_reader.h"
#include "trammel/results/hdf5/guarded_reader.h"
#include "trammel/results/hdf5/sealed_reader.h"

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

std::unique_ptr<RowSource> open_hdf5(const fs::path& path) {
  if (hdf5::is_sealed(path)) return std::make_unique<hdf5::SealedReader>(path);
  return std::make_unique<hdf5::GuardedReader>(path);
}

Contents contents_of(const Table& table) {
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

std::vector<std::size_t> chosen_of(const Contents& contents,
                                   const std::vector<std::string>& patterns) {
  if (!patterns.empty()) return select(contents.channels, patterns);
  std::vector<std::size_t> all(contents.channels.size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  return all;
}

}  // namespace

Contents inspect(const fs::path& path, core::Diagnostics* warnings) {
  if (kind_of(path) == FileKind::hdf5) return open_hdf5(path)->contents();
  return contents_of(csv::read_csv(path, {}, warnings));
}

Table read(const fs::path& path,
           const std::vector<std::string>& patterns,
           core::Diagnostics* warnings) {
  if (kind_of(path) != FileKind::hdf5) return csv::read_csv(path, patterns, warnings);
  const std::unique_ptr<RowSource> source = open_hdf5(path);
  const Contents& contents = source->contents();
  const std::vector<std::size_t> chosen = chosen_of(contents, patterns);
  Table table;
  const RunRecord& record = contents;
  static_cast<RunRecord&>(table) = record;
  table.time.resize(contents.rows);
  table.columns.assign(chosen.size(), std::vector<double>(contents.rows));
  for (const std::size_t i : chosen) table.channels.push_back(contents.channels[i]);
  source->read(chosen, [&table](const RowBlock& block) {
    const auto first = static_cast<std::ptrdiff_t>(block.first);
    std::copy(block.time.begin(), block.time.end(), table.time.begin() + first);
    for (std::size_t i = 0; i < block.columns.size(); ++i) {
      std::copy(block.columns[i].begin(), block.columns[i].end(), table.columns[i].begin() + first);
    }
  });
  return table;
}

Contents read_blocks(const fs::path& path,
                     const Choose& choose,
                     const RowVisitor& visit,
                     core::Diagnostics* warnings) {
  if (kind_of(path) == FileKind::hdf5) {
    const std::unique_ptr<RowSource> source = open_hdf5(path);
    source->read(choose(source->contents()), visit);
    return source->contents();
  }
  const Table table = csv::read_csv(path, {}, warnings);
  const Contents contents = contents_of(table);
  RowBlock block{0, table.time, {}};
  for (const std::size_t i : choose(contents)) block.columns.emplace_back(table.columns[i]);
  if (contents.rows > 0) visit(block);
  return contents;
}

}  // namespace trammel::results
