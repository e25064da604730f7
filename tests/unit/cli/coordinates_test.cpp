// Relative coordinates and the topology of a model from the command line.
#include "command_line.h"
#include <gtest/gtest.h>

#include "trammel/results/reader.h"

namespace trammel::cli::testing {
namespace {

class RelativeCoordinates : public ::testing::Test {
 protected:
  void SetUp() override { ASSERT_EQ(folder_.run({"new", "four_bar"}).code, 0); }
  Folder folder_;
};

TEST_F(RelativeCoordinates, GiveTheSameChannels) {
  const Answer first = folder_.run({"run", "four_bar.yaml", "-u", "0.1 s", "-o", "a.h5"});
  const Answer second = folder_.run(
      {"run", "four_bar.yaml", "-u", "0.1 s", "-o", "b.h5", "--coordinates", "relative"});
  EXPECT_EQ(first.code, 0) << first.err;
  EXPECT_EQ(second.code, 0) << second.err;
  EXPECT_TRUE(contains(second.out, "relative coordinates")) << second.out;
  const results::Table a = results::read(folder_ / "a.h5");
  const results::Table b = results::read(folder_ / "b.h5");
  ASSERT_EQ(a.channels.size(), b.channels.size());
  for (std::size_t i = 0; i < a.channels.size(); ++i) {
    EXPECT_EQ(a.channels[i].name, b.channels[i].name);
  }
}

TEST_F(RelativeCoordinates, AutomaticChoiceSaysWhy) {
  const Answer answer =
      folder_.run({"run", "four_bar.yaml", "-u", "0.01 s", "--coordinates", "auto"});
  EXPECT_EQ(answer.code, 0) << answer.err;
  EXPECT_TRUE(contains(answer.out, "relative coordinates were chosen")) << answer.out;
  EXPECT_TRUE(contains(answer.out, "operations")) << answer.out;
}

TEST_F(RelativeCoordinates, UnknownNameIsWrongInput) {
  const Answer answer = folder_.run({"run", "four_bar.yaml", "--coordinates", "relativ"});
  EXPECT_EQ(answer.code, 2);
  EXPECT_TRUE(contains(answer.err, "did you mean 'relative'?")) << answer.err;
}

TEST_F(RelativeCoordinates, TopologyAsTextAndPictures) {
  const Answer text = folder_.run({"info", "four_bar.yaml", "--topology"});
  EXPECT_EQ(text.code, 0) << text.err;
  for (const char* part : {"3 bodies, 4 joints", "1 cut joint", "Tree matrix", "auto would take"}) {
    EXPECT_TRUE(contains(text.out, part)) << part << "\n" << text.out;
  }
  const Answer dot = folder_.run({"info", "four_bar.yaml", "--dot"});
  EXPECT_EQ(dot.out.rfind("digraph", 0), 0u) << dot.out;
  const Answer svg = folder_.run({"info", "four_bar.yaml", "--svg"});
  EXPECT_EQ(svg.out.rfind("<svg", 0), 0u) << svg.out;
}

}  // namespace
}  // namespace trammel::cli::testing
