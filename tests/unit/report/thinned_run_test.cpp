// Long runs are thinned out while they are read, and no peak is lost.
#include "trammel/report/thinned_run.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "support/scratch_folder.h"
#include <gtest/gtest.h>
#include <sys/resource.h>

#include "trammel/report/pack.h"
#include "trammel/report/thinning.h"
#include "trammel/results/hdf5_sink.h"
#include "trammel/results/reader.h"

namespace trammel::report {
namespace {

results::Table table_of(std::vector<double> column) {
  results::Table table;
  table.channels = {{"a.force", "N", "", ""}};
  for (std::size_t i = 0; i < column.size(); ++i) table.time.push_back(0.5 + 1e-3 * double(i));
  table.columns = {std::move(column)};
  return table;
}

TEST(ThinnedRun, KeepsASinglePeakAmongAMillion) {
  std::vector<double> column(1'000'000);
  for (std::size_t i = 0; i < column.size(); ++i) column[i] = std::sin(1e-4 * double(i));
  column[765'432] = 50.0;
  column[765'440] = -60.0;
  const ThinnedRun run = thinned(table_of(column), 2000 * sizeof(float));
  EXPECT_FALSE(run.whole);
  const std::vector<double>& few = run.samples.columns.at(0);
  ASSERT_EQ(few.size(), 2000u);
  EXPECT_EQ(*std::max_element(few.begin(), few.end()), 50.0);
  EXPECT_EQ(*std::min_element(few.begin(), few.end()), -60.0);
  // The peak comes before the trough.
  EXPECT_LT(std::find(few.begin(), few.end(), 50.0), std::find(few.begin(), few.end(), -60.0));
}

TEST(ThinnedRun, NonNumbersLoseAgainstNumbers) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  std::vector<double> column(1200, nan);
  column[3] = 2.0;
  column[7] = 1.0;
  const ThinnedRun run = thinned(table_of(column), 10 * sizeof(float));
  EXPECT_EQ(run.samples.columns.at(0).at(0), 2.0);
  EXPECT_EQ(run.samples.columns.at(0).at(1), 2.0);
  EXPECT_TRUE(std::isnan(run.samples.columns.at(0).at(400)));
}

TEST(ThinnedRun, TimesRiseFromTheFirstToTheLast) {
  const results::Table table = table_of(std::vector<double>(1501));
  const ThinnedRun run = thinned(table, 600 * sizeof(float));
  EXPECT_EQ(run.samples.time.size(), run.samples.columns.at(0).size());
  EXPECT_EQ(run.samples.time.front(), table.time.front());
  EXPECT_EQ(run.samples.time.back(), table.time.back());
  EXPECT_TRUE(std::is_sorted(run.samples.time.begin(), run.samples.time.end()));
}

class ThinnedFile : public ::testing::Test {
 protected:
  void write(std::size_t rows, std::size_t bodies) {
    results::Hdf5Sink sink(path_);
    std::vector<results::Channel> channels;
    for (std::size_t i = 0; i < bodies; ++i) {
      for (const char* part : {".position.x", ".angle", ".acceleration.x"}) {
        channels.push_back({"body" + std::to_string(i) + part, "m", "", ""});
      }
    }
    channels.push_back({"energy.total", "J", "", ""});
    sink.begin(channels, {});
    std::vector<double> row(channels.size());
    for (std::size_t k = 0; k < rows; ++k) {
      for (std::size_t i = 0; i < row.size(); ++i) row[i] = std::sin(double(k * (i + 1)));
      sink.append(1e-3 * double(k), row.data());
    }
    sink.finish(results::Outcome::completed, "", {});
  }

  support::ScratchFolder folder_;
  std::filesystem::path path_ = folder_ / "run.h5";
};

TEST_F(ThinnedFile, GivesTheSameAsTheTableInMemory) {
  write(3000, 4);
  const results::Table table = results::read(path_);
  for (const std::size_t numbers : {100'000u, 20'000u, 9'000u, 3'000u}) {
    const Pack from_file = make_pack(read_thinned(path_, nullptr, numbers * sizeof(float)));
    const Pack from_table = make_pack(table, {}, {.budget = numbers * sizeof(float)});
    EXPECT_EQ(from_file.header, from_table.header);
    EXPECT_EQ(from_file.bytes, from_table.bytes);
  }
  const ThinnedRun part = read_thinned(path_, nullptr, 3000 * sizeof(float));
  EXPECT_EQ(part.rows, 3000u);
  EXPECT_GT(part.left_out, 0u);
}

TEST_F(ThinnedFile, SpreadRowsAreThoseOfTheTable) {
  write(1000, 2);
  const results::Table table = results::read(path_);
  const results::Table few = read_spread(path_, 7, false);
  const std::vector<std::size_t> rows = spread_rows(1000, 7);
  ASSERT_EQ(few.rows(), 7u);
  for (std::size_t k = 0; k < rows.size(); ++k) {
    EXPECT_EQ(few.time[k], table.time[rows[k]]);
    for (std::size_t i = 0; i < table.columns.size(); ++i) {
      EXPECT_EQ(few.columns[i][k], table.columns[i][rows[k]]);
    }
  }
  EXPECT_EQ(read_spread(path_, 7, true).channels.size(), 4u);
}

TEST_F(ThinnedFile, TakesNoMoreMemoryThanItsBudget) {
  // 160 MB of numbers, thinned to 2 MB.
  write(200'000, 33);
  const auto most_memory = [] {
    rusage usage{};
    ::getrusage(RUSAGE_SELF, &usage);
    return usage.ru_maxrss;  // kB
  };
  const long before = most_memory();
  const ThinnedRun run = read_thinned(path_, nullptr, 2'000'000);
  EXPECT_EQ(run.rows, 200'000u);
  // The samples are 4 MB as doubles; a block of rows has 4 MB, chunks and the skeleton little.
  EXPECT_LT(most_memory() - before, 40'000);
}

}  // namespace
}  // namespace trammel::report
