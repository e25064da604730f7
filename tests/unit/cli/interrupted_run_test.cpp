// Ctrl-C, kill -9 and a full disk: each leaves results that can be read.
#include <chrono>
#include <cmath>
#include <thread>

#include "command_line.h"
#include <gtest/gtest.h>
#include <sys/resource.h>

#include "trammel/core/diagnostic.h"
#include "trammel/results/reader.h"

namespace trammel::cli::testing {
namespace {

using namespace std::chrono_literals;

class InterruptedRun : public ::testing::Test {
 protected:
  void SetUp() override { ASSERT_EQ(folder_.run({"new", "pendulum"}).code, 0); }

  /// A run that would take hours.
  const std::vector<std::string> long_run_{"run",    "pendulum.yaml", "--until",       "1e7 s",
                                           "--step", "1e-4 s",        "--output-step", "10 ms"};

  std::size_t rows_on_disk() const {
    try {
      return results::inspect(folder_ / "pendulum.h5").rows;
    } catch (const core::InputError&) {
      return 0;
    }
  }

  void wait_for_rows() const {
    for (int i = 0; i < 2000 && rows_on_disk() < 10; ++i) std::this_thread::sleep_for(10ms);
    ASSERT_GE(rows_on_disk(), 10u) << contents_of(folder_ / ".err");
  }

  /// Times without a gap, and numbers that belong to a pendulum of 1 m.
  void expect_readable() const {
    const results::Table table = results::read(folder_ / "pendulum.h5", {"rod.position.*"});
    ASSERT_GE(table.rows(), 10u);
    for (std::size_t i = 0; i + 1 < table.rows(); ++i) {
      ASSERT_NEAR(table.time[i], 0.01 * static_cast<double>(i), 1e-9 * (1.0 + table.time[i]));
      // The rod's middle stays half a metre from the pin; constraints are solved to 1e-8 or better.
      ASSERT_NEAR(std::hypot(table.columns[0][i], table.columns[1][i]), 0.5, 1e-6);
    }
    EXPECT_EQ(folder_.run({"info", "pendulum.h5"}).code, 0);
  }

  Folder folder_;
};

TEST_F(InterruptedRun, CtrlCKeepsResultsAndSaysHowFarItGot) {
  for (const int signal : {SIGINT, SIGTERM}) {
    std::filesystem::remove(folder_ / "pendulum.h5");
    std::filesystem::remove(folder_ / "pendulum.html");
    const pid_t child = folder_.start(long_run_);
    wait_for_rows();
    ::kill(child, signal);
    const Answer answer = folder_.wait(child);
    EXPECT_EQ(answer.code, 1);
    EXPECT_TRUE(contains(answer.err, "stopped by the user at t = ")) << answer.err;
    EXPECT_TRUE(contains(answer.err, "readable")) << answer.err;
    EXPECT_EQ(results::inspect(folder_ / "pendulum.h5").outcome, results::Outcome::stopped);
    expect_readable();
    EXPECT_TRUE(std::filesystem::exists(folder_ / "pendulum.html"));
  }
}

TEST_F(InterruptedRun, KillLeavesReadableResults) {
  const pid_t child = folder_.start(long_run_);
  wait_for_rows();
  ::kill(child, SIGKILL);
  EXPECT_EQ(folder_.wait(child).signal, SIGKILL);
  EXPECT_EQ(results::inspect(folder_ / "pendulum.h5").outcome, results::Outcome::running);
  expect_readable();
}

TEST_F(InterruptedRun, CanBeReportedAndExportedWhileItGoesOn) {
  const pid_t child = folder_.start(long_run_);
  wait_for_rows();
  // The answers of these are read from the same files as those of the run; codes and files count.
  EXPECT_EQ(folder_.run({"report", "pendulum.h5"}).code, 0);
  EXPECT_EQ(folder_.run({"export", "pendulum.h5", "--to", "glb"}).code, 0);
  EXPECT_EQ(folder_.run({"plot", "pendulum.h5", "rod.angle"}).code, 0);
  EXPECT_EQ(::waitpid(child, nullptr, WNOHANG), 0) << "the run has not noticed";
  ::kill(child, SIGKILL);
  folder_.wait(child);
  EXPECT_TRUE(contains(contents_of(folder_ / "pendulum.html"), "\"outcome\":\"running\""));
  EXPECT_EQ(contents_of(folder_ / "pendulum.glb").substr(0, 4), "glTF");
}

TEST_F(InterruptedRun, FullDiskLeavesReadableResults) {
  const auto limit_files = [] {
    const rlimit limit{400'000, 400'000};  // bytes
    ::setrlimit(RLIMIT_FSIZE, &limit);
  };
  const Answer answer = folder_.wait(folder_.start(long_run_, limit_files));
  EXPECT_EQ(answer.code, 1) << "signal " << answer.signal;
  EXPECT_TRUE(contains(answer.err, "error: ")) << answer.err;
  EXPECT_TRUE(contains(answer.err, "pendulum.h5")) << answer.err;
  EXPECT_TRUE(contains(answer.err, "readable")) << answer.err;
  expect_readable();
}

}  // namespace
}  // namespace trammel::cli::testing
