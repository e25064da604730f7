#include "trammel/results/hdf5_sink.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cstring>
#include <exception>
#include <utility>
#include <vector>

#include "trammel/core/diagnostic.h"
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

/// At most `bytes` of UTF-8 text, not cut within a character, padded with zeros.
std::vector<char> fitted(std::string_view text, std::size_t bytes) {
  std::size_t length = std::min(text.size(), bytes);
  const auto continues = [&](std::size_t i) {
    return i < text.size() && (static_cast<unsigned char>(text[i]) & 0xC0U) == 0x80U;
  };
  while (length > 0 && continues(length)) --length;
  std::vector<char> padded(bytes, '\0');
  std::copy_n(text.begin(), length, padded.begin());
  return padded;
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
              const std::map<std::string, double>& statistics);

 private:
  static OutputFile& with_contents(OutputFile& file, const std::vector<char>& image);
  void write_statistics(const std::map<std::string, double>& statistics);
  void commit(std::uint64_t rows);

  std::size_t channel_count_;
  OutputFile output_;
  hdf5::GrowingFile file_;
  hdf5::GrowingDataset time_;
  hdf5::GrowingDataset values_;
  hdf5::GrowingDataset statistics_;
  hdf5::AttributeField outcome_;
  hdf5::AttributeField message_;
  FlushClock clock_;

  std::vector<double> time_chunk_;
  std::vector<double> value_chunks_;
  std::size_t rows_in_chunk_ = 0;  ///< appended
  std::size_t rows_written_ = 0;   ///< of these, on disk and visible
  std::uint64_t chunk_row_ = 0;

  // The bytes of the file from the extent of one dataset to that of the other.
  std::uint64_t extents_begin_ = 0;
  std::vector<char> extents_;
};

OutputFile& Hdf5Sink::Writer::with_contents(OutputFile& file, const std::vector<char>& image) {
  hdf5::check_superblock(image);
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
      output_(path, options.overwrite),
      file_(with_contents(output_, skeleton.image)),
      time_(file_,
            hdf5::find_dataset_fields(skeleton.image, skeleton.time),
            {1, sizeof(double), chunk.rows, 1, 1}),
      values_(file_,
              hdf5::find_dataset_fields(skeleton.image, skeleton.values),
              grid_of_values(channel_count, chunk)),
      statistics_(file_,
                  hdf5::find_dataset_fields(skeleton.image, skeleton.statistics),
                  {1, hdf5::statistic_bytes, hdf5::statistics_per_chunk, 1, 1}),
      outcome_(hdf5::find_attribute(skeleton.image, skeleton.root, "outcome")),
      message_(hdf5::find_attribute(skeleton.image, skeleton.root, "message")),
      clock_(options.flush_interval),
      time_chunk_(chunk.rows),
      value_chunks_(values_.grid().blocks * chunk.rows * chunk.columns) {
  extents_begin_ = std::min(time_.extent_field(), values_.extent_field());
  const std::uint64_t end = std::max(time_.extent_field(), values_.extent_field()) + 8;
  extents_.resize(end - extents_begin_);

  // Real room for the statistics, so that the end of a run can be recorded on a full disk too.
  statistics_.prepare(0);
  const std::vector<char> zeros(statistics_.grid().chunk_bytes());
  statistics_.write_rows(0, zeros.data(), 0, statistics_.grid().rows);
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
    commit(chunk_row_ * time_chunk_.size() + rows_in_chunk_);
    rows_written_ = rows_in_chunk_;
  }
  if (rows_written_ == time_chunk_.size()) {
    rows_in_chunk_ = rows_written_ = 0;
    ++chunk_row_;
  }
  clock_.restart();
}

void Hdf5Sink::Writer::commit(std::uint64_t rows) {
  // What lies between the two extents, the root of an index among it, is written back as it is.
  output_.read_at(extents_begin_, extents_.data(), extents_.size());
  hdf5::store(&extents_[time_.extent_field() - extents_begin_], rows, 8);
  hdf5::store(&extents_[values_.extent_field() - extents_begin_], rows, 8);
  file_.write_at(extents_begin_, extents_.data(), extents_.size());
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
    statistics_.prepare(count / hdf5::statistics_per_chunk);
    statistics_.write_rows(0, chunk.data(), row, row + 1);
    ++count;
  }
  statistics_.set_extent(count);
}

void Hdf5Sink::Writer::finish(Outcome outcome,
                              std::string message,
                              const std::map<std::string, double>& statistics) {
  // The end is recorded even if the last rows could not be stored.
  std::exception_ptr trouble;
  try {
    flush();
  } catch (const core::RunError& error) {
    trouble = std::current_exception();
    outcome = Outcome::failed;
    message = std::string(error.what()) + (message.empty() ? "" : "; before that: " + message);
  }
  write_statistics(statistics);
  const std::vector<char> text = fitted(message, message_.bytes);
  file_.write_at(message_.address, text.data(), text.size());
  const std::vector<char> state = fitted(to_string(outcome), outcome_.bytes);
  file_.write_at(outcome_.address, state.data(), state.size());
  if (trouble) std::rethrow_exception(trouble);
  output_.sync();
}

Hdf5Sink::Hdf5Sink(std::filesystem::path path, Hdf5Options options)
    : path_(std::move(path)), options_(options) {
  check_output_path(path_, options_.overwrite);
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

void Hdf5Sink::flush() {
  if (writer_) writer_->flush();
}

void Hdf5Sink::finish(Outcome outcome,
                      const std::string& message,
                      const std::map<std::string, double>& statistics) {
  assert(writer_);
  writer_->finish(outcome, message, statistics);
  writer_.reset();
}

}  // namespace trammel::results
