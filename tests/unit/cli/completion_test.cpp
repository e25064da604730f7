// trammel completion: the scripts are sound, and bash and fish complete by them.
#include "command_line.h"
#include <gtest/gtest.h>

namespace trammel::cli::testing {
namespace {

bool installed(const std::string& program) {
  const Folder folder;
  return folder.run_program("sh", {"-c", "command -v " + program}).code == 0;
}

class Completion : public ::testing::Test {
 protected:
  void SetUp() override {
    for (const char* shell : {"bash", "zsh", "fish"}) {
      folder_.put(shell, folder_.run({"completion", shell}).out);
    }
    folder_.put("model.yaml", "trammel: 1\n");
    folder_.put("results.csv", "time,rod.angle,rod.speed\n0,1,2\n1,3,4\n");
    folder_.put("other.txt", "");
  }

  /// What bash offers for the words, the last of which is being typed; one per line.
  std::string bash(const std::vector<std::string>& words) const {
    std::string line;
    for (const std::string& word : words) line += " '" + word + "'";
    const std::string program = std::string("source ./bash; COMP_WORDS=('" TRAMMEL_CLI "'") + line +
                                "); COMP_CWORD=" + std::to_string(words.size()) +
                                R"(; _trammel; printf '%s\n' "${COMPREPLY[@]}")";
    const Answer answer = folder_.run_program("bash", {"--norc", "-c", program});
    EXPECT_EQ(answer.err, "");
    return answer.out;
  }

  Folder folder_;
};

TEST_F(Completion, BashScriptIsSound) {
  const Answer answer = folder_.run_program("bash", {"-n", "bash"});
  EXPECT_EQ(answer.code, 0) << answer.err;
}

TEST_F(Completion, BashCompletesCommandsOptionsFilesAndWords) {
  EXPECT_EQ(bash({"ru"}), "run\n");
  EXPECT_EQ(bash({"help", "comp"}), "compare\ncompletion\n");
  EXPECT_EQ(bash({"compare", "--stab"}), "--stabilisation\n");
  EXPECT_EQ(bash({"method", "mpr-m"}), "mpr-mpa\n");
  EXPECT_EQ(bash({"--ver"}), "--version\n");
  EXPECT_EQ(bash({"run", "--un"}), "--until\n");
  EXPECT_EQ(bash({"run", ""}), "model.yaml\n");  // neither results nor other files
  EXPECT_EQ(bash({"run", "model.yaml", "--method", "gen"}), "generalized-alpha\n");
  EXPECT_EQ(bash({"run", "--until", "3", "mod"}), "model.yaml\n");
  EXPECT_EQ(bash({"info", "re"}), "results.csv\n");
  EXPECT_EQ(bash({"new", "double"}), "double_pendulum\n");
  EXPECT_EQ(bash({"list", "so"}), "solvers\n");
}

TEST_F(Completion, BashCompletesTheChannelsOfTheResults) {
  EXPECT_EQ(bash({"plot", "results.csv", "rod.a"}), "rod.angle\n");
  EXPECT_EQ(bash({"plot", "results.csv", "rod.angle", "--x", "rod."}), "rod.angle\nrod.speed\n");
}

TEST_F(Completion, ZshScriptIsSound) {
  if (!installed("zsh")) GTEST_SKIP() << "zsh is not installed";
  const Answer answer = folder_.run_program("zsh", {"-n", "zsh"});
  EXPECT_EQ(answer.code, 0) << answer.err;
}

TEST_F(Completion, FishCompletesCommandsAndOptions) {
  if (!installed("fish")) GTEST_SKIP() << "fish is not installed";
  const auto fish = [&](const std::string& line) {
    return folder_.run_program("fish",
                               {"--no-config", "-c", "source ./fish; complete -C '" + line + "'"});
  };
  EXPECT_TRUE(contains(fish("trammel ru").out, "run\t")) << fish("trammel ru").err;
  EXPECT_TRUE(contains(fish("trammel run --unt").out, "--until\t"));
  EXPECT_TRUE(contains(fish("trammel list s").out, "solvers"));
}

TEST_F(Completion, UnknownShellIsWrongInput) {
  EXPECT_EQ(folder_.run({"completion", "tcsh"}).code, 2);
}

}  // namespace
}  // namespace trammel::cli::testing
