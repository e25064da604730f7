// What is on disk when a run is interrupted: at every single write, at random moments by SIGKILL,
// by a file that may not grow any further.

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <functional>
#include <memory>
#include <new>
#include <random>
#include <utility>

#include "scratch.h"
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "trammel/core/diagnostic.h"
#include "trammel/results/csv_sink.h"
#include "trammel/results/hdf5_sink.h"
#include "trammel/results/reader.h"

namespace {

std::function<void()> after_each_write;
constexpr long page = 4096;

void tell() {
  if (after_each_write) after_each_write();
}

}  // namespace

// These take the place of the C library's in this program. As the kernel may do when a process is
// killed, pwrite stops at the end of each page.
extern "C" ssize_t pwrite(int descriptor, const void* bytes, size_t count, off_t offset) {
  const char* begin = static_cast<const char*>(bytes);
  size_t done = 0;
  while (done < count) {
    const long at = offset + static_cast<long>(done);
    const auto room = static_cast<size_t>(page - at % page);
    const size_t piece = after_each_write ? std::min(count - done, room) : count - done;
    const ssize_t written = syscall(SYS_pwrite64, descriptor, begin + done, piece, at);
    if (written < 0) return done > 0 ? static_cast<ssize_t>(done) : written;
    done += static_cast<size_t>(written);
    tell();
  }
  return static_cast<ssize_t>(done);
}

extern "C" int ftruncate(int descriptor, off_t length) noexcept {
  const long result = syscall(SYS_ftruncate, descriptor, length);
  tell();
  return static_cast<int>(result);
}

