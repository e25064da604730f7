// Whatever goes wrong at whichever operation on a file: what a run, a comparison or a report leaves
// behind is nothing or readable, numbers are right, and the exit code is as documented.
#include <cstdlib>
#include <string>

#include "command_line.h"
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "trammel/core/diagnostic.h"
#include "trammel/results/reader.h"

namespace trammel::cli::testing {
namespace {

#ifndef TRAMMEL_FAULTS
constexpr const char* faults = nullptr;
#else
constexpr const char* faults = TRAMMEL_FAULTS;
#endif

class FaultInjection : public ::testing::Test {
 protected:
  void SetUp() override {
    if (faults == nullptr) GTEST_SKIP() << "sanitizers do not go with a library loaded before them";
    ASSERT_EQ(folder_.run({"new", "pendulum"}).code, 0);
  }

  /// `fault` as the library of faults wants it: "kill:17".
  Answer run_with(const std::string& fault, const std::vector<std::string>& arguments) const {
    return folder_.wait(folder_.start(arguments, [&] {
      ::setenv("LD_PRELOAD", faults, 1);
      ::setenv("TRAMMEL_FAULT", fault.c_str(), 1);
      ::setenv("TRAMMEL_FAULT_COUNT", "operations", 1);
    }));
  }

  /// How many operations on files a command takes when nothing goes wrong.
  int operations_of(const std::vector<std::string>& arguments) const {
    const Answer answer = run_with("count", arguments);
    EXPECT_EQ(answer.code, 0) << answer.err;
    return std::atoi(contents_of(folder_ / "operations").c_str());
  }

  void remove(const char* name) const { std::filesystem::remove(folder_ / name); }

  bool has_remains() const {
    for (const auto& entry : std::filesystem::directory_iterator(folder_.path())) {
      if (contains(entry.path().filename().string(), ".part")) return true;
    }
    return false;
  }

  /// Nothing hidden but the answers of the program.
  void expect_no_remains(const std::string& fault) const {
    for (const auto& entry : std::filesystem::directory_iterator(folder_.path())) {
      const std::string name = entry.path().filename().string();
      EXPECT_FALSE(contains(name, ".part")) << fault << " leaves " << name;
    }
  }

  void expect_whole_page(const char* name, const std::string& fault) const {
    if (!std::filesystem::exists(folder_ / name)) return;
    const std::string page = contents_of(folder_ / name);
    EXPECT_TRUE(contains(page.substr(0, 20), "<!doctype html>")) << fault;
    EXPECT_TRUE(page.size() > 8 && page.substr(page.size() - 8) == "</html>\n") << fault;
  }

