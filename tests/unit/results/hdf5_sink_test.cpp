#include "trammel/results/hdf5_sink.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <new>
#include <thread>

#include "scratch.h"
#include <gtest/gtest.h>

#include "trammel/core/diagnostic.h"
#include "trammel/results/hdf5/file_format.h"
#include "trammel/results/hdf5/skeleton.h"
#include "trammel/results/output_file.h"
#include "trammel/results/reader.h"

namespace {
std::atomic<long> allocation_count{0};
}

// Counts what the code under test allocates. Not inlined, or g++ sees a free of what came from new.
[[gnu::noinline]] void* operator new(std::size_t size) {
  ++allocation_count;
  if (void* memory = std::malloc(size > 0 ? size : 1)) return memory;
  throw std::bad_alloc();
}
[[gnu::noinline]] void operator delete(void* memory) noexcept {
  std::free(memory);
}
[[gnu::noinline]] void operator delete(void* memory, std::size_t) noexcept {
  std::free(memory);
}

namespace trammel::results {
namespace {

using namespace testing;

void expect_samples(const Table& table, std::size_t rows, std::size_t columns) {
  ASSERT_EQ(table.rows(), rows);
  ASSERT_EQ(table.channels.size(), columns);
  for (std::size_t row = 0; row < rows; ++row) {
    ASSERT_EQ(table.time[row], sample_time(row));
    for (std::size_t i = 0; i < columns; ++i) {
      ASSERT_EQ(table.columns[i][row], sample(row, i)) << "row " << row << ", column " << i;
    }
  }
}

TEST(Hdf5Sink, GivesBackWhatWasWritten) {
  const ScratchFolder folder;
  Hdf5Sink sink(folder / "run.h5");
  sink.begin(sample_channels(5), sample_information());
  append_samples(sink, 0, 100, 5);
  sink.finish(Outcome::stopped, "by the user", {{"steps", 100.0}, {"newton.iterations", 312.0}});

  const Table table = read(folder / "run.h5");
  expect_samples(table, 100, 5);
  EXPECT_EQ(table.channels, sample_channels(5));
  EXPECT_EQ(table.info, sample_information());
  EXPECT_EQ(table.outcome, Outcome::stopped);
  EXPECT_EQ(table.message, "by the user");
  EXPECT_EQ(table.statistics,
            (std::map<std::string, double>{{"steps", 100.0}, {"newton.iterations", 312.0}}));
}

// Shapes that reach every branch of the index: one leaf, several leaves, three levels (more than
// 64 * 64 chunks), blocks of columns (more than 512 channels), a last block that is not full.
struct Shape {
  std::size_t rows;
  std::size_t columns;
  std::size_t rows_per_chunk;
};

class Hdf5SinkShapes : public ::testing::TestWithParam<Shape> {};

TEST_P(Hdf5SinkShapes, AreReadBackExactly) {
  const auto [rows, columns, rows_per_chunk] = GetParam();
  const ScratchFolder folder;
  Hdf5Sink sink(folder / "run.h5", {.rows_per_chunk = rows_per_chunk});
  sink.begin(sample_channels(columns), {});
  append_samples(sink, 0, rows, columns);
  sink.finish(Outcome::completed, "", {});
  expect_samples(read(folder / "run.h5"), rows, columns);
}

INSTANTIATE_TEST_SUITE_P(All,
                         Hdf5SinkShapes,
                         ::testing::Values(Shape{0, 3, 0},
                                           Shape{3, 0, 0},
                                           Shape{1, 1, 1},
                                           Shape{64, 2, 1},
                                           Shape{65, 2, 1},
                                           Shape{4096, 2, 1},
                                           Shape{4097, 2, 1},
                                           Shape{9000, 3, 2},
                                           Shape{700, 513, 1},
                                           Shape{50, 1500, 7},
                                           Shape{9, 10000, 0},
                                           Shape{20000, 7, 0}));

TEST(Hdf5Sink, IsReadableWhileTheRunGoesOn) {
  const ScratchFolder folder;
  Hdf5Sink sink(folder / "run.h5", {.rows_per_chunk = 8, .flush_interval = 1e9});
  sink.begin(sample_channels(2), sample_information());
  EXPECT_EQ(inspect(folder / "run.h5").rows, 0U);
  EXPECT_EQ(inspect(folder / "run.h5").outcome, Outcome::running);
  append_samples(sink, 0, 3, 2);
  EXPECT_EQ(inspect(folder / "run.h5").rows, 0U);
  sink.flush();
  expect_samples(read(folder / "run.h5"), 3, 2);
  append_samples(sink, 3, 21, 2);  // two full chunks are flushed without being asked
  expect_samples(read(folder / "run.h5"), 16, 2);
  sink.flush();
  expect_samples(read(folder / "run.h5"), 21, 2);
}

TEST(Hdf5Sink, IsCompleteUnderAnotherNameToo) {
  const ScratchFolder folder;
  Hdf5Sink sink(folder / "run.h5");
  sink.begin(sample_channels(2), sample_information());
  append_samples(sink, 0, 5, 2);
  std::filesystem::rename(folder / "run.h5", folder / "moved.h5");
  put(folder / "run.h5", "mine");
  EXPECT_THROW(sink.finish(Outcome::completed, "", {}), FileMoved);
  expect_samples(read(folder / "moved.h5"), 5, 2);
  EXPECT_EQ(read(folder / "moved.h5").outcome, Outcome::completed);
  EXPECT_EQ(contents_of(folder / "run.h5"), "mine");
}

// The chunks are small enough to be added while the file is being opened. The writer does not use
// the HDF5 library, which serves one thread only.
TEST(Hdf5Sink, IsReadableAtAnyMoment) {
  const ScratchFolder folder;
  Hdf5Sink sink(folder / "run.h5", {.rows_per_chunk = 1});
  sink.begin(sample_channels(2), {});
  constexpr std::size_t rows = 500;
  const std::jthread writer([&] {
    for (std::size_t row = 0; row < rows; ++row) {
      append_samples(sink, row, row + 1, 2);
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  });
  for (std::size_t seen = 0; seen < rows;) {
    const Table table = read(folder / "run.h5");
    expect_samples(table, table.rows(), 2);
    seen = inspect(folder / "run.h5").rows;
    ASSERT_GE(seen, table.rows());
  }
}

TEST(Hdf5Sink, FlushesWhenTheIntervalHasPassed) {
  const ScratchFolder folder;
  Hdf5Sink sink(folder / "run.h5", {.flush_interval = 0.0});
  sink.begin(sample_channels(2), {});
  append_samples(sink, 0, 5, 2);
  EXPECT_EQ(inspect(folder / "run.h5").rows, 5U);
}

TEST(Hdf5Sink, KeepsRowsWhenTheRunEndsByAnException) {
  const ScratchFolder folder;
  {
    Hdf5Sink sink(folder / "run.h5", {.flush_interval = 1e9});
    sink.begin(sample_channels(2), {});
    append_samples(sink, 0, 5, 2);
  }
  const Table table = read(folder / "run.h5");
  expect_samples(table, 5, 2);
  EXPECT_EQ(table.outcome, Outcome::running);
}

TEST(Hdf5Sink, ReadsOnlyChosenChannels) {
  const ScratchFolder folder;
  Hdf5Sink sink(folder / "run.h5", {.rows_per_chunk = 4});
  sink.begin(sample_channels(1200), {});
  append_samples(sink, 0, 10, 1200);
  sink.finish(Outcome::completed, "", {});
  const Table table = read(folder / "run.h5", {"body1199.*", "body3.position.x", "body60?.*"});
  ASSERT_EQ(table.channels.size(), 12U);
  EXPECT_EQ(table.channels[0].name, "body1199.position.x");
  EXPECT_EQ(table.columns[0][9], sample(9, 1199));
  EXPECT_EQ(table.columns[1][9], sample(9, 3));
  EXPECT_EQ(table.column("body605.position.x")[7], sample(7, 605));
}

TEST(Hdf5Sink, KeepsNumbersThatAreNotFinite) {
  const ScratchFolder folder;
  Hdf5Sink sink(folder / "run.h5");
  sink.begin(sample_channels(3), {});
  const double values[] = {std::numeric_limits<double>::quiet_NaN(),
                           -std::numeric_limits<double>::infinity(),
                           std::numeric_limits<double>::denorm_min()};
  sink.append(0.0, values);
  sink.finish(Outcome::failed, "not a number", {});
  const Table table = read(folder / "run.h5");
  EXPECT_TRUE(std::isnan(table.columns[0][0]));
  EXPECT_EQ(table.columns[1][0], values[1]);
  EXPECT_EQ(table.columns[2][0], values[2]);
}

TEST(Hdf5Sink, StoresManyStatisticsAndLongMessages) {
  const ScratchFolder folder;
  std::map<std::string, double> statistics;
  for (int i = 0; i < 200; ++i) statistics["count." + std::to_string(i)] = i;
  std::string message;
  for (int i = 0; i < 2000; ++i) message += "ü";  // two bytes each
  Hdf5Sink sink(folder / "run.h5");
  sink.begin(sample_channels(1), {});
  sink.finish(Outcome::failed, message, statistics);
  const Contents contents = inspect(folder / "run.h5");
  EXPECT_EQ(contents.statistics, statistics);
  EXPECT_EQ(contents.message, message.substr(0, hdf5::message_bytes));
}

const std::string precious = "\x89HDF\r\n\x1a\n of somebody: trammel results";

TEST(Hdf5Sink, RefusesAnExistingFile) {
  const ScratchFolder folder;
  put(folder / "run.h5", precious);
  EXPECT_THROW(Hdf5Sink(folder / "run.h5"), core::InputError);
  const std::string message = message_of<core::InputError>([&] { Hdf5Sink(folder / "run.h5"); });
  EXPECT_NE(message.find("run.h5' exists already"), std::string::npos) << message;
  EXPECT_NE(message.find("--force"), std::string::npos) << message;
  EXPECT_EQ(contents_of(folder / "run.h5"), precious);
}

TEST(Hdf5Sink, RefusesAFileThatAppearedSince) {
  const ScratchFolder folder;
  Hdf5Sink sink(folder / "run.h5");
  put(folder / "run.h5", precious);
  EXPECT_THROW(sink.begin(sample_channels(1), {}), core::InputError);
  EXPECT_EQ(contents_of(folder / "run.h5"), precious);
}

TEST(Hdf5Sink, ReplacesAnExistingFileOnlyWhenTheNewOneIsThere) {
  const ScratchFolder folder;
  put(folder / "run.h5", precious);
  Hdf5Sink sink(folder / "run.h5", {.overwrite = true});
  EXPECT_EQ(contents_of(folder / "run.h5"), precious);
  RunInformation nameless;
  nameless.more[""] = "an attribute of an HDF5 file needs a name";
  EXPECT_THROW(sink.begin(sample_channels(1), nameless), core::RunError);
  EXPECT_EQ(contents_of(folder / "run.h5"), precious);
  sink.begin(sample_channels(1), {});
  append_samples(sink, 0, 2, 1);
  sink.finish(Outcome::completed, "", {});
  expect_samples(read(folder / "run.h5"), 2, 1);
  // Nothing else is left in the folder.
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder.path()), {}), 1);
}

