#include "trammel/results/table.h"

#include "scratch.h"
#include <gtest/gtest.h>

#include "trammel/core/diagnostic.h"
#include "trammel/results/memory_sink.h"

namespace trammel::results {
namespace {

using namespace testing;

Table small_table() {
  MemorySink sink;
  sink.begin({{"crank.position.x", "m", "world", ""},
              {"crank.position.y", "m", "world", ""},
              {"crank.angle", "rad", "", ""},
              {"rod.position.x", "m", "world", ""},
              {"energy.kinetic", "J", "", ""}},
             sample_information());
  append_samples(sink, 0, 4, 5);
  sink.finish(Outcome::completed, "done", {{"steps", 4.0}});
  return sink.take();
}

// Rows go to the columns in blocks; at any time all of them are there.
TEST(MemorySink, KeepsManyRowsInOrder) {
  MemorySink sink;
  sink.begin({{.name = "a"}, {.name = "b"}}, {});
  for (int i = 0; i < 1000; ++i) {
    const double row[] = {2.0 * i, -1.0 * i};
    sink.append(0.1 * i, row);
    if (i == 300) {
      EXPECT_EQ(sink.table().columns[1].back(), -300.0);
    }
  }
  const Table table = sink.take();
  ASSERT_EQ(table.rows(), 1000u);
  for (std::size_t i = 0; i < 1000; ++i) {
    EXPECT_EQ(table.columns[0][i], 2.0 * double(i));
    EXPECT_EQ(table.columns[1][i], -1.0 * double(i));
  }
}

TEST(MemorySink, KeepsEverything) {
  const Table table = small_table();
  EXPECT_EQ(table.rows(), 4U);
  EXPECT_EQ(table.info, sample_information());
  EXPECT_EQ(table.outcome, Outcome::completed);
  EXPECT_EQ(table.message, "done");
  EXPECT_EQ(table.statistics.at("steps"), 4.0);
  EXPECT_EQ(table.column("crank.angle")[3], sample(3, 2));
  EXPECT_EQ(table.column(4)[1], sample(1, 4));
  EXPECT_EQ(table.column("time")[2], sample_time(2));
}

TEST(Table, WritesItselfIntoASink) {
  const Table table = small_table();
  MemorySink copy;
  write(table, copy);
  EXPECT_EQ(copy.table().columns, table.columns);
  EXPECT_EQ(copy.table().time, table.time);
  EXPECT_EQ(copy.table().channels, table.channels);
  EXPECT_EQ(copy.table().outcome, table.outcome);
}

TEST(Table, NamesTheNearestChannel) {
  const Table table = small_table();
  EXPECT_EQ(table.find("rod.position.x"), 3U);
  const std::string message =
      message_of<core::InputError>([&] { table.column("crank.positon.x"); });
  EXPECT_NE(message.find("no channel 'crank.positon.x'"), std::string::npos) << message;
  EXPECT_NE(message.find("did you mean 'crank.position.x'?"), std::string::npos) << message;
}

TEST(Table, SelectsByPatternInTheOrderAskedForAndOnce) {
  const Table table = small_table();
  using Indices = std::vector<std::size_t>;
  EXPECT_EQ(table.select({"crank.*"}), (Indices{0, 1, 2}));
  EXPECT_EQ(table.select({"*.x", "crank.*"}), (Indices{0, 3, 1, 2}));
  EXPECT_EQ(table.select({"energy.kinetic", "*"}), (Indices{4, 0, 1, 2, 3}));
  EXPECT_EQ(table.select({"crank.position.?"}), (Indices{0, 1}));
}

TEST(Table, TellsEveryUnknownNameAtOnce) {
  const Table table = small_table();
  const std::string message = message_of<core::InputError>([&] {
    table.select({"crank.*", "wheel.*", "rod.position.X"});
  });
  EXPECT_NE(message.find("no channel matches 'wheel.*'"), std::string::npos) << message;
  EXPECT_NE(message.find("did you mean 'rod.position.x'?"), std::string::npos) << message;
}

TEST(Matches, UnderstandsStarsAndQuestionMarks) {
  EXPECT_TRUE(matches("", ""));
  EXPECT_TRUE(matches("*", ""));
  EXPECT_TRUE(matches("a*c*", "abcbcd"));
  EXPECT_TRUE(matches("*.x", "a.b.x"));
  EXPECT_TRUE(matches("**a", "ba"));
  EXPECT_FALSE(matches("a", "ab"));
  EXPECT_FALSE(matches("ab", "a"));
  EXPECT_FALSE(matches("a?", "a"));
  EXPECT_FALSE(matches("*.x", "a.xy"));
  // Many stars against a long name that does not match must not take for ever.
  EXPECT_FALSE(matches("*a*a*a*a*a*a*a*a*a*a*b", std::string(5000, 'a')));
}

TEST(Matches, KnowsBeginningsThatLeadNowhere) {
  EXPECT_TRUE(may_match("crank.position.x", "crank"));
  EXPECT_TRUE(may_match("c?ank.*", "crank"));
  EXPECT_TRUE(may_match("*", "rod"));
  EXPECT_TRUE(may_match("r*.x", "rod.position"));
  EXPECT_TRUE(may_match("crank", "crank"));
  EXPECT_FALSE(may_match("crank.*", "rod"));
  EXPECT_FALSE(may_match("c?ank.*", "chunk"));
  EXPECT_FALSE(may_match("crank", "crank.position"));
}

TEST(Outcome, HasANameThatReadsBack) {
  for (const Outcome outcome :
       {Outcome::running, Outcome::completed, Outcome::stopped, Outcome::failed}) {
    EXPECT_EQ(outcome_from_string(to_string(outcome)), outcome);
  }
  EXPECT_EQ(outcome_from_string("nonsense"), Outcome::running);
}

}  // namespace
}  // namespace trammel::results
