// The commands that look at results: info, export, plot.
#include "command_line.h"
#include <gtest/gtest.h>

#include "trammel/results/reader.h"

namespace trammel::cli::testing {
namespace {

class ResultsCommands : public ::testing::Test {
 protected:
  void SetUp() override {
    ASSERT_EQ(folder_.run({"new", "pendulum"}).code, 0);
    ASSERT_EQ(folder_.run({"run", "pendulum.yaml", "-u", "0.2 s", "-q"}).code, 0);
  }
  Folder folder_;
};

TEST_F(ResultsCommands, InfoOfResultsShowsOutcomeTimesAndChannels) {
  const Answer answer = folder_.run({"info", "pendulum.h5"});
  EXPECT_EQ(answer.code, 0);
  for (const char* part : {"completed", "21, from 0 s to 0.2 s", "rod.position.x", "pin.angle",
                           "energy.kinetic", "pendulum.yaml"}) {
    EXPECT_TRUE(contains(answer.out, part)) << part << "\n" << answer.out;
  }
}

TEST_F(ResultsCommands, InfoPrintsNamesForScripts) {
  const Answer answer = folder_.run({"info", "pendulum.h5", "-c", "rod.position.*", "--names"});
  EXPECT_EQ(answer.out, "rod.position.x\nrod.position.y\n");
}

TEST_F(ResultsCommands, InfoOfModelShowsBodiesAndJoints) {
  const Answer answer = folder_.run({"info", "pendulum.yaml"});
  EXPECT_EQ(answer.code, 0);
  EXPECT_TRUE(contains(answer.out, "rigid body of 2 kg")) << answer.out;
  EXPECT_TRUE(contains(answer.out, "revolute between ground and rod.end")) << answer.out;
}

TEST_F(ResultsCommands, InfoOfTheProgramShowsLibraries) {
  const Answer answer = folder_.run({"info"});
  EXPECT_EQ(answer.code, 0);
  for (const char* part : {"compiler", "Eigen", "HDF5", "yaml-cpp", "KLU"}) {
    EXPECT_TRUE(contains(answer.out, part)) << part << "\n" << answer.out;
  }
}

TEST_F(ResultsCommands, InfoOfForeignFileIsWrongInput) {
  folder_.put("foreign.h5", "this is no HDF5 file");
  EXPECT_EQ(folder_.run({"info", "foreign.h5"}).code, 2);
  EXPECT_EQ(folder_.run({"info", "missing.h5"}).code, 2);
}

TEST_F(ResultsCommands, ExportWritesTheSameNumbers) {
  EXPECT_EQ(folder_.run({"export", "pendulum.h5", "--remarks"}).code, 0);
  const results::Table from = results::read(folder_ / "pendulum.h5");
  const results::Table to = results::read(folder_ / "pendulum.csv");
  EXPECT_EQ(from.channels, to.channels);
  EXPECT_EQ(from.time, to.time);
  EXPECT_EQ(from.columns, to.columns);
}

TEST_F(ResultsCommands, ExportChoosesChannelsAndRefusesToOverwrite) {
  EXPECT_EQ(folder_.run({"export", "pendulum.h5", "-c", "rod.angle,energy.*", "-o", "a.csv"}).code,
            0);
  EXPECT_TRUE(results::read(folder_ / "a.csv").contains("energy.kinetic"));
  EXPECT_FALSE(results::read(folder_ / "a.csv").contains("rod.position.x"));
  const std::string before = contents_of(folder_ / "a.csv");
  EXPECT_EQ(folder_.run({"export", "pendulum.h5", "-o", "a.csv"}).code, 2);
  EXPECT_EQ(contents_of(folder_ / "a.csv"), before);
  EXPECT_EQ(folder_.run({"export", "pendulum.h5", "-o", "pendulum.h5", "--force"}).code, 2);
  EXPECT_EQ(results::read(folder_ / "pendulum.h5").rows(), 21u);
}

TEST_F(ResultsCommands, ExportToStandardOutputIsNothingButCsv) {
  const Answer answer = folder_.run({"export", "pendulum.h5", "-c", "rod.angle", "-o", "-"});
  EXPECT_EQ(answer.code, 0);
  EXPECT_EQ(answer.out.rfind("time [s],rod.angle [rad]\n", 0), 0u) << answer.out;
  folder_.put("copy.csv", answer.out);
  EXPECT_EQ(results::read(folder_ / "copy.csv").rows(), 21u);
}

TEST_F(ResultsCommands, UnknownChannelNamesTheNearest) {
  for (const char* command : {"export", "plot"}) {
    const Answer answer = command == std::string("plot")
                              ? folder_.run({"plot", "pendulum.h5", "rod.angel"})
                              : folder_.run({"export", "pendulum.h5", "-c", "rod.angel"});
    EXPECT_EQ(answer.code, 2);
    EXPECT_TRUE(contains(answer.err, "rod.angle")) << answer.err;
  }
}

TEST_F(ResultsCommands, PlotDrawsSvgAndPng) {
  EXPECT_EQ(folder_.run({"plot", "pendulum.h5"}).code, 0);
  EXPECT_TRUE(contains(contents_of(folder_ / "pendulum.svg"), "<svg"));
  EXPECT_EQ(
      folder_
          .run({"plot", "pendulum.h5", "rod.position.y", "--x", "rod.position.x", "-o", "path.png"})
          .code,
      0);
  EXPECT_EQ(contents_of(folder_ / "path.png").substr(0, 4), "\x89PNG");
  EXPECT_EQ(folder_.run({"plot", "pendulum.h5"}).code, 2);  // the picture exists
  EXPECT_EQ(folder_.run({"plot", "pendulum.h5", "--force"}).code, 0);
  EXPECT_EQ(folder_.run({"plot", "pendulum.h5", "-o", "picture.gif"}).code, 2);
}

}  // namespace
}  // namespace trammel::cli::testing
