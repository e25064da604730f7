#include "trammel/results/hdf5_sink.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cstring>
#include <exception>
#include <string>
#include <utility>
#include <vector>

#include "trammel/core/diagnostic.h"
#include "trammel/core/json_string.h"
#include "trammel/results/flush_clock.h"
#include "trammel/results/hdf5/growing_dataset.h"
#include "trammel/results/hdf5/skeleton.h"
#include "trammel/results/output_file.h"

namespace trammel::results {

static_assert(std::endian::native == std::endian::little, "rows are written as they lie in memory");

using hdf5::ChunkGrid;
using hdf5::ChunkShape;

namespace {

ChunkGrid grid_of_values(std::size_t channel_count, ChunkShape chunk) {
  const std::size_t blocks = (channel_count + chunk.columns - 1) / chunk.columns;
  return {2, sizeof(double), chunk.rows, chunk.columns, blocks};
}

/// At most `bytes` of UTF-8 text, padded with zeros.
std::vector<char> fitted(std::string_view text, std::size_t bytes) {
  std::vector<char> padded(bytes, '\0');
  std::copy_n(text.begin(), hdf5::whole_characters(text, bytes), padded.begin());
  return padded;
}

/// {"name": "text", ...}
std::string notes_text(const std::map<std::string, std::string>& notes) {
  if (notes.empty()) return {};
  std::string text = "{";
  for (const auto& [name, note] : notes) {
    if (text.size() > 1) text += ",\n ";
    text += core::json_string(name) + ": " + core::json_string(note);
  }
  return text + "}\n";
}

}  // namespace

/// Holds one row of chunks in memory, exactly as it will lie in the file.
class Hdf5Sink::Writer {
 public:
  Writer(const std::filesystem::path& path,
         const Hdf5Options& options,
         const hdf5::Skeleton& skeleton,
         std::size_t channel_count,
         ChunkShape chunk);

  void append(double time, const double* values);
  void flush();
  void finish(Outcome outcome,
              std::string message,
              const std::map<std::string, double>& statistics,
              const std::string& notes);

 private:
  static OutputFile& with_contents(OutputFile& file, const std::vector<char>& image);
  void write_statistics(const std::map<std::string, double>& statistics);
  void write_notes(const std::string& notes);
  void write_message(const std::string& message);
  void record_end(Outcome outcome, const std::string& message);
  void commit();

  std::size_t channel_count_;
  OutputFile output_;
  hdf5::GrowingFile file_;
  hdf5::Manifest manifest_;
  hdf5::GrowingDataset time_;
  hdf5::GrowingDataset values_;
  hdf5::GrowingDataset statistics_;
  hdf5::GrowingDataset notes_;
  FlushClock clock_;

  std::vector<double> time_chunk_;
  std::vector<double> value_chunks_;
  std::size_t rows_in_chunk_ = 0;  ///< appended
  std::size_t rows_written_ = 0;   ///< of these, on disk and visible
  std::uint64_t chunk_row_ = 0;
  hdf5::RunState state_;

