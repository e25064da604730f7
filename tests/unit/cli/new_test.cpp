// trammel new, and the starter models themselves: each must load, assemble and run.
#include <algorithm>
#include <span>
#include <sstream>

#include "command_line.h"
#include <gtest/gtest.h>

#include "trammel/results/reader.h"

namespace trammel::cli::testing {
namespace {

// The names in the first column of `trammel new`.
std::vector<std::string> starter_names() {
  const Folder folder;
  std::istringstream lines(folder.run({"new"}).out);
  std::vector<std::string> names;
  for (std::string line; std::getline(lines, line);) {
    if (line.rfind("  ", 0) == 0) names.push_back(line.substr(2, line.find(' ', 2) - 2));
  }
  return names;
}

TEST(New, ListsAtLeastTenStartersEachWithOneLine) {
  EXPECT_GE(starter_names().size(), 10u);
  const Folder folder;
  const std::string list = folder.run({"new", "--list"}).out;
  EXPECT_EQ(list, folder.run({"new"}).out);
  std::istringstream lines(list);
  for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 100u) << line;
}

TEST(New, WritesTheModelAndNeverOverwrites) {
  const Folder folder;
  EXPECT_EQ(folder.run({"new", "pendulum"}).code, 0);
  const std::string text = contents_of(folder / "pendulum.yaml");
  EXPECT_TRUE(contains(text, "trammel: 1"));

  folder.put("pendulum.yaml", "mine");
  const Answer answer = folder.run({"new", "pendulum"});
  EXPECT_EQ(answer.code, 2);
  EXPECT_TRUE(contains(answer.err, "exists already")) << answer.err;
  EXPECT_EQ(contents_of(folder / "pendulum.yaml"), "mine");

  EXPECT_EQ(folder.run({"new", "pendulum", "other.yaml"}).code, 0);
  EXPECT_EQ(contents_of(folder / "other.yaml"), text);
}

TEST(New, UnknownStarterNamesTheNearest) {
  const Folder folder;
  const Answer answer = folder.run({"new", "pendlum"});
  EXPECT_EQ(answer.code, 2);
  EXPECT_TRUE(contains(answer.err, "did you mean 'pendulum'?")) << answer.err;
}

TEST(New, FolderThatDoesNotExistIsWrongInput) {
  const Folder folder;
  EXPECT_EQ(folder.run({"new", "pendulum", "nowhere/pendulum.yaml"}).code, 2);
}

TEST(Starters, AreFreeOfMistakesAndInCanonicalLayout) {
  for (const std::string& name : starter_names()) {
    const Folder folder;
    folder.run({"new", name});
    const Answer check = folder.run({"check", name + ".yaml"});
    EXPECT_EQ(check.code, 0) << name << "\n" << check.err;
    EXPECT_EQ(check.err, "") << name;
    const Answer format = folder.run({"format", "--check", name + ".yaml"});
    EXPECT_EQ(format.code, 0) << name << "\n" << format.err;
  }
}

double range(std::span<const double> values) {
  const auto [low, high] = std::minmax_element(values.begin(), values.end());
  return *high - *low;
}

// The energy that was in motion or went to and fro in a run.
double moved_energy(const results::Table& table) {
  const std::span<const double> kinetic = table.column("energy.kinetic");
  double sum = *std::max_element(kinetic.begin(), kinetic.end());
  for (const char* name : {"potential", "loads", "drives", "dissipated"}) {
    sum += range(table.column(std::string("energy.") + name));
  }
  return sum;
}

TEST(Starters, RunToTheEndAndTheirEnergyBalanceCloses) {
  for (const std::string& name : starter_names()) {
    const Folder folder;
    folder.run({"new", name});
    const Answer run = folder.run({"run", name + ".yaml", "--no-report"});
    ASSERT_EQ(run.code, 0) << name << "\n" << run.err;
    EXPECT_EQ(run.err, "") << name;
    const results::Table table = results::read(folder / (name + ".h5"));
    EXPECT_EQ(table.outcome, results::Outcome::completed) << name;
    EXPECT_GT(table.rows(), 100u) << name << ": too few times for a smooth animation";
    // The method is of second order; at the steps of the starters it loses at most three tenths of
    // a per mille of what goes to and fro. A wrong force or a step that is too large loses
    // percents.
    EXPECT_LT(range(table.column("energy.numerical_loss")), 1e-3 * moved_energy(table)) << name;
  }
}

}  // namespace
}  // namespace trammel::cli::testing