  Folder folder_;
};

/// The rows of `part` are the first ones of `whole`, bit for bit.
void expect_beginning(const results::Table& part, const results::Table& whole) {
  ASSERT_LE(part.rows(), whole.rows());
  ASSERT_EQ(part.channels.size(), whole.channels.size());
  for (std::size_t row = 0; row < part.rows(); ++row) {
    ASSERT_EQ(part.time[row], whole.time[row]);
    for (std::size_t i = 0; i < part.columns.size(); ++i) {
      ASSERT_EQ(part.columns[i][row], whole.columns[i][row]) << part.channels[i].name;
    }
  }
}

using StillClock = FaultInjection;

TEST_F(StillClock, ARunThatDoesNotLookAtItsTimeEndsAllTheSameAndSaysSo) {
  // For the computation no time passes, so that it never sees the end of its limit.
  folder_.put("driven.yaml",
              "trammel: 1\nspace: planar\n"
              "bodies: {rod: {mass: 1, inertia: 0.1}}\n"
              "joints: {pin: {type: revolute, between: [ground, rod]}}\n"
              "drives: {motor: {type: position, coordinate: pin.angle, motion: 1 rad/s * time}}\n");
  struct Case {
    std::vector<std::string> words;
    std::string file;
    Folder folder;
    pid_t child = 0;
  };
  std::vector<Case> cases(4);
  cases[0].words = {"run", "driven.yaml", "-o", "a.h5"};
  cases[1].words = {"run", "driven.yaml", "-o", "a.csv"};
  cases[2].words = {"kinematics", "driven.yaml", "-o", "a.h5"};
  cases[3].words = {"inverse", "driven.yaml", "-o", "a.h5"};
  for (Case& each : cases) {  // side by side, as each takes seconds
    each.file = each.words.back();
    each.folder.put("driven.yaml", contents_of(folder_ / "driven.yaml"));
    for (const char* word : {"--until", "1e6 s", "--output-step", "1 s", "--time-limit", "0.2 s"}) {
      each.words.emplace_back(word);
    }
    each.child = each.folder.start(each.words, [] {
      ::setenv("LD_PRELOAD", faults, 1);
      ::setenv("TRAMMEL_FAULT", "still", 1);
    });
  }
  for (Case& each : cases) {
    const Answer answer = each.folder.wait(each.child);
    EXPECT_EQ(answer.code, 1) << each.words[0];
    EXPECT_TRUE(contains(answer.err,
                         "the time limit of 0.2 s was reached; the command could not be "
                         "ended in good order; '" +
                             each.file + "' is readable and holds "))
        << answer.err;
    const results::Contents contents = results::inspect(each.folder / each.file);
    EXPECT_EQ(contents.outcome, results::Outcome::stopped) << each.words[0];
    EXPECT_EQ(contents.message, "the time limit of 0.2 s was reached") << each.words[0];
    EXPECT_GT(contents.rows, 10U) << each.words[0];
    EXPECT_EQ(results::read(each.folder / each.file).rows(), contents.rows) << each.words[0];
  }
}

TEST_F(StillClock, ACommandThatWroteNothingSaysThat) {
  // A pipe that never ends, since the program holds its other end itself.
  const auto endless = [] {
    int ends[2] = {-1, -1};
    if (::pipe(ends) != 0) ::_exit(126);
    ::dup2(ends[0], STDIN_FILENO);
  };
  for (const char* command : {"check", "info", "format", "run", "compare"}) {
    const Answer answer =
        folder_.wait(folder_.start({command, "/dev/stdin", "--time-limit", "0.1 s"}, endless));
    EXPECT_EQ(answer.code, 1) << command;
    EXPECT_TRUE(contains(answer.err, "the time limit of 0.1 s was reached")) << answer.err;
    EXPECT_TRUE(contains(answer.err, "nothing was written")) << answer.err;
    EXPECT_FALSE(contains(answer.err, "rows")) << answer.err;
  }
}

TEST_F(StillClock, AComparisonNamesNoTableBeforeItsFirstRun) {
  const Answer answer = folder_.wait(folder_.start(
      {"compare", "pendulum.yaml", "-m", "newmark", "--index", "3", "--stabilisation", "none",
       "--step", "1 ms", "--until", "1e5 s", "-j", "1", "--time-limit", "0.2 s"},
      [] {
        ::setenv("LD_PRELOAD", faults, 1);
        ::setenv("TRAMMEL_FAULT", "still", 1);
      }));
  EXPECT_EQ(answer.code, 1);
  EXPECT_TRUE(contains(answer.err, "nothing was written")) << answer.err;
  EXPECT_FALSE(contains(answer.err, "pendulum.compare.csv")) << answer.err;
}

class FaultyRun : public FaultInjection {
 protected:
  /// Chunks of 256 rows: several of them, the last one in part.
  const std::vector<std::string> run_{
      "run",
      "pendulum.yaml",
      "--until",
      "0.6 s",
      "--step",
      "1 ms",
      "--output-step",
      "1 ms",
      "--channels",
      "rod.position.*,rod.velocity.*,rod.acceleration.*,pin.*,energy.*",
      "-o",
      "out.h5",
      "--force"};

  void expect_sound(const std::string& fault, const Answer& answer, const results::Table& whole) {
    const bool exists = std::filesystem::exists(folder_ / "out.h5");
    EXPECT_TRUE(answer.signal == 0 || answer.signal == SIGKILL) << fault;
    if (answer.code != 1 && answer.signal == 0) {
      EXPECT_TRUE(answer.code == 0 || (answer.code == 2 && !exists)) << fault << ": " << answer.err;
    }
    EXPECT_TRUE(exists || answer.code != 0) << fault;
    EXPECT_TRUE(answer.code <= 0 || contains(answer.err, "error: ")) << fault << answer.err;
    expect_whole_page("out.html", fault);
    if (!exists) return;
    try {
      const results::Table table = results::read(folder_ / "out.h5");
      expect_beginning(table, whole);
      if (answer.code == 0 || table.outcome == results::Outcome::completed) {
        EXPECT_EQ(table.rows(), whole.rows()) << fault;
      }
      // A disk that takes writes again is told the truth; one that is broken cannot be.
      if (answer.code == 1 && !contains(fault, "broken")) {
        EXPECT_EQ(table.outcome, results::Outcome::failed) << fault;
      }
      if (answer.code == 0) {
        EXPECT_EQ(table.outcome, results::Outcome::completed) << fault;
        EXPECT_EQ(table.info.more.count("what_happened"), 1u) << fault;
      }
    } catch (const core::InputError& error) {
      ADD_FAILURE() << fault << " leaves a file that cannot be read: " << error.what();
    }
  }

