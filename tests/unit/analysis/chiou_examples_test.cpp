// The spatial mechanisms of [Chiou1990] in examples/chiou, by the staggered method as the files
// say.
#include <cmath>

#include "full_vocabulary.h"
#include "recorded_run.h"
#include <gtest/gtest.h>

#include "trammel/io/model_file.h"

namespace trammel::analysis::chiou_examples_test {
namespace {

model::Description example(const std::string& name, const io::Overrides& overrides = {}) {
  return io::read_model_file(std::string(TRAMMEL_SOURCE_DIR) + "/examples/chiou/" + name + ".yaml",
                             full_vocabulary(), {.overrides = overrides})
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
  EXPECT_NEAR(run.last("tip.position.x"), 0.419, 5e-4);
  EXPECT_NEAR(run.last("tip.position.y"), 2.077, 5e-4);
  EXPECT_NEAR(run.last("tip.position.z"), -1.038, 5e-4);
  // In model sizes, of some 3 m.
  EXPECT_NEAR(run.report.largest_position_error, 1.2e-4 / 3.0, 0.05e-4);
  model::Description d = example("three_rods");
  d.simulation.step = 10e-3;
  EXPECT_NEAR(
      std::log2(recorded_run(d).report.largest_position_error / run.report.largest_position_error),
      4.0, 0.2);
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
    EXPECT_NEAR(value("chassis.position.z", i), row[1], 1e-4) << row[0];
    EXPECT_NEAR(value("wheel_fl.position.z", i), row[2], 1e-4) << row[0];
    EXPECT_NEAR(value("wheel_rl.position.z", i), row[3], 1e-4) << row[0];
    EXPECT_NEAR(value("spring_fl.tension", i), row[4], 2.0) << row[0];
    EXPECT_NEAR(value("chassis.angular_velocity.y", i), row[5], 3e-4) << row[0];
    EXPECT_NEAR(value("wheel_fr.position.z", i), value("wheel_fl.position.z", i), 1e-9);
    EXPECT_NEAR(value("wheel_rr.position.z", i), value("wheel_rl.position.z", i), 1e-9);
  }
  bool told = false;
  for (const std::string& note : run.report.notes) {
    told = told || note.find("rebuilt every 10 steps") != std::string::npos;
  }
  EXPECT_TRUE(told);
}

double value_at(const RecordedRun& run, const std::string& channel, double time) {
  return run.table.column(channel)[row_at(run.table, time)];
}

// w_x + i w_y = 0.1 exp(i t). Half steps of the grids multiply it by s, s - 1/s = i h, so that they
// turn a little too fast, by W = 2/h asin(h/2). The start is 3/8 (h/2)^4 of the amplitude
// off, 1.5e-8.
TEST(ChiouExamples, FreeTop) {
  const RecordedRun run = recorded_run(example("free_top"));
  constexpr double h = 0.05;
  const double rate = 2.0 / h * std::asin(0.5 * h);
  for (const double t : {10.0, 30.0, 60.0}) {
    EXPECT_NEAR(value_at(run, "top.angular_velocity.x", t), 0.1 * std::cos(rate * t), 2e-8);
    EXPECT_NEAR(value_at(run, "top.angular_velocity.y", t), 0.1 * std::sin(rate * t), 2e-8);
    EXPECT_NEAR(value_at(run, "top.angular_velocity.z", t), 1.0, 1e-12);
    EXPECT_NEAR(value_at(run, "top.angular_velocity.x", t), 0.1 * std::cos(t), 7e-4);
  }
}

// t, angles of crank and rod, the rod's middle, rates, forces on the rod at the pin, and at the
// slider.
TEST(ChiouExamples, CrankSlider) {
  constexpr double rows[][10] = {
      {0.2, 0.37414, -0.18377, 0.95699, 0.09137, 3.69147, -1.74748, -11.528, 7.863, -4.681},
      {0.4, 1.42902, -0.51782, 0.50510, 0.24749, 6.90915, -0.56177, -6.886, -1.134, 0.180},
      {0.6, 3.29000, 0.07400, 0.00413, -0.03697, 11.80507, 5.85367, 53.346, 6.459, -3.035},
      {0.8, 5.96277, 0.15814, 0.96831, -0.07874, 15.69104, -7.54030, -135.069, 12.461, -25.804},
      {0.82, 6.28319, 0.0, 1.0, 0.0, 16.28518, -8.14259, -165.754, 8.045, -6.475}};
  const RecordedRun run = recorded_run(example("crank_slider"));
  for (const auto& row : rows) {
    const auto near = [&](const char* channel, double expected, double tolerance) {
      EXPECT_NEAR(value_at(run, channel, row[0]), expected, tolerance) << channel << row[0];
    };
    near("crank.angle", row[1], 1.1e-5);
    near("rod.angle", row[2], 1.1e-5);
    near("rod.position.x", row[3], 1.1e-5);
    near("rod.position.y", row[4], 1.1e-5);
    near("crank.angular_velocity", row[5], 2e-5);
    near("rod.angular_velocity", row[6], 2e-5);
    near("pin.reaction.force.x", row[7], 2e-3);
    near("pin.reaction.force.y", row[8], 2e-3);
    near("slider.reaction.force.y", -row[9], 2e-3);
  }
}

TEST(ChiouExamples, ThreeLinks) {
  const RecordedRun run = recorded_run(example("three_links"));
  const auto angles = [&](double t, double a, double b, double c) {
    EXPECT_NEAR(value_at(run, "link1.angle", t), a, 1.5e-5) << t;
    EXPECT_NEAR(value_at(run, "link2.angle", t), b, 1.5e-5) << t;
    EXPECT_NEAR(value_at(run, "link3.angle", t), c, 1.5e-5) << t;
  };
  angles(0.6, 1.28078, 1.87435, 0.68574);
  angles(1.0, 0.52616, 2.74246, 0.04653);
  angles(1.1, 0.08677, 3.22096, -0.00841);
  EXPECT_NEAR(value_at(run, "link1.angular_velocity", 1.0), -3.3959, 1e-4);
  EXPECT_NEAR(value_at(run, "j1.reaction.force.x", 1.1), -111.8, 0.06);
  EXPECT_NEAR(value_at(run, "j2.reaction.force.x", 1.1), -98.0, 0.06);
  EXPECT_NEAR(value_at(run, "j3.reaction.force.x", 1.1), -58.4, 0.06);
}

// t, x, y, w, forces of rolling in x and y, and of the guide.
TEST(ChiouExamples, BowlingBall) {
  constexpr double rows[][9] = {
      {2, 2.40987, 0.66815, -0.73736, 0.04358, 1.20598, -11.752, -15.795, -55.282},
      {4, 4.63901, -0.99731, -0.41994, -0.89440, 1.01178, 4.127, 56.296, 197.035},
      {10, 11.71445, -0.75254, -0.84277, 1.10558, -0.25967, -13.757, 20.890, 73.114},
      {20, 23.20216, -0.93597, -0.63051, 0.32873, -1.22246, 14.883, 42.273, 147.957},
      {40, 46.59251, 0.50672, -0.73855, -0.37767, -1.14539, -8.202, -9.514, -33.299}};
  model::Description d = example("bowling_ball");
  const auto largest_error = [&](double step) {
    d.simulation.step = step;
    const RecordedRun run = recorded_run(d);
    double worst = 0.0;
    for (const auto& row : rows) {
      const auto compare = [&](const char* channel, double expected, double unit) {
        worst = std::max(worst, std::abs(value_at(run, channel, row[0]) - expected) / unit);
      };
      compare("ball.position.x", row[1], 1.0);
      compare("ball.position.y", row[2], 1.0);
      compare("ball.angular_velocity.x", row[3], 1.0);
      compare("ball.angular_velocity.y", row[4], 1.0);
      compare("ball.angular_velocity.z", row[5], 1.0);
      compare("roll.reaction.force.x", -row[6], 100.0);
      compare("roll.reaction.force.y", -row[7], 100.0);
      compare("guide.load", row[8] * -std::cos(row[1]), 100.0);
    }
    return worst;
  };
  // Of second order down to the last digit of the table.
  const double coarse = largest_error(20e-3);
  const double fine = largest_error(5e-3);
  EXPECT_NEAR(std::log2(coarse / fine), 4.0, 0.2) << coarse << " " << fine;
  EXPECT_LT(largest_error(1.25e-3), 2e-5);
}

// With the mass centre 0.15 cm of 10.9 cm above the middle.
TEST(ChiouExamples, BowlingBallWithOffset) {
  model::Description d = example("bowling_ball", {{"offset", "0.15/10.9"}});
  d.simulation.step = 2.5e-3;
  const RecordedRun run = recorded_run(d);
  EXPECT_NEAR(value_at(run, "ball.angular_velocity.x", 10.0), -1.39210, 1e-4);
  EXPECT_NEAR(value_at(run, "ball.angular_velocity.y", 10.0), -0.13069, 1e-4);
  EXPECT_NEAR(value_at(run, "ball.angular_velocity.z", 10.0), 1.47610, 1e-4);
  EXPECT_NEAR(value_at(run, "ball.position.x", 40.0), 62.404, 1e-3);
}

// Angles in degrees: yaw, pitches; rates of the arms in deg/s; torques of yaw and the joints.
TEST(ChiouExamples, Crane) {
  constexpr double rows[][12] = {
      {30, 29.912, 55.318, -24.338, -36.366, 0.4132, -0.0146, 0.3333, -1.43, 14.70, 1.97, 0.26},
      {60, 28.142, 73.939, -21.880, -20.0, 0.6991, 0.2144, 0.6667, 0.43, -2.87, -0.42, 0.00},
      {90, 25.346, 92.679, -12.310, 0.0, 0.5409, 0.4039, 0.6667, 0.22, -2.98, 0.01, 0.00},
      {120, 21.501, 105.666, 1.162, 20.0, 0.3140, 0.4772, 0.6667, 0.00, -3.34, 0.31, 0.00},
      {150, 17.127, 110.727, 13.059, 36.366, 0.0480, 0.2451, 0.3333, 0.92, -7.35, -5.16, -0.93},
      {180, 15.945, 111.114, 15.739, 40.0, 0, 0, 0, 0, 0, 0, 0}};
  const RecordedRun run = recorded_run(example("crane"));
  constexpr double degree = M_PI / 180.0;
  for (const auto& row : rows) {
    const auto near = [&](const char* channel, double expected, double tolerance) {
      EXPECT_NEAR(value_at(run, channel, row[0]), expected, tolerance) << channel << " " << row[0];
    };
    near("turned", row[1] * degree, 1e-3 * degree);
    near("lift1", row[2] * degree, 1e-3 * degree);
    near("lift2", row[3] * degree, 1e-3 * degree);
    near("lift3", row[4] * degree, 1e-3 * degree);
    near("arm1.angular_velocity.z", row[5] * degree, 1e-4 * degree);
    near("arm2.angular_velocity.z", row[6] * degree, 1e-4 * degree);
    near("arm3.angular_velocity.z", row[7] * degree, 1e-4 * degree);
    near("torque0", row[8], 0.01);
    near("torque1", row[9], 0.01);
    near("torque2", row[10], 0.01);
    near("torque3", row[11], 0.01);
  }
}

// t, pitches in degrees, torques: examples/chiou/crane_planar.py.
TEST(ChiouExamples, CraneInItsPlane) {
  constexpr double rows[][7] = {{30, 54.68446, -23.93986, -36.36620, 13.5251, 2.5142, 0.3518},
                                {60, 70.49066, -20.74993, -20.0, -2.9060, -0.3167, 0.0},
                                {90, 85.49084, -12.19213, 0.0, -2.7971, 0.0631, 0.0},
                                {120, 95.04639, -0.74443, 20.0, -2.8020, 0.3073, 0.0},
                                {150, 98.19489, 9.87134, 36.36620, -6.8762, -4.9476, -0.8692},
                                {180, 98.28526, 12.38963, 40.0, 0.0, 0.0, 0.0}};
  const RecordedRun run = recorded_run(example("crane_planar"));
  constexpr double degree = M_PI / 180.0;
  for (const auto& row : rows) {
    const auto near = [&](const char* channel, double expected, double tolerance) {
      EXPECT_NEAR(value_at(run, channel, row[0]), expected, tolerance) << channel << " " << row[0];
    };
    near("arm1.angle", row[1] * degree, 1e-4 * degree);
    near("arm2.angle", row[2] * degree, 1e-4 * degree);
    near("arm3.angle", row[3] * degree, 1e-4 * degree);
    near("torque1", row[4], 1e-3);
    near("torque2", row[5], 1e-3);
    near("torque3", row[6], 1e-3);
  }
}

// Natural partitioning with cut joints: the same linkage in the coordinates of its hinges, one
// joint cut and kept by the penalty. An independent program found a difference of 3e-5.
TEST(ChiouExamples, FourBarsByNaturalPartitioning) {
  model::Description d = example("four_bar");
  const RecordedRun full = recorded_run(d);
  d.simulation.coordinates = "relative";
  const RecordedRun cut = recorded_run(d);
  for (const double t : {2.0, 4.0, 6.0, 8.0}) {
    for (const char* channel : {"bar1.position.x", "bar1.position.y", "bar2.position.x",
                                "bar2.position.y", "bar3.position.y", "bar4.position.y"}) {
      EXPECT_NEAR(value_at(cut, channel, t), value_at(full, channel, t), 3e-5) << channel << t;
    }
  }
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
