#include "trammel/results/csv_sink.h"

#include <cmath>
#include <cstring>
#include <limits>
#include <random>
#include <sstream>

#include "scratch.h"
#include <gtest/gtest.h>

#include "trammel/core/diagnostic.h"
#include "trammel/results/csv/csv_reader.h"
#include "trammel/results/csv/csv_text.h"
#include "trammel/results/csv/line_reader.h"
#include "trammel/results/reader.h"

namespace trammel::results {
namespace {

using namespace testing;

TEST(CsvSink, LooksAsDescribed) {
  std::ostringstream text;
  CsvSink sink(text);
  sink.begin({{"crank.angle", "rad", "", "turn of the crank"}, {"pin.force.x", "N", "world", ""}},
             {"crank", "", "generalized-alpha", "trammel", "now", {}});
  const double first[] = {0.1, -2.0};
  const double second[] = {1e300, 1.0 / 3.0};
  sink.append(0.0, first);
  sink.append(0.001, second);
  sink.finish(Outcome::completed, "", {{"steps", 1.0}});
  EXPECT_EQ(text.str(),
            "time,crank.angle,pin.force.x\n"
            "# trammel results: 1\n"
            "# units: s,rad,N\n"
            "# frames: ,,world\n"
            "# descriptions: ,turn of the crank,\n"
            "# info: model_name,crank\n"
            "# info: method,generalized-alpha\n"
            "# info: software,trammel\n"
            "# info: started,now\n"
            "0,0.1,-2\n"
            "0.001,1e+300,0.3333333333333333\n"
            "# statistic: steps,1\n"
            "# message: \n"
            "# outcome: completed\n");
}

TEST(CsvSink, GivesBackWhatWasWritten) {
  const ScratchFolder folder;
  std::vector<Channel> channels = sample_channels(4);
  channels[1] = {R"(odd, "name" \ #2)", "m/s^2", "body", "with\nline break and , comma"};
  CsvSink sink(folder / "run.csv");
  sink.begin(channels, sample_information());
  append_samples(sink, 0, 3000, 4);
  sink.finish(Outcome::failed, "step 17: no, \"not\" converged\ntry less", {{"steps", 3e3}});

  core::Diagnostics warnings;
  const Table table = read(folder / "run.csv", {}, &warnings);
  EXPECT_TRUE(warnings.list().empty());
  EXPECT_EQ(table.channels, channels);
  EXPECT_EQ(table.info, sample_information());
  EXPECT_EQ(table.outcome, Outcome::failed);
  EXPECT_EQ(table.message, "step 17: no, \"not\" converged\ntry less");
  EXPECT_EQ(table.statistics.at("steps"), 3e3);
  ASSERT_EQ(table.rows(), 3000U);
  for (std::size_t row = 0; row < 3000; ++row) {
    ASSERT_EQ(table.time[row], sample_time(row));
    for (std::size_t i = 0; i < 4; ++i) ASSERT_EQ(table.columns[i][row], sample(row, i));
  }
}

TEST(CsvSink, ReadsBackEveryBitOfEveryNumber) {
  const ScratchFolder folder;
  std::mt19937_64 random(1);
  std::vector<double> numbers{0.0, -0.0, std::numeric_limits<double>::infinity(),
                              std::numeric_limits<double>::denorm_min(),
                              std::numeric_limits<double>::max()};
  while (numbers.size() < 2000) {
    const std::uint64_t bits = random();
    double number = 0.0;
    std::memcpy(&number, &bits, sizeof number);
    if (!std::isnan(number)) numbers.push_back(number);
  }
  CsvSink sink(folder / "run.csv");
  sink.begin(sample_channels(1), {});
  for (const double number : numbers) sink.append(0.0, &number);
  const double nan = std::numeric_limits<double>::quiet_NaN();
  sink.append(0.0, &nan);
  sink.finish(Outcome::completed, "", {});
  const Table table = read(folder / "run.csv");
  ASSERT_EQ(table.rows(), numbers.size() + 1);
  EXPECT_EQ(std::memcmp(table.columns[0].data(), numbers.data(), numbers.size() * sizeof(double)),
            0);
  EXPECT_TRUE(std::isnan(table.columns[0].back()));
}

TEST(CsvReader, LeavesOutALastLineThatWasCutShort) {
  const ScratchFolder folder;
  put(folder / "run.csv", "time,a\n# trammel results: 1\n# units: s,m\n0,1\n1,2\n2,3.25");
  core::Diagnostics warnings;
  const Table table = read(folder / "run.csv", {}, &warnings);
  EXPECT_EQ(table.columns[0], (std::vector<double>{1.0, 2.0}));
  EXPECT_EQ(table.outcome, Outcome::running);
  ASSERT_EQ(warnings.list().size(), 1U);
  EXPECT_EQ(warnings.list()[0].severity, core::Severity::warning);
  EXPECT_EQ(warnings.list()[0].line, 6);
}

// The beginning of one's own memory, which nobody can read.
TEST(CsvReader, TellsAnErrorOfReadingFromTheEndOfTheFile) {
  const std::string told =
      message_of<core::InputError>([] { csv::read_csv("/proc/self/mem", {}, nullptr); });
  EXPECT_NE(told.find("cannot be read: Input/output error"), std::string::npos) << told;
}

TEST(CsvReader, GivesLinesLongerThanWhatItReadsAtOnce) {
  const ScratchFolder folder;
  const std::string longer(200'000, 'x');
  put(folder / "lines", longer + "\n\n" + longer + "!\nend");
  csv::LineReader lines(folder / "lines");
  std::vector<std::string> found;
  while (lines.next()) {
    found.push_back(lines.line());
    EXPECT_EQ(lines.is_whole(), found.back() != "end");
  }
  EXPECT_EQ(found, (std::vector<std::string>{longer, "", longer + "!", "end"}));
}

// Whoever moves results during a run gets them whole under their new name, and is told.
TEST(CsvSink, IsCompleteUnderAnotherNameToo) {
  const ScratchFolder folder;
  CsvSink sink(folder / "a.csv");
  sink.begin(sample_channels(2), sample_information());
  append_samples(sink, 0, 5, 2);
  std::filesystem::rename(folder / "a.csv", folder / "b.csv");
  EXPECT_THROW(sink.finish(Outcome::completed, "", {}), FileMoved);
  const Table table = read(folder / "b.csv");
  EXPECT_EQ(table.rows(), 5U);
  EXPECT_EQ(table.outcome, Outcome::completed);
}

TEST(CsvReader, ReadsPlainCsvOfOthers) {
  const ScratchFolder folder;
  put(folder / "plain.csv", "time,a,b\r\n0, 1,2\r\n1,3 ,4");
  const Table table = read(folder / "plain.csv", {"b"});
  EXPECT_EQ(table.time, (std::vector<double>{0.0, 1.0}));
  ASSERT_EQ(table.columns.size(), 1U);
  EXPECT_EQ(table.columns[0], (std::vector<double>{2.0, 4.0}));
}

TEST(CsvReader, TellsWhereAMistakeIs) {
  const ScratchFolder folder;
  put(folder / "run.csv", "time,a\n0,1\n1,one\n");
  std::string message = message_of<core::InputError>([&] { read(folder / "run.csv"); });
  EXPECT_NE(message.find("run.csv:3:2: error: 'one' in column 2"), std::string::npos) << message;
  put(folder / "run.csv", "time,a\n0,1\n1,2,3\n");
  message = message_of<core::InputError>([&] { read(folder / "run.csv"); });
  EXPECT_NE(message.find("3 fields, the heading has 2"), std::string::npos) << message;
  put(folder / "run.csv", "hello: world\n");
  message = message_of<core::InputError>([&] { read(folder / "run.csv"); });
  EXPECT_NE(message.find("not 'time'"), std::string::npos) << message;
}

TEST(CsvSink, RefusesAnExistingFileUnlessToldOtherwise) {
  const ScratchFolder folder;
  put(folder / "run.csv", "time,precious\n");
  EXPECT_THROW(CsvSink(folder / "run.csv"), core::InputError);
  EXPECT_THROW(CsvSink(folder / "run.csv", {.overwrite = true}), core::InputError);
  EXPECT_EQ(contents_of(folder / "run.csv"), "time,precious\n");
  put(folder / "run.csv", "time,old\n# trammel results: 1\n");
  EXPECT_THROW(CsvSink(folder / "run.csv"), core::InputError);
  CsvSink sink(folder / "run.csv", {.overwrite = true});
  sink.begin(sample_channels(1), {});
  sink.finish(Outcome::completed, "", {});
  EXPECT_EQ(read(folder / "run.csv").outcome, Outcome::completed);
}

TEST(CsvSink, ComplainsAboutAStreamThatFails) {
  std::ostringstream text;
  CsvSink sink(text);
  sink.begin(sample_channels(1), {});
  text.setstate(std::ios::badbit);
  append_samples(sink, 0, 1, 1);
  EXPECT_THROW(sink.flush(), core::RunError);
}

TEST(CsvText, SplitsWhatItJoins) {
  const std::vector<std::string> fields{"", "plain", "a,b", "\"", "\\n", "line\nbreak", " x ", ""};
  EXPECT_EQ(csv::split(csv::join(fields)), fields);
  EXPECT_EQ(csv::join(fields).find('\n'), std::string::npos);
}

TEST(CsvText, HoldsNoFormulasOfSpreadsheets) {
  const std::vector<std::string> fields{
      "=1+1", "@SUM(A1)", "+cmd|' /C calc'!A0", "-x.position", "\tx", "=\\=", "-"};
  for (const std::string& field : fields) {
    const std::string line = csv::join({field});
    EXPECT_EQ(line.substr(0, 2), "\"\\") << line;
    EXPECT_EQ(csv::split(line), std::vector<std::string>{field});
  }
  EXPECT_EQ(csv::split(csv::join(fields)), fields);
  // Numbers stay numbers.
  for (const char* number : {"-1.5", "-2e-300", "-inf", "-nan"}) {
    EXPECT_EQ(csv::join({number}), number);
  }
}

}  // namespace
}  // namespace trammel::results