  // The bytes of the file from the first to the last of what a commit changes.
  std::uint64_t changing_begin_ = 0;
  std::vector<char> changing_;
};

OutputFile& Hdf5Sink::Writer::with_contents(OutputFile& file, const std::vector<char>& image) {
  file.open();
  file.write_at(0, image.data(), image.size());
  return file;
}

Hdf5Sink::Writer::Writer(const std::filesystem::path& path,
                         const Hdf5Options& options,
                         const hdf5::Skeleton& skeleton,
                         std::size_t channel_count,
                         ChunkShape chunk)
    : channel_count_(channel_count),
      output_(path, FileKind::hdf5, options.overwrite),
      file_(with_contents(output_, skeleton.image)),
      manifest_(skeleton.manifest),
      time_(file_,
            manifest_.time,
            {1, sizeof(double), chunk.rows, 1, 1},
            manifest_.skeleton_checksum),
      values_(file_,
              manifest_.values,
              grid_of_values(channel_count, chunk),
              manifest_.skeleton_checksum),
      statistics_(
          file_, manifest_.statistics, hdf5::statistics_grid(), manifest_.skeleton_checksum),
      notes_(file_, manifest_.notes, hdf5::notes_grid(), manifest_.skeleton_checksum),
      clock_(options.flush_interval),
      time_chunk_(chunk.rows),
      value_chunks_(values_.grid().blocks * chunk.rows * chunk.columns) {
  const auto [first, last] =
      std::minmax({time_.extent_field(), values_.extent_field(), manifest_.state});
  changing_begin_ = first;
  changing_.resize(last + hdf5::RunState::bytes - first);

  // Real room for what is written at the end, so that the end of a run can be recorded on a full
  // disk too.
  for (hdf5::GrowingDataset* at_the_end : {&statistics_, &notes_}) {
    at_the_end->prepare(0);
    at_the_end->reserve();
  }
  output_.publish();
}

void Hdf5Sink::Writer::append(double time, const double* values) {
  // A full buffer means that the last flush failed: try again before taking more.
  const std::size_t rows = time_chunk_.size();
  if (rows_in_chunk_ == rows) flush();

  time_chunk_[rows_in_chunk_] = time;
  const std::size_t columns = values_.grid().columns;
  for (std::size_t block = 0; block < values_.grid().blocks; ++block) {
    const std::size_t first = block * columns;
    std::copy_n(values + first, std::min(columns, channel_count_ - first),
                &value_chunks_[(block * rows + rows_in_chunk_) * columns]);
  }
  ++rows_in_chunk_;
  if (rows_in_chunk_ == rows || clock_.due()) flush();
}

void Hdf5Sink::Writer::flush() {
  if (rows_in_chunk_ > rows_written_) {
    time_.prepare(chunk_row_);
    values_.prepare(chunk_row_);
    time_.write_rows(0, reinterpret_cast<const char*>(time_chunk_.data()), rows_written_,
                     rows_in_chunk_);
    const std::size_t block_size = values_.grid().rows * values_.grid().columns;
    for (std::size_t block = 0; block < values_.grid().blocks; ++block) {
      values_.write_rows(block,
                         reinterpret_cast<const char*>(value_chunks_.data() + block * block_size),
                         rows_written_, rows_in_chunk_);
    }
    state_.rows = chunk_row_ * time_chunk_.size() + rows_in_chunk_;
    commit();
    time_.commit();
    values_.commit();
    rows_written_ = rows_in_chunk_;
  }
  if (rows_written_ == time_chunk_.size()) {
    rows_in_chunk_ = rows_written_ = 0;
    ++chunk_row_;
  }
  clock_.restart();
}

void Hdf5Sink::Writer::commit() {
  // What lies between, the root of an index among it, is written back as it is.
  output_.read_at(changing_begin_, changing_.data(), changing_.size());
  hdf5::store(&changing_[time_.extent_field() - changing_begin_], state_.rows, 8);
  hdf5::store(&changing_[values_.extent_field() - changing_begin_], state_.rows, 8);
  const auto state = hdf5::encode(state_);
  std::copy(state.begin(), state.end(), &changing_[manifest_.state - changing_begin_]);
  file_.write_at(changing_begin_, changing_.data(), changing_.size());
}

void Hdf5Sink::Writer::write_statistics(const std::map<std::string, double>& statistics) {
  std::vector<char> chunk(statistics_.grid().chunk_bytes());
  std::size_t count = 0;
  for (const auto& [name, value] : statistics) {
    const std::size_t row = count % hdf5::statistics_per_chunk;
    char* entry = &chunk[row * hdf5::statistic_bytes];
    const std::vector<char> padded = fitted(name, hdf5::statistic_name_bytes);
    std::copy(padded.begin(), padded.end(), entry);
    std::memcpy(entry + hdf5::statistic_name_bytes, &value, sizeof(double));
    ++count;
    if (row + 1 < hdf5::statistics_per_chunk && count < statistics.size()) continue;
    statistics_.prepare((count - 1) / hdf5::statistics_per_chunk);
    statistics_.write_rows(0, chunk.data(), 0, row + 1);
    statistics_.commit();
  }
  statistics_.set_extent(count);
  state_.statistics = count;
}

void Hdf5Sink::Writer::write_notes(const std::string& notes) {
  for (std::size_t begin = 0; begin < notes.size(); begin += hdf5::notes_per_chunk) {
    notes_.prepare(begin / hdf5::notes_per_chunk);
    notes_.write_rows(0, notes.data() + begin, 0,
                      std::min(hdf5::notes_per_chunk, notes.size() - begin));
    notes_.commit();
  }
  notes_.set_extent(notes.size());
  state_.notes = notes.size();
}

void Hdf5Sink::Writer::write_message(const std::string& message) {
  const std::vector<char> text = fitted(message, manifest_.message.bytes);
  file_.write_at(manifest_.message.address, text.data(), text.size());
  state_.message = text.size();
  state_.message_checksum = hdf5::checksum(0, text.data(), text.size());
}

void Hdf5Sink::Writer::finish(Outcome outcome,
                              std::string message,
                              const std::map<std::string, double>& statistics,
                              const std::string& notes) {
  // The end is recorded even if a part of it cannot be stored; the first trouble is told. What says
  // "completed" is whole and on the disk: after any trouble the file says "failed", and why.
  std::exception_ptr trouble;
  const auto attempt = [&](const auto& action) {
    try {
      action();
    } catch (const FileMoved&) {
      throw;
    } catch (const core::RunError& error) {
      if (!trouble) trouble = std::current_exception();
      outcome = Outcome::failed;
      message = error.what() + (message.empty() ? "" : "; before that: " + message);
      return false;
    }
    return true;
  };
  attempt([&] { flush(); });
  attempt([&] { write_statistics(statistics); });
  attempt([&] { write_notes(notes); });
  // Some file systems report a full disk only now.
  attempt([&] { output_.sync(); });
  const auto record = [&] { record_end(outcome, message); };
  if (!attempt(record)) attempt(record);
  try {
    attempt([&] { output_.close(); });
  } catch (const FileMoved&) {
    // Told before anything else: the name of the file leads to another one.
    trouble = std::current_exception();
  }
  if (trouble) std::rethrow_exception(trouble);
}

void Hdf5Sink::Writer::record_end(Outcome outcome, const std::string& message) {
  write_message(message);
  const std::vector<char> text = fitted(to_string(outcome), manifest_.outcome.bytes);
  file_.write_at(manifest_.outcome.address, text.data(), text.size());
  state_.outcome = static_cast<std::uint64_t>(outcome);
  commit();
  output_.sync();
}

Hdf5Sink::Hdf5Sink(std::filesystem::path path, Hdf5Options options)
    : path_(std::move(path)), options_(options) {
  check_output_path(path_, FileKind::hdf5, options_.overwrite);
}

Hdf5Sink::~Hdf5Sink() {
  // Rows of a run that ended by an exception are worth keeping; a second error has no one to hear
  // it.
  try {
    if (writer_) writer_->flush();
  } catch (const std::exception&) {
    writer_.reset();
  }
}

void Hdf5Sink::begin(const std::vector<Channel>& channels, const RunInformation& info) {
  assert(!writer_);
  const ChunkShape chunk = hdf5::choose_chunk_shape(channels.size(), options_.rows_per_chunk);
  writer_ = std::make_unique<Writer>(path_, options_, hdf5::make_skeleton(channels, info, chunk),
                                     channels.size(), chunk);
}

void Hdf5Sink::append(double time, const double* values) {
  assert(writer_);
  writer_->append(time, values);
}

void Hdf5Sink::annotate(const std::map<std::string, std::string>& texts) {
  for (const auto& [name, text] : texts) notes_[name] = text;
}

void Hdf5Sink::flush() {
  if (writer_) writer_->flush();
}

void Hdf5Sink::finish(Outcome outcome,
                      const std::string& message,
                      const std::map<std::string, double>& statistics) {
  assert(writer_);
  const std::unique_ptr<Writer> writer = std::move(writer_);
  writer->finish(outcome, message, statistics, notes_text(notes_));
}

}  // namespace trammel::results
