// What no command may do: replace a file of another kind, replace its input, write where another
// run writes, or print into its own results.
#include <chrono>
#include <thread>

#include "command_line.h"
#include <gtest/gtest.h>
#include <linux/capability.h>
#include <sys/file.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include "trammel/core/diagnostic.h"
#include "trammel/results/reader.h"

namespace trammel::cli::testing {
namespace {

class OutputRules : public ::testing::Test {
 protected:
  void SetUp() override {
    ASSERT_EQ(folder_.run({"new", "pendulum"}).code, 0);
    ASSERT_EQ(folder_.run({"run", "pendulum.yaml", "-u", "0.1 s", "-o", "run.h5"}).code, 0);
    ASSERT_EQ(folder_.run({"export", "run.h5"}).code, 0);
  }

  /// Every command that writes a file of its own choice, as (command, kind of what it writes).
  struct Case {
    std::vector<std::string> command;
    std::string ending;
  };
  const std::vector<Case> cases_{
      {{"run", "pendulum.yaml", "-u", "0.1 s", "--no-report"}, ".h5"},
      {{"run", "pendulum.yaml", "-u", "0.1 s", "--no-report"}, ".csv"},
      {{"statics", "pendulum.yaml", "--no-report"}, ".h5"},
      {{"modes", "pendulum.yaml", "--no-report"}, ".h5"},
      {{"report", "run.h5"}, ".html"},
      {{"export", "run.h5"}, ".csv"},
      {{"export", "run.h5"}, ".h5"},
      {{"export", "run.h5"}, ".glb"},
      {{"export", "run.h5"}, ".pvd"},
      {{"plot", "run.h5", "rod.angle"}, ".svg"},
      {{"plot", "run.h5", "rod.angle"}, ".png"},
  };

