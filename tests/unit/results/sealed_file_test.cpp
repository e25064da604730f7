// Results files carry checksums: whatever byte is changed, nobody is shown other numbers.
#include <algorithm>
#include <atomic>
#include <map>
#include <random>
#include <thread>

#include "scratch.h"
#include <gtest/gtest.h>
#include <hdf5.h>

#include "trammel/core/diagnostic.h"
#include "trammel/results/csv_sink.h"
#include "trammel/results/hdf5/seal.h"
#include "trammel/results/hdf5_sink.h"
#include "trammel/results/memory_sink.h"
#include "trammel/results/reader.h"

namespace trammel::results::sealed_file_test {
namespace {

using namespace testing;

constexpr std::size_t columns = 5;

std::string long_remark() {
  std::string text(20'000, 'x');
  text.append("\n\"end\" \xc3\xa4");
  return text;
}

void write_samples(Sink& sink, std::size_t rows) {
  sink.begin(sample_channels(columns), sample_information());
  append_samples(sink, 0, rows, columns);
  sink.annotate({{"verdict", "doubtful"}, {"remark", "an old one"}});
  sink.annotate({{"remark", long_remark()}});
  sink.finish(Outcome::completed, "done", {{"steps", 3.0}});
}

void expect_equal(const Table& a, const Table& b) {
  EXPECT_EQ(a.info, b.info);
  EXPECT_EQ(a.channels, b.channels);
  EXPECT_EQ(a.time, b.time);
  EXPECT_EQ(a.columns, b.columns);
  EXPECT_EQ(a.outcome, b.outcome);
  EXPECT_EQ(a.message, b.message);
  EXPECT_EQ(a.statistics, b.statistics);
}

TEST(Annotations, OfTheEndAreKeptByEverySink) {
  const ScratchFolder folder;
  Hdf5Sink hdf5(folder / "a.h5");
  CsvSink csv(folder / "a.csv");
  MemorySink memory;
  for (Sink* sink : std::initializer_list<Sink*>{&hdf5, &csv, &memory}) write_samples(*sink, 300);
  for (const Table& table : {read(folder / "a.h5"), read(folder / "a.csv"), memory.take()}) {
    EXPECT_EQ(table.info.more.at("verdict"), "doubtful");
    EXPECT_EQ(table.info.more.at("remark"), long_remark());
    EXPECT_EQ(table.info.more.at("step"), "0.001");
    EXPECT_EQ(table.rows(), 300u);
  }
}

/// Through the HDF5 library alone, as h5py, h5dump and MATLAB do.
std::vector<double> numbers_of(hid_t file, const char* name) {
  const hid_t dataset = H5Dopen2(file, name, H5P_DEFAULT);
  const hid_t space = H5Dget_space(dataset);
  std::vector<double> numbers(static_cast<std::size_t>(H5Sget_simple_extent_npoints(space)));
  EXPECT_GE(H5Dread(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, numbers.data()), 0);
  H5Sclose(space);
  H5Dclose(dataset);
  return numbers;
}

TEST(SealedFile, IsAnOrdinaryHdf5FileAtAnyTime) {
  const ScratchFolder folder;
  const std::string path = (folder / "a.h5").string();
  Hdf5Sink sink(path, {.rows_per_chunk = 16, .flush_interval = 1e9});
  sink.begin(sample_channels(columns), sample_information());
  append_samples(sink, 0, 150, columns);
  sink.flush();
  for (const bool finished : {false, true}) {
    if (finished) {
      sink.annotate({{"verdict", "sound"}});
      sink.finish(Outcome::completed, "done", {{"steps", 3.0}});
    }
    const hid_t file = H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
    ASSERT_GE(file, 0);
    const std::vector<double> time = numbers_of(file, "time");
    const std::vector<double> values = numbers_of(file, "values");
    ASSERT_EQ(time.size(), 150u);
    ASSERT_EQ(values.size(), 150u * columns);
    for (std::size_t row = 0; row < 150; ++row) {
      EXPECT_EQ(time[row], sample_time(row));
      for (std::size_t i = 0; i < columns; ++i) {
        EXPECT_EQ(values[row * columns + i], sample(row, i));
      }
    }
    std::string notes;
    for (const double byte : numbers_of(file, "notes")) notes += static_cast<char>(byte);
    EXPECT_EQ(notes, finished ? "{\"verdict\": \"sound\"}\n" : "");
    H5Fclose(file);
  }
}

TEST(SealedFile, LongTextsAreKept) {
  const ScratchFolder folder;
  RunInformation info = sample_information();
  info.more["set"] = std::string(100'000, 'y');
  info.more["empty"] = "";
  info.model_text = std::string(300'000, 'z');
  {
    Hdf5Sink sink(folder / "a.h5");
    sink.begin(sample_channels(columns), info);
    sink.finish(Outcome::completed, "", {});
  }
  EXPECT_EQ(read(folder / "a.h5").info, info);
}

TEST(SealedFile, WithAnyByteChangedIsRefusedOrReadAsItWas) {
  const ScratchFolder folder;
  {
    Hdf5Sink sink(folder / "a.h5", {.rows_per_chunk = 16, .flush_interval = 1e9});
    write_samples(sink, 150);
  }
  const Table table = read(folder / "a.h5");
  const std::string bytes = contents_of(folder / "a.h5");
  std::mt19937 random(1);
  std::size_t refused = 0;
  std::size_t tried = 0;
  for (std::size_t at = 0; at < bytes.size(); at += 1 + random() % 30, ++tried) {
    std::string changed = bytes;
    changed[at] = static_cast<char>(changed[at] ^ static_cast<char>(1U << random() % 8));
    put(folder / "b.h5", changed);
    try {
      expect_equal(read(folder / "b.h5"), table);
    } catch (const core::InputError&) {
      ++refused;
    }
    ASSERT_FALSE(HasFailure()) << "byte " << at;
  }
  // Some bytes mean nothing: room that was taken and not needed, and what only others read.
  EXPECT_GT(refused, tried / 3);
}

TEST(SealedFile, CutAnywhereIsRefused) {
  const ScratchFolder folder;
  {
    Hdf5Sink sink(folder / "a.h5", {.rows_per_chunk = 16, .flush_interval = 1e9});
    write_samples(sink, 150);
  }
  const std::string bytes = contents_of(folder / "a.h5");
  for (std::size_t length = 0; length < bytes.size(); length += 511) {
    put(folder / "b.h5", bytes.substr(0, length));
    EXPECT_THROW(read(folder / "b.h5"), core::InputError) << length;
  }
}

TEST(SealedFile, ChunksCannotChangePlaces) {
  const ScratchFolder folder;
  {
    Hdf5Sink sink(folder / "a.h5", {.rows_per_chunk = 16, .flush_interval = 1e9});
    write_samples(sink, 150);
  }
  std::string bytes = contents_of(folder / "a.h5");
  // The chunks of the values, found by their first number.
  const auto chunk_at = [&](std::size_t row) {
    const std::vector<double> numbers = sample_row(row, columns);
    return bytes.find(std::string(reinterpret_cast<const char*>(numbers.data()),
                                  numbers.size() * sizeof(double)));
  };
  const std::size_t a = chunk_at(16);
  const std::size_t b = chunk_at(32);
  ASSERT_NE(a, std::string::npos);
  ASSERT_NE(b, std::string::npos);
  const std::size_t size = 16 * columns * sizeof(double) + hdf5::seals_bytes;
  std::swap_ranges(&bytes[a], &bytes[a] + size, &bytes[b]);
  put(folder / "a.h5", bytes);
  const std::string message = message_of<core::InputError>([&] { read(folder / "a.h5"); });
  EXPECT_NE(message.find("rows 16 to 31"), std::string::npos) << message;
}

TEST(SealedFile, IsReadWhileItGrows) {
  const ScratchFolder folder;
  std::atomic<bool> done{false};
  std::atomic<std::size_t> flushed{0};
  Hdf5Sink sink(folder / "a.h5", {.rows_per_chunk = 64, .flush_interval = 1e9});
  sink.begin(sample_channels(columns), sample_information());
  std::thread writer([&] {
    for (std::size_t row = 0; row < 20'000 && !done; ++row) {
      append_samples(sink, row, row + 1, columns);
      sink.flush();
      flushed = row + 1;
    }
    done = true;
  });
  std::size_t reads = 0;
  for (; !done || reads < 20; ++reads) {
    const std::size_t at_least = flushed;
    const Table table = read(folder / "a.h5");
    EXPECT_GE(table.rows(), at_least);
    for (std::size_t row = 0; row < table.rows(); ++row) {
      if (table.time[row] != sample_time(row) || table.columns[4][row] != sample(row, 4)) {
        ADD_FAILURE() << "row " << row;
      }
    }
    if (HasFailure() || reads == 300) done = true;
  }
  writer.join();
}

TEST(EarlyFile, IsReadAsItWas) {
  const std::filesystem::path folder = TRAMMEL_SOURCE_DIR "/tests/data/results";
  const Table table = read(folder / "early.h5");
  const Table expected = read(folder / "early.csv");
  expect_equal(table, expected);
  EXPECT_EQ(table.rows(), 21u);
  const Table some = read(folder / "early.h5", {"rod.angle", "energy.kinetic"});
  EXPECT_EQ(some.columns[0], expected.columns[expected.find("rod.angle")]);
  EXPECT_EQ(some.columns[1], expected.columns[expected.find("energy.kinetic")]);
}

TEST(EarlyFile, DamagedInItsTextsEndsNoOneElse) {
  // The heap of texts of variable length, which the HDF5 library reads without looking.
  const ScratchFolder folder;
  const std::string bytes = contents_of(TRAMMEL_SOURCE_DIR "/tests/data/results/early.h5");
  std::mt19937 random(3);
  std::size_t heaps = 0;
  for (std::size_t at = bytes.find("GCOL"); at != std::string::npos;
       at = bytes.find("GCOL", at + 1)) {
    ++heaps;
    for (int k = 0; k < 20; ++k) {
      std::string changed = bytes;
      for (std::size_t i = at + 8; i < at + 64; ++i) {
        if (random() % 4 == 0) changed[i] = static_cast<char>(random());
      }
      put(folder / "b.h5", changed);
      try {
        inspect(folder / "b.h5");
      } catch (const core::InputError&) {
      }
    }
  }
  EXPECT_GT(heaps, 0u);
}

}  // namespace
}  // namespace trammel::results::sealed_file_test