TEST(Hdf5Sink, RefusesAFolderThatIsNotThere) {
  const ScratchFolder folder;
  EXPECT_THROW(Hdf5Sink(folder / "absent/run.h5"), core::InputError);
  EXPECT_THROW(Hdf5Sink(folder.path()), core::InputError);
}

TEST(Hdf5Sink, AppendsWithoutAllocating) {
  const ScratchFolder folder;
  Hdf5Sink sink(folder / "run.h5", {.rows_per_chunk = 1});
  sink.begin(sample_channels(20), {});
  const std::vector<double> values = sample_row(0, 20);
  sink.append(0.0, values.data());
  const long before = allocation_count;
  // Enough for new leaves and a new root of the index.
  for (int row = 1; row < 5000; ++row) sink.append(row, values.data());
  EXPECT_EQ(allocation_count - before, 0);
}

// One write extends both datasets; it cannot be cut in two as long as it stays within a page.
TEST(Hdf5Sink, ExtentsOfTimeAndValuesLieInOnePage) {
  constexpr std::uint64_t page = 4096;
  for (const std::size_t count :
       {std::size_t{0}, std::size_t{1}, std::size_t{50}, std::size_t{9999}}) {
    const hdf5::Skeleton skeleton = hdf5::make_skeleton(
        sample_channels(count), sample_information(), hdf5::choose_chunk_shape(count, 0));
    const hdf5::DatasetFields& time = skeleton.manifest.time;
    const hdf5::DatasetFields& values = skeleton.manifest.values;
    for (const hdf5::DatasetFields& fields : {time, values}) {
      EXPECT_EQ(fields.extent / page, (fields.extent + 7) / page);
      EXPECT_EQ(fields.index_root / page, (fields.index_root + 7) / page);
    }
    for (const std::uint64_t field : {time.extent, values.extent, skeleton.manifest.state}) {
      EXPECT_LE(field + hdf5::RunState::bytes, page);
    }
  }
}

TEST(Hdf5ChunkShape, IsAbout64KiB) {
  for (const std::size_t count : {std::size_t{1}, std::size_t{10}, std::size_t{500},
                                  std::size_t{5000}, std::size_t{1000000}}) {
    const hdf5::ChunkShape shape = hdf5::choose_chunk_shape(count, 0);
    EXPECT_LE(shape.columns, std::max<std::size_t>(512, count / 16 + 1));
    EXPECT_TRUE(shape.rows == 1 || shape.rows * shape.columns <= 8192);
    EXPECT_TRUE(shape.rows == 1024 || 4 * shape.rows * shape.columns > 8192);
  }
}

}  // namespace
}  // namespace trammel::results