  Folder folder_;
};

TEST_F(OutputRules, AFileOfAnotherKindIsNeverReplaced) {
  const std::string model = contents_of(folder_ / "pendulum.yaml");
  for (const Case& each : cases_) {
    // A model, results and a page under the name of the output.
    for (const std::string& content :
         {model, contents_of(folder_ / "run.h5"), contents_of(folder_ / "run.html"),
          std::string("precious")}) {
      const std::string name = "out" + each.ending;
      const bool own_kind = (each.ending == ".h5" && contains(content.substr(0, 8), "HDF")) ||
                            (each.ending == ".html" && contains(content.substr(0, 9), "<!doc"));
      if (own_kind) continue;
      folder_.put(name, content);
      std::vector<std::string> command = each.command;
      command.insert(command.end(), {"-o", name, "--force"});
      const Answer answer = folder_.run(command);
      EXPECT_EQ(answer.code, 2) << command[0] << name << answer.err;
      EXPECT_TRUE(contains(answer.err, "not even with --force")) << answer.err;
      EXPECT_EQ(contents_of(folder_ / name), content) << command[0] << name;
    }
  }
}

TEST_F(OutputRules, WhatTheSameCommandWroteIsReplacedWhenAsked) {
  int number = 0;
  for (const Case& each : cases_) {
    std::vector<std::string> command = each.command;
    command.insert(command.end(), {"-o", "out" + std::to_string(++number) + each.ending});
    EXPECT_EQ(folder_.run(command).code, 0) << command[0] << each.ending;
    EXPECT_EQ(folder_.run(command).code, 2) << command[0] << each.ending;
    command.push_back("--force");
    const Answer answer = folder_.run(command);
    EXPECT_EQ(answer.code, 0) << command[0] << each.ending << answer.err;
  }
}

TEST_F(OutputRules, AReportNeverTakesThePlaceOfResultsOrAModel) {
  for (const char* name : {"run.h5", "run.csv", "pendulum.yaml"}) {
    const std::string before = contents_of(folder_ / name);
    EXPECT_EQ(folder_.run({"report", "run.h5", "-o", name, "-f"}).code, 2) << name;
    EXPECT_EQ(contents_of(folder_ / name), before) << name;
  }
}

TEST_F(OutputRules, TheInputIsNeverReplaced) {
  const std::string before = contents_of(folder_ / "run.csv");
  const Answer answer =
      folder_.run({"export", "run.csv", "-c", "rod.angle", "-o", "run.csv", "-f"});
  EXPECT_EQ(answer.code, 2);
  EXPECT_TRUE(contains(answer.err, "into itself")) << answer.err;
  EXPECT_EQ(contents_of(folder_ / "run.csv"), before);
}

// Results that serve as a table are an input, too.
TEST_F(OutputRules, ATableThatTheModelReadsIsNeverReplaced) {
  folder_.put("tabled.yaml",
              contents_of(folder_ / "pendulum.yaml") + "\ntables: {t: {csv: run.csv}}\n");
  const std::string before = contents_of(folder_ / "run.csv");
  const Answer answer =
      folder_.run({"run", "tabled.yaml", "-u", "0.1 s", "-o", "run.csv", "--force", "--no-report"});
  EXPECT_EQ(answer.code, 2) << answer.err;
  EXPECT_TRUE(contains(answer.err, "run.csv")) << answer.err;
  EXPECT_EQ(contents_of(folder_ / "run.csv"), before);
}

TEST_F(OutputRules, ATableBehindTheResultsIsNeverReplacedByThem) {
  folder_.put("tabled.yaml",
              contents_of(folder_ / "pendulum.yaml") + "\ntables: {t: {csv: run.csv}}\n");
  ASSERT_EQ(folder_.run({"run", "tabled.yaml", "-u", "0.1 s", "--no-report"}).code, 0);
  const std::string before = contents_of(folder_ / "run.csv");
  const Answer answer = folder_.run({"export", "tabled.h5", "-o", "run.csv", "--force"});
  EXPECT_EQ(answer.code, 2) << answer.err;
  EXPECT_EQ(contents_of(folder_ / "run.csv"), before);
}

TEST_F(OutputRules, ASecondRunIntoTheSameFileIsRefused) {
  const pid_t child =
      folder_.start({"run", "pendulum.yaml", "-u", "1e6 s", "--step", "1 ms", "-o", "long.h5"});
  const auto rows = [&]() -> std::size_t {
    try {
      return results::inspect(folder_ / "long.h5").rows;
    } catch (const core::InputError&) {
      return 0;
    }
  };
  for (int i = 0; i < 2000 && rows() < 10; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  ASSERT_GE(rows(), 10u);
  for (const char* command : {"run", "statics"}) {
    const Answer second = folder_.run({command, "pendulum.yaml", "-o", "long.h5", "--force"});
    EXPECT_EQ(second.code, 2);
    EXPECT_TRUE(contains(second.err, "is being written by another run")) << second.err;
  }
  ::kill(child, SIGKILL);
  folder_.wait(child);
  EXPECT_GE(rows(), 10u);
  // The system has let go of the file.
  EXPECT_EQ(folder_.run({"run", "pendulum.yaml", "-u", "0.1 s", "-o", "long.h5", "-f"}).code, 0);
}

TEST_F(OutputRules, ManyRunsAtOnceLeaveOneWholeFile) {
  std::vector<pid_t> children;
  for (int i = 0; i < 8; ++i) {
    children.push_back(folder_.start(
        {"run", "pendulum.yaml", "-u", "0.5 s", "-o", "race.h5", "--force", "--no-report"}));
  }
  int completed = 0;
  for (const pid_t child : children) {
    const int code = folder_.wait(child).code;
    EXPECT_TRUE(code == 0 || code == 2) << code;
    completed += code == 0 ? 1 : 0;
  }
  EXPECT_GE(completed, 1);
  EXPECT_EQ(results::read(folder_ / "race.h5").outcome, results::Outcome::completed);
}

TEST_F(OutputRules, ClosedStreamsHarmNothing) {
  for (int mask = 1; mask < 8; ++mask) {
    const auto close_some = [mask] {
      for (int stream = 0; stream < 3; ++stream) {
        if ((mask >> stream & 1) != 0) ::close(stream);
      }
    };
    const std::vector<std::string> command{"run", "pendulum.yaml", "-u", "0.1 s",
                                           "-o",  "shut.h5",       "-f"};
    const Answer answer = folder_.wait(folder_.start(command, close_some));
    EXPECT_EQ(answer.code, 0) << mask;
    EXPECT_EQ(results::read(folder_ / "shut.h5").outcome, results::Outcome::completed) << mask;
  }
}

TEST_F(OutputRules, AFolderThatMayNotBeWrittenIsToldBeforeTheRun) {
  std::filesystem::create_directory(folder_ / "shut");
  std::filesystem::permissions(
      folder_ / "shut", std::filesystem::perms::owner_read | std::filesystem::perms::owner_exec);
  // The superuser may write everywhere, unless the program is started without that right.
  const auto without_privilege = [] { ::prctl(PR_CAPBSET_DROP, CAP_DAC_OVERRIDE, 0, 0, 0); };
  const Answer answer =
      folder_.wait(folder_.start({"run", "pendulum.yaml", "-o", "shut/a.h5"}, without_privilege));
  EXPECT_EQ(answer.code, 2);
  EXPECT_TRUE(contains(answer.err, "cannot create 'shut/a.h5'")) << answer.err;
}

TEST_F(OutputRules, AFolderThatSomebodyElseHasLockedKeepsNobodyWaiting) {
  // As `flock . trammel run ...` does.
  const int lock = ::open(folder_.path().c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  ASSERT_EQ(::flock(lock, LOCK_EX), 0);
  for (const std::vector<std::string>& words : std::vector<std::vector<std::string>>{
           {"run", "pendulum.yaml", "-u", "0.1 s", "-o", "fresh.h5"},
           {"run", "pendulum.yaml", "-u", "0.1 s", "-o", "fresh.h5", "--force"},
           {"compare", "pendulum.yaml", "-m", "newmark", "--index", "3", "--step", "20 ms", "-u",
            "0.1 s", "--stabilisation", "none"}}) {
    std::vector<std::string> limited = words;
    limited.insert(limited.end(), {"--time-limit", "10 s"});
    const Answer answer = folder_.run(limited);
    EXPECT_EQ(answer.code, 0) << words[0] << answer.err;
  }
  ::close(lock);
}

TEST_F(OutputRules, NoNameInTheFolderIsInTheWayOfResults) {
  // HDF5 looks for a file of the name that an image in memory has.
  for (const char* name : {"trammel-skeleton", "image"}) {
    for (const bool pipe : {false, true}) {
      std::filesystem::remove(folder_ / name);
      if (pipe) {
        ASSERT_EQ(::mkfifo((folder_ / name).c_str(), 0600), 0);
      } else {
        folder_.put(name, "mine");
      }
      EXPECT_EQ(
          folder_.run({"run", "pendulum.yaml", "-u", "0.1 s", "-f", "--time-limit", "10 s"}).code,
          0);
      EXPECT_EQ(folder_.run({"info", "run.h5", "--time-limit", "10 s"}).code, 0);
    }
  }
}

TEST_F(OutputRules, WhatOthersWroteIsNoResultEvenIfItLooksLikeOne) {
  const std::vector<std::pair<std::string, std::string>> foreign{
      {"load.csv", "time,load\n0,1\n1,2\n"},
      {"page.html", "<!doctype html>\n<html><head><title>mine</title></head></html>\n"},
      {"drawing.svg", "<svg xmlns=\"http://www.w3.org/2000/svg\"><circle r=\"1\"/></svg>\n"},
      {"data.h5", "\x89HDF\r\n\x1a\n with somebody's measurements"},
      {"part.glb", "glTF {\"asset\":{\"generator\":\"Blender\"}}"},
      {"cloud.pvd", "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\"/>\n"}};
  for (const auto& [name, content] : foreign) {
    folder_.put(name, content);
    const std::string ending = std::filesystem::path(name).extension().string();
    for (const Case& each : cases_) {
      if (each.ending != ending) continue;
      std::vector<std::string> command = each.command;
      command.insert(command.end(), {"-o", name, "--force"});
      const Answer answer = folder_.run(command);
      EXPECT_EQ(answer.code, 2) << command[0] << name << answer.err;
      EXPECT_TRUE(contains(answer.err, "not even with --force")) << answer.err;
      EXPECT_EQ(contents_of(folder_ / name), content) << command[0] << name;
    }
  }
}

// 255 bytes are the longest name of a file; hidden names beside it must not be longer.
TEST_F(OutputRules, LongNamesCanBeReplacedToo) {
  for (const std::size_t length : {248UL, 251UL, 252UL}) {
    const std::string name = std::string(length - 3, 'n') + ".h5";
    const std::vector<std::string> command{"run", "pendulum.yaml", "-u", "0.1 s", "-o",
                                           name,  "--no-report"};
    EXPECT_EQ(folder_.run(command).code, 0);
    std::vector<std::string> again = command;
    again.emplace_back("--force");
    const Answer answer = folder_.run(again);
    EXPECT_EQ(answer.code, 0) << answer.err;
  }
}

TEST_F(OutputRules, RowsThatHadRoomAreReadableAlsoInCsv) {
  for (const rlim_t kilobytes : {30, 60, 100, 200}) {
    std::filesystem::remove(folder_ / "short.csv");
    const auto limit_files = [kilobytes] {
      const rlimit limit{kilobytes * 1024, kilobytes * 1024};
      ::setrlimit(RLIMIT_FSIZE, &limit);
    };
    const Answer answer = folder_.wait(folder_.start(
        {"run", "pendulum.yaml", "-u", "20 s", "-q", "--no-report", "-o", "short.csv"},
        limit_files));
    EXPECT_EQ(answer.code, 1) << answer.err;
    const results::Table table = results::read(folder_ / "short.csv");
    EXPECT_EQ(table.outcome, results::Outcome::failed) << kilobytes;
    // All but what the line about the end may have cost.
    const std::string text = contents_of(folder_ / "short.csv");
    const std::size_t row = text.size() / (table.rows() + 1);
    EXPECT_GT(table.rows(), 10U) << kilobytes;
    EXPECT_GT(text.size() + 2 * row, kilobytes * 1024) << kilobytes;
  }
}

TEST_F(OutputRules, FoldersThatMayNotBeWrittenAreToldAlikeByAll) {
  std::filesystem::create_directory(folder_ / "shut");
  std::filesystem::permissions(
      folder_ / "shut", std::filesystem::perms::owner_read | std::filesystem::perms::owner_exec);
  const auto without_privilege = [] { ::prctl(PR_CAPBSET_DROP, CAP_DAC_OVERRIDE, 0, 0, 0); };
  for (const Case& each : cases_) {
    std::vector<std::string> command = each.command;
    command.insert(command.end(), {"-o", "shut/out" + each.ending});
    const Answer answer = folder_.wait(folder_.start(command, without_privilege));
    EXPECT_EQ(answer.code, 2) << command[0] << each.ending << answer.err;
  }
}

// Names that the system refuses are mistakes of whoever gave them, and no run is made.
TEST_F(OutputRules, NamesThatCannotBeAreWrongInput) {
  std::filesystem::create_symlink("loop", folder_ / "loop");
  const std::string too_long(256, 'a');
  for (const Case& each : cases_) {
    for (const std::string& name : {too_long + each.ending, "loop/a" + each.ending}) {
      std::vector<std::string> command = each.command;
      command.insert(command.end(), {"-o", name, "-f"});
      const Answer answer = folder_.run(command);
      EXPECT_EQ(answer.code, 2) << command[0] << answer.err;
      EXPECT_TRUE(contains(answer.err, "File name too long; give a shorter name") ||
                  contains(answer.err, "Too many levels of symbolic links; links there"))
          << answer.err;
    }
    std::vector<std::string> unnamed = each.command;
    unnamed.insert(unnamed.end(), {"-f", "-o", ""});
    const Answer answer = folder_.run(unnamed);
    EXPECT_EQ(answer.code, 2) << unnamed[0];
    EXPECT_TRUE(contains(answer.err, "--output has an empty name")) << answer.err;
  }
  EXPECT_EQ(folder_.run({"new", "pendulum", too_long + ".yaml"}).code, 2);
  // A name that is long enough to have no room for the endings of what is made of it.
  const std::string model = std::string(250, 'm') + ".yaml";
  folder_.put(model, contents_of(folder_ / "pendulum.yaml"));
  for (const char* command : {"compare", "statics", "modes"}) {
    const Answer answer = folder_.run({command, model});
    EXPECT_EQ(answer.code, 2) << command;
    EXPECT_TRUE(contains(answer.err, "File name too long")) << answer.err;
  }
}

class MovedResults : public OutputRules {
 protected:
  /// A run that goes on until `event` has happened to its results, and then to its end.
  Answer run_with(const std::function<void()>& event, const std::vector<std::string>& more = {}) {
    std::vector<std::string> command{"run", "pendulum.yaml", "-u",     "200 s",
                                     "-o",  "x.h5",          "--step", "1 ms"};
    command.insert(command.end(), more.begin(), more.end());
    const pid_t child = folder_.start(command);
    while (!std::filesystem::exists(folder_ / "x.h5") && ::kill(child, 0) == 0) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(50));  // it has its name on the disk
    ::kill(child, SIGSTOP);
    event();
    ::kill(child, SIGCONT);
    return folder_.wait(child);
  }
};

TEST_F(MovedResults, AreTold) {
  const Answer moved =
      run_with([&] { std::filesystem::rename(folder_ / "x.h5", folder_ / "y.h5"); });
  EXPECT_EQ(moved.code, 1);
  EXPECT_TRUE(contains(moved.err, "'x.h5' was moved while it was written: it is 'y.h5' now"))
      << moved.err;
  EXPECT_FALSE(contains(moved.out, "x.h5")) << moved.out;
  const results::Contents contents = results::inspect(folder_ / "y.h5");
  EXPECT_EQ(contents.outcome, results::Outcome::completed);
  EXPECT_NEAR(contents.last_time, 200.0, 1e-9);
  EXPECT_FALSE(std::filesystem::exists(folder_ / "x.html"));

  const Answer removed =
      run_with([&] { std::filesystem::remove(folder_ / "x.h5"); }, {"-q", "--no-report"});
  EXPECT_EQ(removed.code, 1);
  EXPECT_TRUE(contains(removed.err, "'x.h5' was removed while it was written")) << removed.err;
}

TEST_F(MovedResults, AreNotMistakenForThoseOfAnotherRun) {
  const Answer answer = run_with([&] {
    std::filesystem::rename(folder_ / "x.h5", folder_ / "y.h5");
    std::filesystem::copy(folder_ / "run.h5", folder_ / "x.h5");
  });
  EXPECT_EQ(answer.code, 1);
  EXPECT_TRUE(contains(answer.err, "it is 'y.h5' now; another file stands there now"))
      << answer.err;
  EXPECT_FALSE(contains(answer.err, "readable and holds")) << answer.err;
  EXPECT_FALSE(std::filesystem::exists(folder_ / "x.html"));
}

// From whichever folder the run and the export are made.
TEST_F(OutputRules, ATableBehindTheResultsIsKnownFromEverywhere) {
  std::filesystem::create_directory(folder_ / "z");
  folder_.put("z/tabled.yaml",
              contents_of(folder_ / "pendulum.yaml") + "\ntables: {t: {csv: load.csv}}\n");
  folder_.put("z/load.csv", contents_of(folder_ / "run.csv"));
  const auto in = [&](const std::string& folder, const std::string& words) {
    return folder_.run_program("sh", {"-c", "cd " + folder + " && " TRAMMEL_CLI " " + words});
  };
  ASSERT_EQ(in("z", "run tabled.yaml -u 0.1 -q --no-report").code, 0);
  ASSERT_EQ(in(".", "run z/tabled.yaml -u 0.1 -q --no-report -o z/outside.h5").code, 0);
  ASSERT_EQ(in(".", "export z/outside.h5 -o smaller.h5").code, 0);
  for (const auto& [folder, words] : std::vector<std::pair<std::string, std::string>>{
           {"z", "export tabled.h5 -f -o load.csv"},
           {".", "export z/tabled.h5 -f -o z/load.csv"},
           {"z", "export outside.h5 -f -o load.csv"},
           {".", "export z/outside.h5 -f -o z/load.csv"},
           {"z", "export ../smaller.h5 -f -o load.csv"}}) {
    const Answer answer = in(folder, words);
    EXPECT_EQ(answer.code, 2) << words;
    EXPECT_TRUE(contains(answer.err, "into itself")) << answer.err;
  }
  EXPECT_EQ(contents_of(folder_ / "z/load.csv"), contents_of(folder_ / "run.csv"));
}

TEST_F(OutputRules, OnlyModelsAreFormattedInPlace) {
  folder_.put("notes.yaml", "notes:    hello   # mine\n");
  EXPECT_EQ(folder_.run({"format", "--in-place", "notes.yaml"}).code, 2);
  EXPECT_EQ(contents_of(folder_ / "notes.yaml"), "notes:    hello   # mine\n");
}

}  // namespace
}  // namespace trammel::cli::testing
