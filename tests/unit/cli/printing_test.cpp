// Whatever becomes of standard output and error: no command crashes, results are not lost, and the
// exit code is one of those that are documented.
#include "command_line.h"
#include <gtest/gtest.h>

#include "trammel/results/reader.h"

namespace trammel::cli::testing {
namespace {

using Words = std::vector<std::string>;

/// A device that is always full.
void fill(int stream) {
  ::dup2(::open("/dev/full", O_WRONLY), stream);
}

/// A pipe whose reader has gone.
void orphan(int stream) {
  int ends[2] = {-1, -1};
  if (::pipe(ends) != 0) ::_exit(126);
  ::close(ends[0]);
  ::dup2(ends[1], stream);
}

class Printing : public ::testing::Test {
 protected:
  void SetUp() override {
    ASSERT_EQ(folder_.run({"new", "pendulum"}).code, 0);
    ASSERT_EQ(folder_.run({"run", "pendulum.yaml", "-u", "0.1 s", "-o", "run.h5"}).code, 0);
    // The described position is far from one that fits: a warning.
    folder_.put("far.yaml",
                "trammel: 1\nspace: planar\ngravity: [0, -9.81]\n"
                "bodies: {bob: {kind: point, mass: 1 kg, position: [-3, 0]}}\n"
                "joints: {rod: {type: distance, between: [ground, bob], length: 1 m}}\n"
                "simulation: {until: 0.1 s, step: 5 ms, output_step: 5 ms}\n");
  }

  /// Each prints something on standard output; the last ones only on standard error.
  const std::vector<Words> talkative_{
      {"run", "pendulum.yaml", "-u", "0.1 s", "-f"},
      {"run", "far.yaml", "-f"},
      {"check", "pendulum.yaml"},
      {"statics", "pendulum.yaml", "-f"},
      {"compare", "pendulum.yaml", "-m", "newmark", "--index", "3", "--step", "20 ms", "-u",
       "0.1 s", "--stabilisation", "none", "-f"},
      {"list"},
      {"schema"},
      {"info"},
      {"info", "run.h5"},
      {"info", "pendulum.yaml"},
      {"export", "run.h5", "-o", "-"},
      {"export", "run.h5", "--summary"},
      {"export", "run.h5", "-o", "out.csv", "-f"},
      {"report", "run.h5", "-f"},
      {"plot", "run.h5", "rod.angle", "-f"},
      {"format", "pendulum.yaml"},
      {"completion", "bash"},
      {"new"},
      {"help", "run"},
      {"--version"},
  };
  const std::vector<Words> wrong_{
      {"check", "nowhere.yaml"}, {"frobnicate"}, {"run", "pendulum.yaml", "--untill", "1"}};

  Folder folder_;
};

TEST_F(Printing, OfOutputThatCannotBeWrittenIsAFailureAndNoCrash) {
  for (const Words& words : talkative_) {
    const Answer answer = folder_.wait(folder_.start(words, [] { fill(STDOUT_FILENO); }));
    EXPECT_EQ(answer.code, 1) << words[0] << " signal " << answer.signal << answer.err;
    EXPECT_TRUE(contains(answer.err, "standard output could not be written: No space left"))
        << words[0] << answer.err;
  }
}

TEST_F(Printing, OfMessagesThatCannotBeWrittenChangesNothing) {
  for (const auto* list : {&talkative_, &wrong_}) {
    for (const Words& words : *list) {
      const Answer answer = folder_.wait(folder_.start(words, [] { fill(STDERR_FILENO); }));
      EXPECT_EQ(answer.code, list == &wrong_ ? 2 : 0) << words[0] << " signal " << answer.signal;
    }
  }
  EXPECT_TRUE(std::filesystem::exists(folder_ / "far.html"));
}

TEST_F(Printing, ToPipesThatNobodyReadsIsAFailureWithoutAWord) {
  for (const Words& words : talkative_) {
    const Answer answer = folder_.wait(folder_.start(words, [] { orphan(STDOUT_FILENO); }));
    EXPECT_EQ(answer.code, 1) << words[0] << " signal " << answer.signal;
    EXPECT_FALSE(contains(answer.err, "error: ")) << words[0] << answer.err;
  }
  for (const auto* list : {&talkative_, &wrong_}) {
    for (const Words& words : *list) {
      const Answer answer = folder_.wait(folder_.start(words, [] {
        orphan(STDOUT_FILENO);
        orphan(STDERR_FILENO);
      }));
      EXPECT_EQ(answer.code, list == &wrong_ ? 2 : 1) << words[0] << " signal " << answer.signal;
    }
  }
}

TEST_F(Printing, LosesNoResults) {
  for (const auto& spoil : {fill, orphan}) {
    for (const char* name : {"far.h5", "far.html"}) std::filesystem::remove(folder_ / name);
    const Answer answer = folder_.wait(folder_.start({"run", "far.yaml"}, [&] {
      spoil(STDOUT_FILENO);
      spoil(STDERR_FILENO);
    }));
    EXPECT_EQ(answer.code, 1) << answer.signal;
    EXPECT_EQ(results::read(folder_ / "far.h5").outcome, results::Outcome::completed);
    EXPECT_TRUE(std::filesystem::exists(folder_ / "far.html"));
  }
}

}  // namespace
}  // namespace trammel::cli::testing
