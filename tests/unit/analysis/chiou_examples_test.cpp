// The spatial mechanisms of [Chiou1990] in examples/chiou, by the staggered method as the files
// say.
#include <cmath>

#include "full_vocabulary.h"
#include "recorded_run.h"
#include <gtest/gtest.h>

#include "trammel/io/model_file.h"

namespace trammel::analysis::chiou_examples_test {
namespace {

model::Description example(const std::string& name) {
  return io::read_model_file(std::string(TRAMMEL_SOURCE_DIR) + "/examples/chiou/" + name + ".yaml",
                             full_vocabulary())
      .description;
}

std::size_t row_at(const results::Table& table, double time) {
  for (std::size_t i = 0; i < table.rows(); ++i) {
    if (std::abs(table.time[i] - time) < 1e-9) return i;
  }
  ADD_FAILURE() << "no row at " << time;
  return 0;
}

// t; y of the middle joint from the middles of bars 2 and 3; x, y of the first one from bar 1; w_z;
// reaction. Four digits are printed; steps of 2 ms leave less than one of the last.
TEST(ChiouExamples, FourBars) {
  constexpr double rows[][8] = {{2, 0.5356, 0.2927, 0.9562, 0.2385, 0.5422, -0.106, -0.928},
                                {4, 1.5909, 0.5319, 0.8468, -0.2698, 0.3070, -0.396, -1.000},
                                {6, 1.3568, 0.2824, 0.9593, 0.3035, -0.7325, -0.224, -1.528},
                                {8, 0.1926, 0.4741, 0.8805, -0.2282, -0.2921, -0.211, -0.849}};
  model::Description d = example("four_bar");
  d.simulation.step = 2e-3;
  const RecordedRun run = recorded_run(d);
  const auto value = [&](const std::string& channel, std::size_t i) {
    return run.table.column(channel)[i];
  };
  for (const auto& row : rows) {
    const std::size_t i = row_at(run.table, row[0]);
    const double first_y = 2.0 * value("bar1.position.y", i);
    EXPECT_NEAR(2.0 * value("bar2.position.y", i) - first_y, row[1], 2e-4) << row[0];
    EXPECT_NEAR(2.0 * value("bar1.position.x", i), row[2], 2e-4) << row[0];
    EXPECT_NEAR(first_y, row[3], 2e-4) << row[0];
    EXPECT_NEAR(value("bar1.angular_velocity.z", i), row[4], 2e-4) << row[0];
    EXPECT_NEAR(value("bar2.angular_velocity.z", i), row[5], 3e-4) << row[0];
    EXPECT_NEAR(value("p0.reaction.force.x", i), row[6], 1e-3) << row[0];
    EXPECT_NEAR(value("p0.reaction.force.y", i), row[7], 1e-3) << row[0];
    EXPECT_NEAR(value("bar3.angular_velocity.z", i), -value("bar2.angular_velocity.z", i), 1e-9);
    EXPECT_NEAR(value("bar4.angular_velocity.z", i), -value("bar1.angular_velocity.z", i), 1e-9);
  }
  // 1.4e-5 at 10 ms.
  EXPECT_LT(recorded_run(example("four_bar")).report.largest_position_error, 2e-5);
}

// Constraint errors of 1.9e-3, 4.8e-4 and 1.2e-4 at 10, 5 and 2.5 ms: of second order.
TEST(ChiouExamples, ThreeRods) {
  const RecordedRun run = recorded_run(example("three_rods"));
  EXPECT_NEAR(run.last("tip.position.x"), 0.419, 1e-3);
  EXPECT_NEAR(run.last("tip.position.y"), 2.077, 1e-3);
  EXPECT_NEAR(run.last("tip.position.z"), -1.038, 1e-3);
  EXPECT_LT(run.report.largest_position_error, 1.5e-4);
}

// The table's values have the error of the step that they were computed with: dormand-prince with
// tolerance 1e-8 differs from them by up to 4 N and 0.0006 rad/s.
TEST(ChiouExamples, Suspension) {
  constexpr double rows[][6] = {{0.20, 0.8038, 0.4538, 0.4538, 0.0, 0.0},
                                {0.25, 0.6943, 0.3621, 0.3613, -741.6, 0.0276},
                                {0.30, 0.5918, 0.3628, 0.3683, -5389, 0.1034},
                                {0.40, 0.4931, 0.3562, 0.3707, -9919, -0.0740},
                                {0.60, 0.6034, 0.3896, 0.3824, -4607, -0.0096},
                                {0.80, 0.6869, 0.3876, 0.3924, -2359, 0.1490},
                                {1.00, 0.6279, 0.3775, 0.3823, -4940, -0.0410}};
  const RecordedRun run = recorded_run(example("suspension"));
  const auto value = [&](const std::string& channel, std::size_t i) {
    return run.table.column(channel)[i];
  };
  for (const auto& row : rows) {
    const std::size_t i = row_at(run.table, row[0]);
    EXPECT_NEAR(value("chassis.position.z", i), row[1], 3e-4) << row[0];
    EXPECT_NEAR(value("wheel_fl.position.z", i), row[2], 3e-4) << row[0];
    EXPECT_NEAR(value("wheel_rl.position.z", i), row[3], 3e-4) << row[0];
    EXPECT_NEAR(value("spring_fl.tension", i), row[4], 10.0) << row[0];
    EXPECT_NEAR(value("chassis.angular_velocity.y", i), row[5], 1e-3) << row[0];
    EXPECT_NEAR(value("wheel_fr.position.z", i), value("wheel_fl.position.z", i), 1e-9);
    EXPECT_NEAR(value("wheel_rr.position.z", i), value("wheel_rl.position.z", i), 1e-9);
  }
  bool told = false;
  for (const std::string& note : run.report.notes) {
    told = told || note.find("rebuilt every 10 steps") != std::string::npos;
  }
  EXPECT_TRUE(told);
}

// Above the stability limit the run stops, and says how long a step may be.
TEST(ChiouExamples, SuspensionStopsAboveTheStepLimit) {
  model::Description d = example("suspension");
  d.simulation.step = 0.05;
  const auto system = formulation::compile_model(d).system;
  const SimulationReport report = simulate(*system, d.simulation, {});
  EXPECT_EQ(report.outcome, results::Outcome::failed);
  EXPECT_NE(report.message.find("above the stability limit of staggered"), std::string::npos)
      << report.message;
  EXPECT_NE(report.remedy.find("take a step of at most"), std::string::npos) << report.remedy;
}

}  // namespace
}  // namespace trammel::analysis::chiou_examples_test
