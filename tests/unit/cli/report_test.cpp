// Reports from the command line: beside the results, afterwards, and served.
#include "command_line.h"
#include <gtest/gtest.h>

#include "trammel/results/reader.h"

namespace trammel::cli::testing {
namespace {

class Report : public ::testing::Test {
 protected:
  void SetUp() override { ASSERT_EQ(folder_.run({"new", "pendulum"}).code, 0); }
  bool exists(const std::string& name) const { return std::filesystem::exists(folder_ / name); }
  Folder folder_;
};

TEST_F(Report, IsWrittenBesideTheResults) {
  const Answer answer = folder_.run({"run", "pendulum.yaml", "-u", "0.1 s", "-s", "length=2 m"});
  EXPECT_EQ(answer.code, 0) << answer.err;
  EXPECT_TRUE(contains(answer.out, "report:  pendulum.html")) << answer.out;
  const std::string page = contents_of(folder_ / "pendulum.html");
  EXPECT_TRUE(contains(page, "<title>pendulum</title>"));
  // The command that makes it again.
  const results::Table table = results::read(folder_ / "pendulum.h5");
  EXPECT_EQ(table.info.more.at("command"),
            "trammel run pendulum.yaml --set 'length=2 m' --set 'simulation.until=0.1 s'");
  EXPECT_TRUE(contains(page, "trammel run pendulum.yaml"));
  EXPECT_FALSE(table.info.scene.empty());
}

TEST_F(Report, CanBeLeftOut) {
  EXPECT_EQ(folder_.run({"run", "pendulum.yaml", "-u", "0.1 s", "--no-report"}).code, 0);
  EXPECT_TRUE(exists("pendulum.h5"));
  EXPECT_FALSE(exists("pendulum.html"));
}

TEST_F(Report, ThatExistsIsNotReplacedAndTheRunDoesNotEvenStart) {
  folder_.put("pendulum.html", "<html>mine");
  const Answer answer = folder_.run({"run", "pendulum.yaml", "-u", "0.1 s"});
  EXPECT_EQ(answer.code, 2);
  EXPECT_TRUE(contains(answer.err, "pendulum.html")) << answer.err;
  EXPECT_EQ(contents_of(folder_ / "pendulum.html"), "<html>mine");
  EXPECT_FALSE(exists("pendulum.h5"));
  // Not ours, so not even with --force.
  EXPECT_EQ(folder_.run({"run", "pendulum.yaml", "-u", "0.1 s", "--force"}).code, 2);
  EXPECT_EQ(contents_of(folder_ / "pendulum.html"), "<html>mine");
  EXPECT_FALSE(exists("pendulum.h5"));
  const std::string older = "<!doctype html>\n<meta name=\"generator\" content=\"trammel\">";
  folder_.put("pendulum.html", older);
  EXPECT_EQ(folder_.run({"run", "pendulum.yaml", "-u", "0.1 s"}).code, 2);
  EXPECT_EQ(folder_.run({"run", "pendulum.yaml", "-u", "0.1 s", "--force"}).code, 0);
  EXPECT_NE(contents_of(folder_ / "pendulum.html"), older);
}

TEST_F(Report, IsMadeAfterwardsFromHdf5AndCsv) {
  for (const char* results : {"a.h5", "b.csv"}) {
    ASSERT_EQ(
        folder_.run({"run", "pendulum.yaml", "-u", "0.1 s", "--no-report", "-o", results}).code, 0);
    const Answer answer = folder_.run({"report", results});
    EXPECT_EQ(answer.code, 0) << answer.err;
    EXPECT_TRUE(contains(answer.out, ".html")) << answer.out;
  }
  EXPECT_TRUE(contains(contents_of(folder_ / "a.html"), "\"scene\":{"));
  EXPECT_TRUE(contains(contents_of(folder_ / "b.html"), "\"scene\":{"));
  EXPECT_EQ(folder_.run({"report", "a.h5"}).code, 2);  // exists
  EXPECT_EQ(folder_.run({"report", "a.h5", "--force"}).code, 0);
}

TEST_F(Report, OfForeignCsvHasPlotsOnlyAndOfDamagedFilesIsRefused) {
  folder_.put("foreign.csv", "time,voltage\n0,1\n1,2\n");
  EXPECT_EQ(folder_.run({"report", "foreign.csv"}).code, 0);
  EXPECT_FALSE(contains(contents_of(folder_ / "foreign.html"), "\"scene\":{"));
  folder_.put("damaged.h5", "\x89HDF\r\n\x1a\n and nothing more");
  const Answer damaged = folder_.run({"report", "damaged.h5"});
  EXPECT_EQ(damaged.code, 2);
  EXPECT_TRUE(contains(damaged.err, "damaged.h5")) << damaged.err;
  EXPECT_FALSE(exists("damaged.html"));
  EXPECT_EQ(folder_.run({"view", "damaged.h5"}).code, 2);
  EXPECT_EQ(folder_.run({"view", "missing.h5"}).code, 2);
}

}  // namespace
}  // namespace trammel::cli::testing
