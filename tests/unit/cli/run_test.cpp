// trammel run: results, values from the command line, refusals.
#include <cmath>

#include "command_line.h"
#include <gtest/gtest.h>

#include "trammel/results/reader.h"

namespace trammel::cli::testing {
namespace {

class Run : public ::testing::Test {
 protected:
  void SetUp() override { ASSERT_EQ(folder_.run({"new", "pendulum"}).code, 0); }
  Folder folder_;
};

TEST_F(Run, WritesResultsAndSaysWhatHappened) {
  const Answer answer = folder_.run({"run", "pendulum.yaml", "--until", "0.5 s"});
  EXPECT_EQ(answer.code, 0);
  EXPECT_EQ(answer.err, "");
  for (const char* part : {"pendulum", "freedoms", "redundant", "method", "constraints", "energy",
                           "results: pendulum.h5", "trammel plot pendulum.h5 pin.angle"}) {
    EXPECT_TRUE(contains(answer.out, part)) << part << "\n" << answer.out;
  }
  const results::Table table = results::read(folder_ / "pendulum.h5");
  EXPECT_EQ(table.outcome, results::Outcome::completed);
  EXPECT_EQ(table.rows(), 51u);  // 0, 10 ms, ... 0.5 s
  EXPECT_TRUE(contains(table.info.model_text, "name: pendulum"));
  EXPECT_TRUE(contains(table.info.software, "trammel "));
}

TEST_F(Run, EstimatesItsErrorAndDoubtsNothing) {
  const Answer answer = folder_.run({"run", "pendulum.yaml", "--strict"});
  EXPECT_EQ(answer.code, 0) << answer.err;
  EXPECT_EQ(answer.err, "");
  EXPECT_TRUE(contains(answer.out, "rad or model sizes in positions, by a second run with twice"))
      << answer.out;
  EXPECT_TRUE(contains(answer.out, "no doubts")) << answer.out;
  const results::Table table = results::read(folder_ / "pendulum.h5");
  EXPECT_EQ(table.info.more.at("doubts"), "[]");
  EXPECT_GT(table.statistics.at("error_estimate"), 0.0);
  const Answer none = folder_.run({"run", "pendulum.yaml", "--no-estimate", "-f"});
  EXPECT_TRUE(contains(none.out, "no estimate: no second run was made")) << none.out;
}

TEST_F(Run, CertifiesEveryChannel) {
  const Answer answer = folder_.run({"run", "pendulum.yaml", "--until", "1 s", "--certify"});
  EXPECT_EQ(answer.code, 0) << answer.err;
  EXPECT_TRUE(contains(answer.out, "certified       all channels: ")) << answer.out;
  EXPECT_TRUE(contains(answer.out, "or better until 1 s (weakest: ")) << answer.out;
  const results::Table table = results::read(folder_ / "pendulum.h5");
  EXPECT_TRUE(contains(table.info.more.at("certificate"), "all channels: "));
  EXPECT_GT(table.column("pin.angle.band").back(), 0.0);
  EXPECT_FALSE(table.contains("solver.steps.band"));
}

// Steps of 1 s where 1 ms was meant.
TEST_F(Run, WarnsOfDoubtfulResultsAndWithStrictSaysSoInItsExitCode) {
  const Answer plain = folder_.run({"run", "pendulum.yaml", "--step", "1", "--output-step", "1"});
  EXPECT_EQ(plain.code, 0);
  EXPECT_TRUE(contains(plain.err, "warning: accuracy: ")) << plain.err;
  EXPECT_TRUE(contains(plain.err, "try a smaller step")) << plain.err;
  const Answer strict = folder_.run(
      {"run", "pendulum.yaml", "--step", "1", "--output-step", "1", "--strict", "-f", "-q"});
  EXPECT_EQ(strict.code, 3);
  EXPECT_TRUE(contains(strict.err, "warning: ")) << strict.err;
  const results::Table table = results::read(folder_ / "pendulum.h5");
  EXPECT_TRUE(contains(table.info.more.at("doubts"), "accuracy")) << table.info.more.at("doubts");
  EXPECT_TRUE(contains(table.info.more.at("warnings"), "accuracy"));
  EXPECT_GT(table.statistics.at("doubts"), 0.0);
}

TEST_F(Run, PendulumSpeedFollowsFromItsEnergy) {
  ASSERT_EQ(folder_.run({"run", "pendulum.yaml", "--until", "0.5 s"}).code, 0);
  const results::Table table = results::read(folder_ / "pendulum.h5");
  // A rod of length L about its end: (m L^2 / 3) w^2 / 2 = m g L/2 sin(fall), independent of m.
  // The integrator is of second order: with h = 1 ms its error is below 1e-5 here.
  const double fall = -table.column("rod.angle").back();
  const double speed = table.column("rod.angular_velocity").back();
  EXPECT_NEAR(speed * speed, 3.0 * 9.81 * std::sin(fall), 1e-4 * speed * speed);
}

TEST_F(Run, SetChangesParametersAndValues) {
  ASSERT_EQ(folder_
                .run({"run", "pendulum.yaml", "-s", "length=2 m", "--set", "simulation.until=0.1 s",
                      "-o", "long.h5"})
                .code,
            0);
  const results::Table table = results::read(folder_ / "long.h5");
  EXPECT_EQ(table.column("rod.position.x").front(), 1.0);  // half of the length
  EXPECT_NEAR(table.time.back(), 0.1, 1e-12);
  EXPECT_TRUE(contains(table.info.more.at("set"), "length=2 m"));
}

TEST_F(Run, SetOfUnknownNameOrWrongUnitIsWrongInput) {
  const Answer name = folder_.run({"run", "pendulum.yaml", "--set", "lenght=2 m"});
  EXPECT_EQ(name.code, 2);
  EXPECT_TRUE(contains(name.err, "did you mean 'length'?")) << name.err;
  const Answer unit = folder_.run({"run", "pendulum.yaml", "--until", "3 kg"});
  EXPECT_EQ(unit.code, 2);
  EXPECT_TRUE(contains(unit.err, "--until 3 kg: error:")) << unit.err;
  const Answer word = folder_.run({"run", "pendulum.yaml", "--set", "length"});
  EXPECT_EQ(word.code, 2);
  EXPECT_TRUE(contains(word.err, "name=value")) << word.err;
  EXPECT_FALSE(std::filesystem::exists(folder_ / "pendulum.h5"));
}

TEST_F(Run, UnknownMethodNamesTheNearest) {
  const Answer answer = folder_.run({"run", "pendulum.yaml", "--method", "generalized-alfa"});
  EXPECT_EQ(answer.code, 2);
  EXPECT_TRUE(contains(answer.err, "generalized-alpha")) << answer.err;
}

TEST_F(Run, ToleranceIsTheRelativeAndTheAbsoluteOne) {
  const Answer answer =
      folder_.run({"run", "pendulum.yaml", "-m", "bdf", "--tolerance", "1e-8", "-o", "a.h5"});
  EXPECT_EQ(answer.code, 0) << answer.err;
  EXPECT_TRUE(contains(answer.out, "absolute_tolerance 1e-08, relative_tolerance 1e-08"))
      << answer.out;
}

TEST_F(Run, ToleranceOfAMethodWithoutOneIsWrongInput) {
  const Answer answer = folder_.run({"run", "pendulum.yaml", "-m", "rk4", "--tolerance", "1e-8"});
  EXPECT_EQ(answer.code, 2);
  EXPECT_TRUE(contains(answer.err, "rk4 has no tolerance")) << answer.err;
  EXPECT_TRUE(contains(answer.err, "dormand-prince, adams, bdf")) << answer.err;
}

TEST_F(Run, ToleranceAloneChoosesTheMethodAndSaysWhy) {
  const Answer answer = folder_.run({"run", "pendulum.yaml", "--tolerance", "1e-5", "-o", "b.h5"});
  EXPECT_EQ(answer.code, 0) << answer.err;
  EXPECT_TRUE(contains(answer.out, "tolerance 1e-05: nothing is much faster")) << answer.out;
}

TEST_F(Run, ExistingFileIsLeftByteForByteUnlessForced) {
  ASSERT_EQ(folder_.run({"run", "pendulum.yaml", "--until", "0.2 s"}).code, 0);
  const std::string precious = contents_of(folder_ / "pendulum.h5");
  const Answer refused = folder_.run({"run", "pendulum.yaml", "--until", "0.1 s"});
  EXPECT_EQ(refused.code, 2);
  EXPECT_TRUE(contains(refused.err, "pendulum.h5")) << refused.err;
  EXPECT_TRUE(contains(refused.err, "--force")) << refused.err;
  EXPECT_EQ(contents_of(folder_ / "pendulum.h5"), precious);

  const Answer forced = folder_.run({"run", "pendulum.yaml", "--until", "0.1 s", "--force"});
  EXPECT_EQ(forced.code, 0) << forced.err;
  EXPECT_EQ(results::read(folder_ / "pendulum.h5").rows(), 11u);
}

TEST_F(Run, OutputWithAnotherEndingIsRefused) {
  const std::string model = contents_of(folder_ / "pendulum.yaml");
  const Answer answer = folder_.run({"run", "pendulum.yaml", "-o", "pendulum.yaml", "--force"});
  EXPECT_EQ(answer.code, 2);
  EXPECT_TRUE(contains(answer.err, ".h5")) << answer.err;
  EXPECT_EQ(contents_of(folder_ / "pendulum.yaml"), model);
}

TEST_F(Run, CsvAndHdf5HoldTheSameNumbers) {
  ASSERT_EQ(folder_.run({"run", "pendulum.yaml", "-u", "0.1 s", "-o", "a.h5"}).code, 0);
  ASSERT_EQ(folder_.run({"run", "pendulum.yaml", "-u", "0.1 s", "-o", "b.csv"}).code, 0);
  const results::Table h5 = results::read(folder_ / "a.h5");
  const results::Table csv = results::read(folder_ / "b.csv");
  EXPECT_EQ(h5.channels, csv.channels);
  EXPECT_EQ(h5.column("rod.position.x").back(), csv.column("rod.position.x").back());
}

TEST_F(Run, RecordsOnlyTheChannelsAskedFor) {
  ASSERT_EQ(
      folder_.run({"run", "pendulum.yaml", "-u", "0.1 s", "-c", "rod.position.*,pin.angle"}).code,
      0);
  const results::Contents contents = results::inspect(folder_ / "pendulum.h5");
  ASSERT_EQ(contents.channels.size(), 3u);
  const Answer wrong = folder_.run({"run", "pendulum.yaml", "-o", "b.h5", "-c", "rod.postion.x"});
  EXPECT_EQ(wrong.code, 2);
  EXPECT_TRUE(contains(wrong.err, "rod.position.x")) << wrong.err;
  EXPECT_FALSE(std::filesystem::exists(folder_ / "b.h5"));
}

TEST_F(Run, QuietPrintsNothing) {
  const Answer answer = folder_.run({"run", "pendulum.yaml", "-u", "0.1 s", "--quiet"});
  EXPECT_EQ(answer.code, 0);
  EXPECT_EQ(answer.out + answer.err, "");
}

TEST_F(Run, MistakesInTheModelComeWithTheirLine) {
  folder_.put("bad.yaml",
              "trammel: 1\nspace: planar\nbodies:\n  rod:\n    mass: -2 kg\n    inertia: 1\n"
              "joints:\n  pin: {type: revolut, between: [ground, rod]}\n");
  const Answer answer = folder_.run({"run", "bad.yaml"});
  EXPECT_EQ(answer.code, 2);
  EXPECT_TRUE(contains(answer.err, "bad.yaml:5:11: error: bodies.rod.mass: ")) << answer.err;
  EXPECT_TRUE(contains(answer.err, "    5 |     mass: -2 kg\n      |           ^\n")) << answer.err;
  EXPECT_TRUE(contains(answer.err, "did you mean 'revolute'?")) << answer.err;
  EXPECT_FALSE(std::filesystem::exists(folder_ / "bad.h5"));
}

TEST_F(Run, LoopThatCannotCloseFailsAndNamesTheJoint) {
  ASSERT_EQ(folder_.run({"new", "four_bar"}).code, 0);
  ASSERT_EQ(folder_.run({"run", "four_bar.yaml", "--until", "0.1 s"}).code, 0);
  const std::string old = contents_of(folder_ / "four_bar.h5");
  const Answer answer = folder_.run({"run", "four_bar.yaml", "--set", "coupler=50 mm", "--force"});
  EXPECT_EQ(answer.code, 1);
  EXPECT_TRUE(contains(answer.err, "error: ")) << answer.err;
  EXPECT_FALSE(contains(answer.err, "readable")) << answer.err;  // the old file is no result
  EXPECT_EQ(contents_of(folder_ / "four_bar.h5"), old);
}

}  // namespace
}  // namespace trammel::cli::testing
