// Kinematic analysis against closed forms and the table of [Sol1983, eq. 5.1.1].
#include "trammel/analysis/kinematics.h"

#include <cmath>
#include <numbers>

#include "analysis_models.h"
#include <gtest/gtest.h>

#include "trammel/core/diagnostic.h"
#include "trammel/results/memory_sink.h"

namespace trammel::analysis {
namespace {

constexpr double degree = std::numbers::pi / 180.0;

struct Followed {
  KinematicsReport report;
  results::Table table;

  double at(const std::string& channel, double time) const {
    const auto times = table.column("time");
    for (std::size_t i = 0; i < times.size(); ++i) {
      if (std::abs(times[i] - time) < 1e-9) return table.column(channel)[i];
    }
    ADD_FAILURE() << "no row at " << time;
    return NAN;
  }
};

Followed follow(const std::string& text) {
  const model::Description description = described(text);
  const auto system = model::compile(description);
  results::MemorySink sink;
  SimulationOptions options;
  options.sink = &sink;
  Followed result;
  result.report = kinematics(*system, description.simulation, drive_names(description), options);
  result.table = sink.take();
  return result;
}

// q1 turns with 1 rad/s; the rows of the table lie at times q1 = t, which are met by choosing the
// output step pi/6.
TEST(FourBar, FollowsTheTableOfTheSource) {
  std::string text = four_bar("a.angle", "90 deg - time * 1 rad/s");
  const std::string times = "until: 5 s, step: 10 ms, output_step: 10 ms";
  text.replace(text.find(times), times.size(),
               "until: 4.8, step: 0.0174532925199433, output_step: 0.523598775598299");
  const Followed result = follow(text);
  ASSERT_EQ(result.report.outcome, results::Outcome::completed) << result.report.message;
  const double table[][7] = {
      {0, 75.561852, 177.586551, -0.021527, 0.660095, -0.176736, -0.077771},
      {30, 73.283083, 196.080251, -0.143091, 0.543746, -0.326749, -0.419309},
      {60, 65.311295, 207.095242, -0.439071, 0.099755, -0.911356, -1.475895},
      {90, 43.432537, 194.477512, -1.000000, -1.000000, -0.516398, -1.893459},
      {180, 22.431749, 124.456448, 0.421527, -0.260095, 0.303264, 0.402229},
      {270, 63.615670, 126.336058, 0.333333, 0.333333, -0.302120, 0.447971}};
  for (const auto& row : table) {
    const double t = row[0] * degree;
    SCOPED_TRACE(row[0]);
    // The table has six decimals of degrees and of 1/s.
    EXPECT_NEAR(90.0 - result.at("coupler.angle", t) / degree, row[1], 1e-6);
    EXPECT_NEAR(90.0 - result.at("rocker.angle", t) / degree, row[2], 1e-6);
    EXPECT_NEAR(-result.at("coupler.angular_velocity", t), row[3], 1e-6);
    EXPECT_NEAR(-result.at("rocker.angular_velocity", t), row[4], 1e-6);
    EXPECT_NEAR(-result.at("coupler.angular_acceleration", t), row[5], 1e-6);
    EXPECT_NEAR(-result.at("rocker.angular_acceleration", t), row[6], 1e-6);
  }
  EXPECT_EQ(result.report.drives.freedoms, 1);
  EXPECT_TRUE(result.report.singular.empty());
}

// The rocker's angle reaches 207.279613 degrees where crank and coupler are in line.
TEST(FourBar, DeadCentreIsAnUnsuitableChoiceOfInput) {
  const Followed result = follow(four_bar("rocker.angle", "90 deg - 178 deg - 10 deg/s * time"));
  ASSERT_EQ(result.report.outcome, results::Outcome::failed);
  ASSERT_EQ(result.report.singular.size(), 1u) << result.report.message;
  const SingularPosition& position = result.report.singular[0];
  EXPECT_EQ(position.kind, SingularKind::dead_centre);
  EXPECT_EQ(position.freedoms, 1);
  // The position depends on the time like a square root: 24 halvings of 10 ms leave 1e-9 s.
  EXPECT_NEAR(position.time, 2.9279613, 1e-6);
  ASSERT_FALSE(position.inputs.empty());
  EXPECT_NE(position.inputs[0], "d.angle");
  EXPECT_NE(result.report.message.find("dead centre"), std::string::npos);
}

// Of its own accord the motion goes on with another input: crank and coupler pass the line on the
// smooth branch and the rocker turns back.
TEST(FourBar, DeadCentreIsPassedWithAnotherInput) {
  const model::Description description =
      described(four_bar("rocker.angle", "90 deg - 178 deg - 10 deg/s * time"));
  const auto system = model::compile(description);
  SwitchedDrives switched(description);
  results::MemorySink sink;
  SimulationOptions options;
  options.sink = &sink;
  const KinematicsReport report =
      kinematics(*system, description.simulation, drive_names(description), options, &switched);
  ASSERT_EQ(report.outcome, results::Outcome::completed) << report.message;
  ASSERT_GE(report.switches.size(), 1u);
  EXPECT_EQ(report.switches[0].drive, "motor");
  EXPECT_EQ(report.switches[0].from, "rocker.angle");
  EXPECT_NEAR(report.switches[0].time, 2.92, 1e-9);
  EXPECT_NE(to_string(report.switches[0]).find("in place of rocker.angle"), std::string::npos);
  EXPECT_EQ(report.singular[0].kind, SingularKind::dead_centre);
  // Joints and the new drive are satisfied all the way, at all levels.
  EXPECT_LE(report.largest_position_error, 1e-9);
  EXPECT_LE(report.largest_velocity_error, 1e-9);
  const results::Table table = sink.take();
  const auto rocker = table.column("rocker.angle");
  const auto crank = table.column("crank.angle");
  const auto coupler = table.column("coupler.angle");
  double farthest = 0.0;
  bool passed = false;
  for (std::size_t i = 0; i + 1 < table.rows(); ++i) {
    farthest = std::max(farthest, 90.0 - rocker[i] / degree);
    // In line: the coupler's angle against the crank is a multiple of half a turn.
    passed =
        passed || std::sin(crank[i] - coupler[i]) * std::sin(crank[i + 1] - coupler[i + 1]) < 0;
    // No jump: crank and coupler keep their sense and move a few degrees per output at most.
    ASSERT_LE(std::abs(crank[i + 1] - crank[i]), 0.2) << table.time[i];
    ASSERT_LE(std::abs(coupler[i + 1] - coupler[i]), 0.2) << table.time[i];
  }
  EXPECT_TRUE(passed);
  // The rocker's angle comes to the end of its range, to what steps of the output leave of it.
  EXPECT_LE(farthest, 207.279613 + 1e-6);
  EXPECT_GE(farthest, 207.1);
  EXPECT_LE(90.0 - rocker.back() / degree, 207.0);
}

// A parallelogram: all links collinear at q1 = 90 and 270 degrees, two freedoms there.
TEST(FourBar, ChangePointIsPassedOnTheSmoothBranch) {
  const Followed result =
      follow(four_bar("a.angle", "90 deg - 30 deg - 40 deg/s * time", "l1: 2, l2: 4, l3: 2, lx: 4",
                      "q1: 30 deg, q2: 90 deg, q3: 210 deg"));
  ASSERT_EQ(result.report.outcome, results::Outcome::completed) << result.report.message;
  ASSERT_EQ(result.report.singular.size(), 1u);
  EXPECT_EQ(result.report.singular[0].kind, SingularKind::change_point);
  EXPECT_EQ(result.report.singular[0].freedoms, 2);
  EXPECT_NEAR(result.report.singular[0].time, 1.5, 1e-6);
  EXPECT_FALSE(result.report.singular[0].rows.empty());
  for (std::size_t i = 0; i < result.table.rows(); ++i) {
    // The coupler stays horizontal, to Newton's tolerance over the least singular value passed.
    ASSERT_NEAR(result.table.column("coupler.angle")[i], 0.0, 1e-7) << result.table.time[i];
  }
}

TEST(FourBar, WithoutDrivesIsToldWhatToDrive) {
  std::string text = four_bar("a.angle", "0");
  text.erase(text.find("drives:"), text.find("simulation:") - text.find("drives:"));
  const model::Description description = described(text);
  const auto system = model::compile(description);
  try {
    kinematics(*system, description.simulation, {}, {});
    FAIL() << "accepted";
  } catch (const core::InputError& error) {
    const core::Diagnostic& wrong = error.diagnostics().front();
    EXPECT_NE(wrong.message.find("1 of the mechanism's 1 freedom"), std::string::npos)
        << wrong.message;
    EXPECT_NE(wrong.remedy.find(".angle"), std::string::npos) << wrong.remedy;
  }
}

TEST(Drives, ThatFollowFromTheRestAreNamed) {
  std::string text = four_bar("a.angle", "90 deg - time * 1 rad/s");
  text.insert(
      text.find("simulation:"),
      "  second: {type: position, coordinate: a.angle, motion: \"90 deg - time * 1 rad/s\"}\n");
  const model::Description description = described(text);
  const auto system = model::compile(description);
  const Assembly assembly = assemble(*system);
  const DriveCheck check = check_drives(*system, assembly.motion.state, drive_names(description));
  EXPECT_TRUE(check.determined());
  EXPECT_EQ(check.drives, 2);
  ASSERT_EQ(check.dependent.size(), 1u);
  EXPECT_EQ(check.dependent[0], "second");
}

// x = 4 sin(t/2) and the angle t/2 make a circle: y = 4 (1 - cos(t/2)) follows from the skate's row
// and is integrated.
TEST(Nonholonomic, SkateIsIntegratedToACircle) {
  const Followed result = follow(R"(
trammel: 1
space: planar
bodies:
  blade: {mass: 1 kg, inertia: 0.1, velocity: [2, 0], angular_velocity: 0.5}
joints:
  edge: {type: skate, between: [ground, blade]}
drives:
  turn: {type: velocity, coordinate: blade.angle, motion: 0.5 rad/s}
  aside: {type: position, coordinate: blade.position.x, motion: '4 * sin(0.5 * time)'}
simulation: {until: 2 s, step: 10 ms}
)");
  ASSERT_EQ(result.report.outcome, results::Outcome::completed) << result.report.message;
  EXPECT_FALSE(result.report.drives.positions_determined);
  // Runge-Kutta of order 4 with steps of 10 ms on a motion with unit derivatives: 1e-10.
  EXPECT_NEAR(result.at("blade.position.y", 2.0), 4.0 * (1.0 - std::cos(1.0)), 1e-8);
  EXPECT_NEAR(result.at("blade.velocity.y", 2.0), 2.0 * std::sin(1.0), 1e-8);
  EXPECT_NEAR(result.at("blade.acceleration.y", 2.0), std::cos(1.0), 1e-8);
}

// A crank that turns past a position in which all bars nearly lie on one line. From there Newton
// alone, from the same extrapolation, lands on the mirrored assembly for some steps; the guard
// refuses them, and the motion is that of small steps.
TEST(FourBar, IsGuardedAgainstItsMirroredAssembly) {
  const std::string text =
      four_bar("a.angle", "90 deg - time * 1 rad/s", "l1: 2, l2: 4.05, l3: 2.06, lx: 4",
               "q1: 0 deg, q2: 85 deg, q3: 180 deg");
  const auto system = model::compile(described(text));
  const Assembly assembly = assemble(*system);
  KinematicMarch fine(*system, true);
  fine.start(assembly.motion);
  const Orientation orientation(*system, assembly.motion.state);
  const int sign = orientation.sign(*system, assembly.motion.state);
  constexpr double big = 0.35;  // s, or rad of the crank
  constexpr double small = 0.005;
  int mirrored = 0;
  while (fine.motion().state.t < 6.0) {
    const system::Motion from = fine.motion();
    // Newton alone.
    system::State alone = from.state;
    system->retract(from.state.q, big * from.state.v + 0.5 * big * big * from.a, alone.q);
    alone.t += big;
    constraint_handling::ConsistentStart closure(*system);
    if (closure.positions(alone, {}).converged && orientation.sign(*system, alone) != sign) {
      ++mirrored;
      system->accept(from.state);
      KinematicMarch guarded(*system, true);
      guarded.start(from);
      ASSERT_TRUE(guarded.advance(big));
      EXPECT_EQ(orientation.sign(*system, guarded.motion().state), sign) << from.state.t;
      system->accept(from.state);
      KinematicMarch reference(*system, true);
      reference.start(from);
      for (int i = 0; i < 70; ++i) ASSERT_TRUE(reference.advance(big / 70.0));
      Vector apart;
      system->logarithm(reference.motion().state.q, guarded.motion().state.q, apart);
      EXPECT_LT(largest(apart), 1e-8) << from.state.t;  // both close to round-off
      system->accept(from.state);
    }
    ASSERT_TRUE(fine.advance(small));
    ASSERT_EQ(fine.sign(), sign);
  }
  EXPECT_GE(mirrored, 1);
}

}  // namespace
}  // namespace trammel::analysis