namespace trammel::results::interrupted_run_test {
namespace {

using namespace testing;

constexpr std::size_t columns = 3;

void expect_samples(const Table& table, std::size_t at_least) {
  ASSERT_GE(table.rows(), at_least);
  for (std::size_t row = 0; row < table.rows(); ++row) {
    ASSERT_EQ(table.time[row], sample_time(row));
    for (std::size_t i = 0; i < columns; ++i) ASSERT_EQ(table.columns[i][row], sample(row, i));
  }
}

TEST(InterruptedRun, Hdf5FileIsValidAfterEveryWrite) {
  const ScratchFolder folder;
  std::size_t flushed = 0;
  std::size_t states = 0;
  Hdf5Sink sink(folder / "run.h5", {.rows_per_chunk = 1, .flush_interval = 1e9});
  sink.begin(sample_channels(columns), sample_information());
  after_each_write = [&] {
    ++states;
    const Table table = read(folder / "run.h5");
    expect_samples(table, flushed);
    ASSERT_EQ(table.info, sample_information());
  };
  // Across the first full leaf (64 chunks) and, read from time to time only, the first full root.
  for (std::size_t row = 0; row < 70 && !::testing::Test::HasFailure(); ++row) {
    append_samples(sink, row, row + 1, columns);
    flushed = row + 1;
  }
  EXPECT_GT(states, 500U);
  const auto check = std::exchange(after_each_write, nullptr);
  append_samples(sink, 70, 4094, columns);
  flushed = 4094;
  after_each_write = check;
  for (std::size_t row = 4094; row < 4098 && !::testing::Test::HasFailure(); ++row) {
    append_samples(sink, row, row + 1, columns);
    flushed = row + 1;
  }
  // To the very end: statistics in two chunks, and notes that need more room than was taken.
  std::map<std::string, double> statistics;
  for (int i = 0; i < 100; ++i) statistics["statistic " + std::to_string(i)] = i;
  const std::string note(20'000, 'x');
  after_each_write = [&] {
    ++states;
    const Table table = read(folder / "run.h5");
    expect_samples(table, flushed);
    if (table.outcome == Outcome::running) {
      ASSERT_EQ(table.info, sample_information());
      return;
    }
    ASSERT_EQ(table.message, "all is well");
    ASSERT_EQ(table.statistics, statistics);
    ASSERT_EQ(table.info.more.at("note"), note);
  };
  sink.annotate({{"note", note}});
  sink.finish(Outcome::completed, "all is well", statistics);
  after_each_write = nullptr;
  EXPECT_EQ(inspect(folder / "run.h5").rows, 4098U);
  EXPECT_EQ(inspect(folder / "run.h5").outcome, Outcome::completed);
}

/// A number that parent and child both see.
class SharedCounter {
 public:
  SharedCounter()
      : value_(new (::mmap(nullptr,
                           sizeof(std::atomic<std::size_t>),
                           PROT_READ | PROT_WRITE,
                           MAP_SHARED | MAP_ANONYMOUS,
                           -1,
                           0)) std::atomic<std::size_t>(0)) {}
  ~SharedCounter() { ::munmap(value_, sizeof(std::atomic<std::size_t>)); }
  SharedCounter(const SharedCounter&) = delete;
  SharedCounter& operator=(const SharedCounter&) = delete;
  std::atomic<std::size_t>& operator*() { return *value_; }

 private:
  std::atomic<std::size_t>* value_;
};

/// Writes until killed; `flushed` counts the rows that are promised to survive.
template <typename MakeSink>
void write_until_killed(MakeSink make_sink, std::atomic<std::size_t>& flushed) {
  auto sink = make_sink();
  sink->begin(sample_channels(columns), sample_information());
  for (std::size_t row = 0; true; ++row) {
    append_samples(*sink, row, row + 1, columns);
    if (row % 3 != 0) continue;
    sink->flush();
    flushed = row + 1;
  }
}

template <typename MakeSink>
std::size_t kill_at_random(const std::filesystem::path& path, MakeSink make_sink, unsigned seed) {
  SharedCounter flushed;
  const pid_t child = ::fork();
  if (child == 0) {
    write_until_killed(make_sink, *flushed);
    ::_exit(0);
  }
  // Rows rather than time, so that slow machines (and sanitizers) get as far as others.
  std::mt19937 random(seed);
  const std::size_t most = seed % 4 == 0 ? 0 : 100;
  const std::size_t rows = std::uniform_int_distribution<std::size_t>(0, most)(random);
  constexpr unsigned a_while = 100;  // us
  for (int i = 0; *flushed < rows && i < 100'000; ++i) ::usleep(a_while);
  ::usleep(std::uniform_int_distribution<unsigned>(0, 1000)(random));
  ::kill(child, SIGKILL);
  int status = 0;
  ::waitpid(child, &status, 0);
  EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);

  // Killed before the file got its name: nothing may be there, but not half a file.
  if (!std::filesystem::exists(path)) {
    EXPECT_EQ((*flushed).load(), 0U);
    return 0;
  }
  const Table table = read(path);
  expect_samples(table, *flushed);
  EXPECT_EQ(table.outcome, Outcome::running);
  return table.rows();
}

TEST(InterruptedRun, Hdf5FileSurvivesSigkillAtAnyMoment) {
  std::size_t most = 0;
  for (unsigned seed = 0; seed < 200 && !::testing::Test::HasFailure(); ++seed) {
    const ScratchFolder folder;
    const Hdf5Options options{.rows_per_chunk = 1 + seed % 5, .flush_interval = 1e9};
    most = std::max(
        most, kill_at_random(
                  folder / "run.h5",
                  [&] { return std::make_unique<Hdf5Sink>(folder / "run.h5", options); }, seed));
  }
  EXPECT_GT(most, 64U);  // or the test has proved little
}

TEST(InterruptedRun, CsvFileSurvivesSigkillAtAnyMoment) {
  std::size_t most = 0;
  for (unsigned seed = 0; seed < 60 && !::testing::Test::HasFailure(); ++seed) {
    const ScratchFolder folder;
    most = std::max(most, kill_at_random(
                              folder / "run.csv",
                              [&] { return std::make_unique<CsvSink>(folder / "run.csv"); }, seed));
  }
  EXPECT_GT(most, 64U);
}

/// Runs `action` in a child whose files may not grow beyond `limit` bytes, as on a full disk. The
/// child's answer is its exit code.
template <typename Action>
int with_file_size_limit(rlim_t limit, Action action) {
  const pid_t child = ::fork();
  if (child == 0) {
    ::signal(SIGXFSZ, SIG_IGN);
    const rlimit bound{limit, limit};
    ::setrlimit(RLIMIT_FSIZE, &bound);
    ::_exit(action());
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/// 0 when the error came as promised: a RunError that names the file and a remedy.
int run_into_the_limit(Sink& sink,
                       const std::string& file_name,
                       std::atomic<std::size_t>& flushed) {
  sink.begin(sample_channels(columns), sample_information());
  try {
    for (std::size_t row = 0; row < 1000000; ++row) {
      append_samples(sink, row, row + 1, columns);
      sink.flush();
      flushed = row + 1;
    }
  } catch (const core::RunError& error) {
    const bool told = std::string(error.what()).find(file_name) != std::string::npos &&
                      error.remedy().find("readable") != std::string::npos;
    try {
      sink.finish(Outcome::failed, error.what(), {{"steps", 1.0}});
    } catch (const core::RunError&) {
      return told ? 0 : 3;
    }
    return 4;
  }
  return 5;
}

TEST(InterruptedRun, FullDiskLeavesAReadableHdf5File) {
  for (rlim_t limit = 30000; limit < 60000; limit += 777) {
    const ScratchFolder folder;
    SharedCounter flushed;
    const int answer = with_file_size_limit(limit, [&] {
      Hdf5Sink sink(folder / "run.h5", {.rows_per_chunk = 3, .flush_interval = 1e9});
      return run_into_the_limit(sink, "run.h5", *flushed);
    });
    ASSERT_EQ(answer, 0) << "limit " << limit;
    const Table table = read(folder / "run.h5");
    expect_samples(table, *flushed);
    // How the run ended could still be recorded.
    EXPECT_EQ(table.outcome, Outcome::failed);
    EXPECT_NE(table.message.find("cannot write"), std::string::npos) << table.message;
    EXPECT_EQ(table.statistics.at("steps"), 1.0);
  }
}

TEST(InterruptedRun, FullDiskLeavesWholeLinesOfCsv) {
  for (rlim_t limit = 3000; limit < 3200; limit += 7) {
    const ScratchFolder folder;
    SharedCounter flushed;
    const int answer = with_file_size_limit(limit, [&] {
      CsvSink sink(folder / "run.csv", {.flush_interval = 1e9});
      return run_into_the_limit(sink, "run.csv", *flushed);
    });
    ASSERT_EQ(answer, 0) << "limit " << limit;
    core::Diagnostics warnings;
    expect_samples(read(folder / "run.csv", {}, &warnings), *flushed);
    EXPECT_TRUE(warnings.list().empty());
  }
}

TEST(InterruptedRun, AFileThatCannotBeBegunLeavesTheOldOne) {
  const ScratchFolder folder;
  const std::string old = "\x89HDF\r\n\x1a\n precious trammel results";
  put(folder / "run.h5", old);
  const int answer = with_file_size_limit(1000, [&] {
    Hdf5Sink sink(folder / "run.h5", {.overwrite = true});
    try {
      sink.begin(sample_channels(columns), {});
    } catch (const core::RunError&) {
      return 0;
    }
    return 1;
  });
  EXPECT_EQ(answer, 0);
  EXPECT_EQ(contents_of(folder / "run.h5"), old);
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder.path()), {}), 1);
}

/// Other programs open what a killed run leaves behind, as it is.
class OtherReaders : public ::testing::Test {
 protected:
  void SetUp() override {
    const pid_t child = ::fork();
    if (child == 0) {
      Hdf5Sink sink(folder_ / "run.h5", {.rows_per_chunk = 5});
      sink.begin(sample_channels(600), sample_information());
      append_samples(sink, 0, 1234, 600);
      sink.flush();
      ::raise(SIGKILL);
    }
    int status = 0;
    ::waitpid(child, &status, 0);
  }

