// Help, version, and mistakes on the command line itself.
#include "command_line.h"
#include <gtest/gtest.h>

namespace trammel::cli::testing {
namespace {

const std::vector<std::string> commands{"new",        "check",   "run",     "plot",    "export",
                                        "info",       "list",    "format",  "schema",  "completion",
                                        "kinematics", "dof",     "inverse", "statics", "modes",
                                        "equations",  "compare", "method"};

TEST(Help, NamesEveryCommandAndShowsExamples) {
  const Folder folder;
  const Answer answer = folder.run({"--help"});
  EXPECT_EQ(answer.code, 0);
  EXPECT_EQ(answer.err, "");
  for (const std::string& command : commands)
    EXPECT_TRUE(contains(answer.out, "  " + command + " "));
  EXPECT_TRUE(contains(answer.out, "Examples"));
  EXPECT_EQ(folder.run({}).out, answer.out);  // without words: the same
}

TEST(Help, OfEveryCommandHasUsageAndExamplesThatNameTheCommand) {
  const Folder folder;
  for (const std::string& command : commands) {
    const Answer answer = folder.run({command, "--help"});
    EXPECT_EQ(answer.code, 0) << command;
    EXPECT_TRUE(contains(answer.out, "Usage\n  trammel " + command)) << answer.out;
    EXPECT_TRUE(contains(answer.out, "Examples\n  trammel " + command)) << answer.out;
    EXPECT_EQ(folder.run({"help", command}).out, answer.out);
  }
}

TEST(Help, HasNoLineTooWideForATerminal) {
  const Folder folder;
  for (const std::string& command : commands) {
    const std::string text = folder.run({command, "--help"}).out;
    for (std::size_t begin = 0; begin < text.size();) {
      const std::size_t end = text.find('\n', begin);
      EXPECT_LE(end - begin, 100u) << text.substr(begin, end - begin);
      begin = end + 1;
    }
  }
}

TEST(Help, VersionIsOneLine) {
  const Folder folder;
  const Answer answer = folder.run({"--version"});
  EXPECT_EQ(answer.code, 0);
  EXPECT_EQ(answer.out.rfind("trammel ", 0), 0u);
  EXPECT_EQ(answer.out.find('\n'), answer.out.size() - 1);
}

TEST(Usage, MistypedCommandAsksWhetherTheNearestWasMeant) {
  const Folder folder;
  const Answer answer = folder.run({"rnu", "model.yaml"});
  EXPECT_EQ(answer.code, 2);
  EXPECT_EQ(answer.out, "");
  EXPECT_EQ(answer.err, "trammel: error: 'rnu' is no command; did you mean 'run'?\n");
}

TEST(Usage, MistypedOptionAsksWhetherTheNearestWasMeant) {
  const Folder folder;
  const Answer answer = folder.run({"run", "model.yaml", "--untill", "3"});
  EXPECT_EQ(answer.code, 2);
  EXPECT_TRUE(contains(answer.err, "'--untill'")) << answer.err;
  EXPECT_TRUE(contains(answer.err, "did you mean '--until'?")) << answer.err;
  EXPECT_TRUE(contains(folder.run({"--hepl"}).err, "did you mean '--help'?"));
}

TEST(Usage, ModelInPlaceOfCommandTellsHowToRunIt) {
  const Folder folder;
  folder.put("model.yaml", "trammel: 1\n");
  const Answer answer = folder.run({"model.yaml"});
  EXPECT_EQ(answer.code, 2);
  EXPECT_TRUE(contains(answer.err, "trammel run model.yaml")) << answer.err;
}

TEST(Usage, WrongCallsEndWithTwoAndPointToTheHelp) {
  const Folder folder;
  const std::vector<std::vector<std::string>> calls{
      {"run"}, {"run", "model.yaml", "--until"}, {"check", "a.yaml", "b.yaml"}, {"plot"}};
  for (const std::vector<std::string>& call : calls) {
    const Answer answer = folder.run(call);
    EXPECT_EQ(answer.code, 2) << call.front();
    EXPECT_TRUE(contains(answer.err, "see: trammel " + call.front() + " --help")) << answer.err;
  }
}

TEST(Usage, OutputThatCannotBePrintedIsAFailure) {
  const Folder folder;
  const auto print_to_full_disk = [] {
    ::dup2(::open("/dev/full", O_WRONLY | O_CLOEXEC), STDOUT_FILENO);
  };
  for (const char* command : {"schema", "info"}) {  // more and less than a buffer
    const Answer answer = folder.wait(folder.start({command}, print_to_full_disk));
    EXPECT_EQ(answer.code, 1) << command;
    EXPECT_TRUE(contains(answer.err, "No space left")) << answer.err;
  }
}

TEST(Usage, MissingFileNamesTheNearestOne) {
  const Folder folder;
  folder.put("pendulum.yaml", "trammel: 1\n");
  const Answer answer = folder.run({"run", "pendlum.yaml"});
  EXPECT_EQ(answer.code, 2);
  EXPECT_TRUE(contains(answer.err, "did you mean 'pendulum.yaml'?")) << answer.err;
}

}  // namespace
}  // namespace trammel::cli::testing
