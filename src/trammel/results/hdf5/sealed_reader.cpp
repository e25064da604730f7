#include "trammel/results/hdf5/sealed_reader.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstring>
#include <thread>
#include <utility>

#include <fmt/format.h>

#include "trammel/core/diagnostic.h"
#include "trammel/core/json_value.h"
#include "trammel/results/hdf5/hdf5_reader.h"
#include "trammel/results/hdf5/skeleton.h"

namespace trammel::results::hdf5 {
namespace {

std::vector<char> first_page(const InputFile& file) {
  std::vector<char> page(page_bytes);
  page.resize(file.read_some(0, page.data(), page.size()));
  return page;
}

std::vector<double> as_numbers(const std::vector<char>& bytes, std::size_t count) {
  std::vector<double> numbers(count);
  std::memcpy(numbers.data(), bytes.data(), count * sizeof(double));
  return numbers;
}

}  // namespace

bool is_sealed(const std::filesystem::path& path) {
  return has_manifest(first_page(InputFile(path)));
}

SealedReader::SealedReader(std::filesystem::path path) : path_(std::move(path)), file_(path_) {
  read_state();
  read_skeleton();
  read_end();
  read_times();
}

void SealedReader::damaged(const std::string& what) const {
  throw core::InputError(
      fmt::format("results file '{}' is damaged or incomplete, or was changed by another program: "
                  "{}",
                  path_.string(), what),
      "copy it again from its source, or repeat the run");
}

void SealedReader::read_state() {
  // More than once: while a run goes on, the page may be read in the middle of a write.
  constexpr int most_attempts = 10;
  for (int attempt = 0; attempt < most_attempts; ++attempt) {
    if (attempt > 0) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    page_ = first_page(file_);
    const auto manifest = find_manifest(page_);
    if (!manifest || page_.size() < RunState::bytes ||
        manifest->state > page_.size() - RunState::bytes) {
      continue;
    }
    manifest_ = *manifest;
    const auto state = decode_state(
        std::span<const char, RunState::bytes>(&page_[manifest->state], RunState::bytes));
    if (!state) continue;
    state_ = *state;
    if (state_.rows > file_.size() / sizeof(double)) damaged("it claims to be longer than it is");
    return;
  }
  damaged("the checksum of its first page does not agree");
}

void SealedReader::read_skeleton() {
  if (manifest_.skeleton_bytes > file_.size()) damaged("its beginning is cut off");
  std::vector<char> image(manifest_.skeleton_bytes);
  if (!file_.read_at(0, image.data(), image.size())) damaged("its beginning cannot be read");
  const bool inside = restore(image, manifest_, manifest_address(page_));
  if (!inside || checksum(0, image.data(), image.size()) != manifest_.skeleton_checksum) {
    damaged("the checksum of its beginning (model, channels, information) does not agree");
  }
  // From here on the HDF5 library reads what this program has written, in memory.
  const Hdf5Reader reader(path_, image);
  contents_ = reader.contents();
  contents_.rows = state_.rows;
  chunk_rows_ = reader.chunk_rows();
  chunk_columns_ = reader.chunk_columns();
}

SealedDataset SealedReader::dataset(const DatasetFields& fields, const ChunkGrid& grid) const {
  std::vector<char> bytes(8);
  const bool there = file_.read_at(fields.index_root, bytes.data(), bytes.size());
  const std::uint64_t root = there ? load(bytes, 0, 8) : undefined_address;
  return {file_, fields.index_root, root, grid, manifest_.skeleton_checksum};
}

ChunkGrid SealedReader::time_grid() const {
  return {1, sizeof(double), chunk_rows_, 1, 1};
}

ChunkGrid SealedReader::values_grid() const {
  const std::size_t blocks = (contents_.channels.size() + chunk_columns_ - 1) / chunk_columns_;
  return {2, sizeof(double), chunk_rows_, chunk_columns_, blocks};
}

std::size_t SealedReader::rows_of_chunk(std::uint64_t chunk_row) const {
  return std::min<std::size_t>(chunk_rows_, contents_.rows - chunk_row * chunk_rows_);
}

void SealedReader::read_end() {
  constexpr std::array ends{Outcome::running, Outcome::completed, Outcome::stopped,
                            Outcome::failed};
  if (state_.outcome >= ends.size()) damaged("it does not tell how the run ended");
  contents_.outcome = ends[state_.outcome];
  if (contents_.outcome == Outcome::running) return;
  read_statistics();
  read_notes();
  if (state_.message == 0) return;
  std::vector<char> text(std::min<std::uint64_t>(state_.message, manifest_.message.bytes));
  if (!file_.read_at(manifest_.message.address, text.data(), text.size()) ||
      checksum(0, text.data(), text.size()) != state_.message_checksum) {
    damaged("the checksum of its message does not agree");
  }
  contents_.message.assign(text.begin(), std::find(text.begin(), text.end(), '\0'));
}

void SealedReader::read_statistics() {
  SealedDataset statistics = dataset(manifest_.statistics, statistics_grid());
  std::vector<char> bytes;
  for (std::size_t first = 0; first < state_.statistics; first += statistics_per_chunk) {
    const std::size_t count =
        std::min<std::size_t>(statistics_per_chunk, state_.statistics - first);
    if (!statistics.read_chunk(first / statistics_per_chunk, count, bytes)) {
      damaged("the checksum of its statistics does not agree");
    }
    for (std::size_t i = 0; i < count; ++i) {
      const char* entry = &bytes[i * statistic_bytes];
      double value = 0.0;
      std::memcpy(&value, entry + statistic_name_bytes, sizeof value);
      contents_.statistics[{entry, std::find(entry, entry + statistic_name_bytes, '\0')}] = value;
    }
  }
}

void SealedReader::read_notes() {
  SealedDataset notes = dataset(manifest_.notes, notes_grid());
  std::vector<char> bytes;
  std::string text;
  while (text.size() < state_.notes) {
    const std::size_t count = std::min<std::size_t>(notes_per_chunk, state_.notes - text.size());
    if (!notes.read_chunk(text.size() / notes_per_chunk, count, bytes)) {
      damaged("the checksum of its notes does not agree");
    }
    text.append(bytes.data(), count);
  }
  if (text.empty()) return;
  const core::JsonValue parsed = core::parse_json(text);
  for (const auto& [name, note] : parsed.object()) contents_.info.more[name] = note.text();
}

void SealedReader::read_times() {
  if (contents_.rows == 0) return;
  SealedDataset time = dataset(manifest_.time, time_grid());
  std::vector<char> bytes;
  const std::uint64_t last = (contents_.rows - 1) / chunk_rows_;
  for (const std::uint64_t chunk_row : {std::uint64_t{0}, last}) {
    const std::size_t rows = rows_of_chunk(chunk_row);
    if (!time.read_chunk(chunk_row, rows, bytes)) {
      damaged("the checksum of its times does not agree");
    }
    const std::vector<double> times = as_numbers(bytes, rows);
    if (chunk_row == 0) contents_.first_time = times.front();
    if (chunk_row == last) contents_.last_time = times.back();
  }
}

void SealedReader::read_block(SealedDataset& values,
                              std::uint64_t chunk_row,
                              const std::vector<std::size_t>& chosen,
                              std::size_t at,
                              std::vector<std::vector<double>>& columns,
                              std::vector<char>& bytes) const {
  const std::size_t rows = rows_of_chunk(chunk_row);
  const std::size_t blocks = values.grid().blocks;
  for (std::size_t block = 0; block < blocks; ++block) {
    bool there = false;
    for (std::size_t i = 0; i < chosen.size(); ++i) {
      if (chosen[i] / chunk_columns_ != block) continue;
      if (!there && !values.read_chunk(chunk_row * blocks + block, rows, bytes)) {
        const std::size_t first = chunk_row * chunk_rows_;
        damaged(
            fmt::format("the checksum of rows {} to {} does not agree", first, first + rows - 1));
      }
      there = true;
      const char* from = bytes.data() + chosen[i] % chunk_columns_ * sizeof(double);
      for (std::size_t row = 0; row < rows; ++row) {
        std::memcpy(&columns[i][at + row], from + row * chunk_columns_ * sizeof(double),
                    sizeof(double));
      }
    }
  }
}

void SealedReader::read(const std::vector<std::size_t>& chosen, const RowVisitor& visit) const {
  // A few MB at a time, in whole chunks.
  constexpr std::size_t buffer_doubles = std::size_t{1} << 19U;
  const std::size_t together =
      std::max<std::size_t>(1, buffer_doubles / ((chosen.size() + 1) * chunk_rows_));
  const std::size_t all = (contents_.rows + chunk_rows_ - 1) / chunk_rows_;
  const std::size_t room = std::min(all, together) * chunk_rows_;
  SealedDataset time = dataset(manifest_.time, time_grid());
  SealedDataset values = dataset(manifest_.values, values_grid());
  std::vector<double> times(room);
  std::vector<std::vector<double>> columns(chosen.size(), std::vector<double>(room));
  std::vector<char> bytes;
  for (std::size_t begin = 0; begin < all; begin += together) {
    std::size_t filled = 0;
    for (std::size_t k = begin; k < std::min(all, begin + together); ++k) {
      const std::size_t rows = rows_of_chunk(k);
      if (!time.read_chunk(k, rows, bytes)) damaged("the checksum of its times does not agree");
      std::memcpy(&times[filled], bytes.data(), rows * sizeof(double));
      read_block(values, k, chosen, filled, columns, bytes);
      filled += rows;
    }
    RowBlock block{begin * chunk_rows_, {times.data(), filled}, {}};
    for (const std::vector<double>& column : columns) {
      block.columns.emplace_back(column.data(), filled);
    }
    visit(block);
  }
}

}  // namespace trammel::results::hdf5
