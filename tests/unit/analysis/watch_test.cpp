// Early ends and progress by wall time.
#include "trammel/analysis/watch.h"

#include <chrono>
#include <thread>

#include "full_vocabulary.h"
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "trammel/analysis/kinematics.h"
#include "trammel/analysis/simulate.h"
#include "trammel/io/model_file.h"
#include "trammel/results/memory_sink.h"

namespace trammel::analysis::watch_test {
namespace {

constexpr const char* pendulum =
    "trammel: 1\nspace: planar\ngravity: [0, -9.81]\n"
    "bodies:\n  rod: {mass: 1, inertia: 0.1, position: [0.5, 0], frames: {top: [-0.5, 0]}}\n"
    "joints:\n  pin: {type: revolute, between: [ground, rod.top]}\n";

model::Description described(const std::string& more) {
  return io::read_model_text(std::string(pendulum) + more, "model", full_vocabulary()).description;
}

TEST(Watch, EndsAtTheTimeLimitOrWhenAsked) {
  Watch patient({nullptr, 3600.0});
  patient.after_step();
  EXPECT_FALSE(patient.stopped());

  const auto start = std::chrono::steady_clock::now();
  Watch limited({nullptr, 0.02});
  while (!limited.stopped()) limited.after_step();
  EXPECT_GE(std::chrono::steady_clock::now() - start, std::chrono::milliseconds(20));
  EXPECT_EQ(limited.reason(), "the time limit of 0.02 s was reached");

  std::atomic<bool> stop{false};
  Watch asked({&stop, 0.0});
  asked.after_step();
  EXPECT_FALSE(asked.stopped());
  stop = true;
  EXPECT_TRUE(asked.stopped());
  EXPECT_EQ(asked.reason(), "stopped by the user");
}

TEST(Watch, TellsTenTimesASecondHoweverShortOrLongStepsAre) {
  Watch watch(EarlyEnd{});
  int tellings = 0;
  while (watch.wall_time() < 0.35) tellings += watch.after_step() ? 1 : 0;
  EXPECT_GE(tellings, 1);
  EXPECT_LE(tellings, 3);
  std::this_thread::sleep_for(std::chrono::milliseconds(110));
  int steps = 1;
  while (!watch.after_step()) ++steps;
  EXPECT_LE(steps, 16);
}

TEST(TimeLimit, StopsASimulationAndKeepsItsRows) {
  // Rows every hour: nothing but the clock can end the interval, and only the clock can tell of it.
  const model::Description description =
      described("simulation: {until: 2 h, step: 10 us, output_step: 1 h}\n");
  const auto system = model::compile(description);
  results::MemorySink sink;
  SimulationOptions options;
  options.sink = &sink;
  options.time_limit = 0.3;
  std::vector<Progress> progress;
  options.progress = [&](const Progress& each) { progress.push_back(each); };
  const SimulationReport report = simulate(*system, description.simulation, options);
  EXPECT_EQ(report.outcome, results::Outcome::stopped);
  EXPECT_NE(report.message.find("the time limit of 0.3 s was reached at t = "), std::string::npos)
      << report.message;
  EXPECT_LT(report.statistics.at("wall_time"), 5.0);
  const results::Table table = sink.take();
  ASSERT_EQ(table.rows(), 2u);  // the start, and where it was stopped
  EXPECT_EQ(table.time.back(), report.final_motion.state.t);
  EXPECT_EQ(table.outcome, results::Outcome::stopped);
  ASSERT_FALSE(progress.empty());
  EXPECT_NEAR(progress.back().step, 1e-5, 1e-12);
  EXPECT_GT(progress.back().wall_time, 0.05);
}

TEST(TimeLimit, StopsKinematicsAndKeepsItsRows) {
  const model::Description description = described(
      "drives:\n  motor: {type: position, coordinate: pin.angle, motion: 1 rad/s * time}\n"
      "simulation: {until: 2 h, step: 10 us, output_step: 1 h}\n");
  const auto system = model::compile(description);
  results::MemorySink sink;
  SimulationOptions options;
  options.sink = &sink;
  options.time_limit = 0.3;
  const KinematicsReport report =
      kinematics(*system, description.simulation, {"motor"}, options, nullptr);
  EXPECT_EQ(report.outcome, results::Outcome::stopped);
  EXPECT_NE(report.message.find("the time limit of 0.3 s"), std::string::npos) << report.message;
  const results::Table table = sink.take();
  ASSERT_EQ(table.rows(), 2u);
  EXPECT_EQ(table.time.back(), report.final_motion.state.t);
}

TEST(Simulation, EndsAtItsEndWhetherOrNotThatIsAMultipleOfTheStep) {
  for (const char* times : {"until: 1 s, step: 3 ms", "until: 1 s, step: 0.3, output_step: 0.7",
                            "until: 10 ms, step: 1 s", "until: 1 s, step: 1 ms, output_step: 1e9",
                            "until: 1 s, step: 1/7, integrator: dormand-prince"}) {
    const model::Description description = described(fmt::format("simulation: {{{}}}\n", times));
    const auto system = model::compile(description);
    const SimulationReport report = simulate(*system, description.simulation);
    EXPECT_EQ(report.outcome, results::Outcome::completed) << times << ": " << report.message;
    const double until = description.simulation.until;
    EXPECT_NEAR(report.final_motion.state.t, until, 1e-12 * until) << times;
  }
}

}  // namespace
}  // namespace trammel::analysis::watch_test
