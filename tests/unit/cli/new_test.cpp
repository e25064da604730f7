// trammel new, and the starter models themselves: each must load, assemble and run.
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

TEST(New, ListsAtLeastTenStarters) {
  EXPECT_GE(starter_names().size(), 10u);
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

TEST(Starters, RunAndKeepTheirConstraints) {
  for (const std::string& name : starter_names()) {
    const Folder folder;
    folder.run({"new", name});
    const Answer run = folder.run({"run", name + ".yaml", "--until", "0.2 s"});
    ASSERT_EQ(run.code, 0) << name << "\n" << run.err;
    EXPECT_EQ(run.err, "") << name;
    const results::Table table = results::read(folder / (name + ".h5"));
    EXPECT_EQ(table.outcome, results::Outcome::completed) << name;
    EXPECT_GT(table.rows(), 10u) << name;
    EXPECT_NEAR(table.time.back(), 0.2, 1e-9) << name;
  }
}

}  // namespace
}  // namespace trammel::cli::testing