  int shell(const std::string& command) const { return std::system(command.c_str()); }

  ScratchFolder folder_;
};

TEST_F(OtherReaders, H5dump) {
  if (shell("command -v h5dump > /dev/null") != 0) GTEST_SKIP() << "h5dump is not installed";
  const std::string file = (folder_ / "run.h5").string();
  EXPECT_EQ(shell("h5dump " + file + " > " + (folder_ / "all.txt").string() + " 2> " +
                  (folder_ / "errors.txt").string()),
            0);
  EXPECT_EQ(contents_of(folder_ / "errors.txt"), "");
  const std::string text = contents_of(folder_ / "all.txt");
  EXPECT_NE(text.find("DATASPACE  SIMPLE { ( 1234, 600 ) / ( H5S_UNLIMITED, 600 ) }"),
            std::string::npos);
}

TEST_F(OtherReaders, H5py) {
  const std::string python = "/usr/bin/python3";
  if (shell(python + " -c 'import h5py' 2> /dev/null") != 0)
    GTEST_SKIP() << "h5py is not installed";
  put(folder_ / "check.py", R"(
import sys, h5py
with h5py.File(sys.argv[1]) as f:
    time, values = f["time"][:], f["values"][:]
    names = f["channels/name"].asstr()[:]
    assert time.shape == (1234,) and values.shape == (1234, 600), values.shape
    assert list(names[:2]) == ["body0.position.x", "body1.position.x"]
    assert f.attrs["method"] == b"generalized-alpha" and f.attrs["outcome"] == b"running"
    for row in range(1234):
        assert time[row] == 0.1 * row
        assert values[row, 599] == row * 7919 % 100003 / 7 + 599 / 3
# Opened for writing, the library itself goes on where the killed run stopped.
with h5py.File(sys.argv[1], "r+") as f:
    for name in "time", "values":
        f[name].resize(5000, axis=0)
        f[name][1234:] = 7.0
with h5py.File(sys.argv[1]) as f:
    assert f["values"][1233, 0] == values[1233, 0] and (f["values"][1234:] == 7.0).all()
)");
  EXPECT_EQ(
      shell(python + " " + (folder_ / "check.py").string() + " " + (folder_ / "run.h5").string()),
      0);
}

}  // namespace
}  // namespace trammel::results::interrupted_run_test