  void expect_sound_at_every_operation(const std::string& kind) {
    const int operations = operations_of(run_);
    ASSERT_GT(operations, 60);
    const results::Table whole = results::read(folder_ / "out.h5");
    ASSERT_EQ(whole.rows(), 601u);
    for (int n = 1; n <= operations && !HasFailure(); ++n) {
      remove("out.h5");
      remove("out.html");
      const std::string fault = kind + ":" + std::to_string(n);
      expect_sound(fault, run_with(fault, run_), whole);
      expect_no_remains(fault);
    }
  }
};

TEST_F(FaultyRun, SurvivesAKillAtEveryOperation) {
  expect_sound_at_every_operation("kill");
}

TEST_F(FaultyRun, SurvivesATornWriteAtEveryOperation) {
  expect_sound_at_every_operation("tear");
}

TEST_F(FaultyRun, SurvivesAFullDiskFromEveryOperationOn) {
  expect_sound_at_every_operation("full");
}

TEST_F(FaultyRun, SurvivesAnErrorOfTheDiskAtEveryOperation) {
  expect_sound_at_every_operation("eio");
}

TEST_F(FaultyRun, SurvivesADiskThatBreaksAtEveryOperation) {
  expect_sound_at_every_operation("broken");
}

// The run is over, or not yet: what was asked for is written all the same, with the outcome, the
// report and the exit code that belong together.
TEST_F(FaultyRun, LosesNothingBySIGINTAtAnyOperation) {
  const int operations = operations_of(run_);
  int completed = 0;
  for (int n = 1; n <= operations && !HasFailure(); n += n < operations - 20 ? 3 : 1) {
    remove("out.h5");
    remove("out.html");
    const Answer answer = run_with("int:" + std::to_string(n), run_);
    EXPECT_EQ(answer.signal, 0) << n;
    const results::Contents contents = results::inspect(folder_ / "out.h5");
    EXPECT_EQ(contents.outcome,
              answer.code == 0 ? results::Outcome::completed : results::Outcome::stopped)
        << n;
    EXPECT_TRUE(answer.code == 0 || contains(answer.err, "stopped by the user")) << answer.err;
    EXPECT_TRUE(std::filesystem::exists(folder_ / "out.html")) << n;
    expect_whole_page("out.html", std::to_string(n));
    completed += answer.code == 0 ? 1 : 0;
  }
  EXPECT_GT(completed, 10);
  // A second one ends the program at once.
  EXPECT_EQ(run_with("ints:" + std::to_string(operations - 5), run_).signal, SIGINT);
}

TEST_F(FaultyRun, RecordsThatTheDiskWasFull) {
  const int operations = operations_of(run_);
  int recorded = 0;
  for (int n = operations / 3; n < operations; n += 7) {
    remove("out.h5");
    remove("out.html");
    const Answer answer = run_with("full:" + std::to_string(n), run_);
    if (answer.code == 0) continue;
    const results::Contents contents = results::inspect(folder_ / "out.h5");
    EXPECT_EQ(contents.outcome, results::Outcome::failed) << n;
    EXPECT_TRUE(contains(contents.message, "the disk is full")) << contents.message;
    ++recorded;
  }
  EXPECT_GT(recorded, 3);
}

TEST_F(FaultyRun, WithoutAReportIsARunAllTheSame) {
  std::vector<std::string> alone = run_;
  alone.emplace_back("--no-report");
  const int operations = operations_of(alone);
  remove("out.h5");
  remove("out.html");
  const Answer answer = run_with("broken:" + std::to_string(operations + 1), run_);
  EXPECT_EQ(answer.code, 0) << answer.err;
  EXPECT_TRUE(contains(answer.err, "warning: no report: ")) << answer.err;
  EXPECT_EQ(results::read(folder_ / "out.h5").outcome, results::Outcome::completed);
  EXPECT_FALSE(std::filesystem::exists(folder_ / "out.html"));
}

TEST_F(FaultyRun, IsOnTheDiskWhenItHasEnded) {
  const auto operations = [&](const std::string& output) {
    std::vector<std::string> words = run_;
    words[11] = output;
    words.emplace_back("--no-report");
    EXPECT_EQ(run_with("trace", words).code, 0);
    return contents_of(folder_ / "operations");
  };
  for (const char* output : {"out.h5", "out.csv"}) {
    // A new file gets its name by a link, and takes the place of the old one by a rename: after
    // each the folder goes to the disk, and after the last write the file.
    const std::string first = operations(output);
    EXPECT_TRUE(contains(first, "LF")) << first;
    EXPECT_EQ(first.find_last_of("WT") + 1, first.find_last_of('S')) << first;
    const std::string second = operations(output);
    EXPECT_TRUE(contains(second, "LRF")) << second;
    EXPECT_EQ(second.find_last_of("WT") + 1, second.find_last_of('S')) << second;
  }
}

TEST_F(FaultyRun, InterruptedAndShortWritesAndJumpingClocksChangeNothing) {
  ASSERT_EQ(folder_.run(run_).code, 0);
  const results::Table whole = results::read(folder_ / "out.h5");
  for (const char* fault : {"eintr:1", "short:1", "clock:1"}) {
    remove("out.h5");
    remove("out.html");
    const Answer answer = run_with(fault, run_);
    EXPECT_EQ(answer.code, 0) << fault << answer.err;
    const results::Table table = results::read(folder_ / "out.h5");
    EXPECT_EQ(table.rows(), whole.rows()) << fault;
    EXPECT_EQ(table.outcome, results::Outcome::completed) << fault;
    expect_beginning(table, whole);
    expect_whole_page("out.html", fault);
  }
}

TEST_F(FaultyRun, KeepsTheOldResultsUntilTheNewOnesHaveBegun) {
  ASSERT_EQ(folder_.run(run_).code, 0);
  const results::Table whole = results::read(folder_ / "out.h5");
  for (const char* kind : {"kill", "full", "broken"}) {
    for (int n = 1; n <= 12; ++n) {
      std::string fault = kind;
      fault += ":" + std::to_string(n);
      run_with(fault, run_);
      ASSERT_TRUE(std::filesystem::exists(folder_ / "out.h5")) << fault;
      expect_beginning(results::read(folder_ / "out.h5"), whole);
    }
  }
}

TEST_F(FaultInjection, OfAReportLeavesAWholeOneOrNone) {
  ASSERT_EQ(folder_.run({"run", "pendulum.yaml", "--until", "0.1 s", "--no-report"}).code, 0);
  const std::vector<std::string> command{"report", "pendulum.h5", "-o", "page.html"};
  const std::string before = contents_of(folder_ / "pendulum.h5");
  const int operations = operations_of(command);
  for (const char* kind : {"kill", "tear", "full", "eio", "broken", "eintr", "short"}) {
    for (int n = 1; n <= operations && !HasFailure(); ++n) {
      remove("page.html");
      const std::string fault = kind + (":" + std::to_string(n));
      const Answer answer = run_with(fault, command);
      const bool exists = std::filesystem::exists(folder_ / "page.html");
      EXPECT_TRUE(exists || answer.code != 0) << fault;
      EXPECT_TRUE(answer.signal == SIGKILL || (answer.code >= 0 && answer.code <= 2)) << fault;
      expect_whole_page("page.html", fault);
      expect_no_remains(fault);
    }
  }
  EXPECT_EQ(contents_of(folder_ / "pendulum.h5"), before);
}

TEST_F(FaultInjection, OfReadingIsNeverTakenForTheEndOfTheFile) {
  ASSERT_EQ(folder_.run({"run", "pendulum.yaml", "-u", "5 s", "-o", "r.csv"}).code, 0);
  for (const std::vector<std::string>& command : std::vector<std::vector<std::string>>{
           {"info", "r.csv"}, {"export", "r.csv", "--summary"}, {"export", "r.csv", "-o", "-"}}) {
    const std::string whole = folder_.run(command).out;
    int told = 0;
    bool failed = true;
    for (int n = 1; failed && n < 100; ++n) {
      const Answer answer = run_with("unread:" + std::to_string(n), command);
      failed = answer.code != 0;
      EXPECT_TRUE(answer.code == 2 || answer.out == whole) << command[0] << n << answer.err;
      if (failed && contains(answer.err, "cannot be read: Input/output error")) ++told;
    }
    EXPECT_GT(told, 3) << command[0];
  }
}

TEST_F(FaultInjection, OfVtkLeavesTheOldFilesOrTheNewOnes) {
  ASSERT_EQ(folder_.run({"run", "pendulum.yaml", "-u", "0.1 s", "-o", "a.h5"}).code, 0);
  ASSERT_EQ(folder_.run({"run", "pendulum.yaml", "-u", "0.2 s", "-o", "b.h5"}).code, 0);
  const std::vector<std::string> first{"export", "a.h5", "-o", "q.pvd", "--frames", "6"};
  const std::vector<std::string> second{"export", "b.h5", "-o", "q.pvd", "--frames", "4", "-f"};
  const auto everything = [&] {
    std::string all = contents_of(folder_ / "q.pvd");
    for (int k = 0; k < 8; ++k) {
      all += contents_of(folder_ / ("q_vtk/q_0000" + std::to_string(k) + ".vtp")) + "|";
    }
    return all;
  };
  const auto clear = [&] {
    remove("q.pvd");
    std::filesystem::remove_all(folder_ / "q_vtk");
  };
  ASSERT_EQ(folder_.run(first).code, 0);
  const std::string before = everything();
  const int operations = operations_of(second);
  const std::string after = everything();
  EXPECT_FALSE(std::filesystem::exists(folder_ / "q_vtk/q_00004.vtp")) << "of the export before";
  for (const char* kind : {"full", "eio", "broken", "int"}) {
    for (int n = 1; n <= operations && !HasFailure(); ++n) {
      const std::string fault = kind + (":" + std::to_string(n));
      clear();
      ASSERT_EQ(folder_.run(first).code, 0);
      const Answer answer = run_with(fault, second);
      EXPECT_EQ(answer.signal, 0) << fault;
      const std::string found = everything();
      EXPECT_TRUE(found == after || (found == before && answer.code != 0)) << fault << answer.err;
      expect_no_remains(fault);
      clear();
      run_with(fault, second);
      EXPECT_EQ(everything() == after, std::filesystem::exists(folder_ / "q_vtk")) << fault;
      expect_no_remains(fault);
    }
  }
}

TEST_F(FaultInjection, OfAComparisonKeepsTheRunsThatWereFinished) {
  const std::vector<std::string> command{
      "compare", "pendulum.yaml", "-m",           "newmark", "--index", "3",  "--stabilisation",
      "none",    "--step",        "20 ms, 10 ms", "--until", "0.1 s",   "-j", "1"};
  const int operations = operations_of(command);
  const std::string heading = contents_of(folder_ / "pendulum.compare.csv").substr(0, 40);
  for (const char* kind : {"kill", "tear", "full", "eio", "broken"}) {
    for (int n = 1; n <= operations && !HasFailure(); ++n) {
      remove("pendulum.compare.csv");
      remove("pendulum.compare.html");
      const std::string fault = kind + (":" + std::to_string(n));
      const Answer answer = run_with(fault, command);
      EXPECT_TRUE(answer.signal == SIGKILL || (answer.code >= 0 && answer.code <= 2))
          << fault << answer.err;
      expect_whole_page("pendulum.compare.html", fault);
      if (std::filesystem::exists(folder_ / "pendulum.compare.csv")) {
        EXPECT_EQ(contents_of(folder_ / "pendulum.compare.csv").substr(0, 40), heading) << fault;
      }
      // The same command goes on from there. It also removes what a kill between the two system
      // calls has left by which a file takes the place of another.
      if (n % 3 == 0 || has_remains()) {
        EXPECT_EQ(folder_.run(command).code, 0) << fault;
      }
      expect_no_remains(fault);
    }
  }
}

}  // namespace
}  // namespace trammel::cli::testing
