// trammel kinematics, dof, inverse, statics and modes: what they print and leave behind.
#include <algorithm>
#include <cmath>

#include "command_line.h"
#include <gtest/gtest.h>

#include "trammel/results/reader.h"

namespace trammel::cli::testing {
namespace {

const char* arm = R"(trammel: 1
space: planar
gravity: [0, -9.81]
parameters: {gain: 0}
bodies:
  upper: {mass: 2 kg, inertia: 0.1, position: [0, -0.25]}
  lower: {mass: 1 kg, inertia: 0.05, position: [0, -0.75]}
joints:
  shoulder: {type: revolute, between: [ground, upper], at: [0, 0]}
  elbow: {type: revolute, between: [upper, lower], at: [0, -0.5]}
forces:
  motor: {type: actuator, coordinate: shoulder.angle, formula: 3 * gain}
sensors:
  reach: {type: distance, between: [ground, lower]}
simulation: {until: 0.2 s, step: 2 ms}
)";

const char* drives = R"(drives:
  motor1: {type: position, coordinate: shoulder.angle, motion: 0.8 rad * sin(3 rad/s * time)}
  motor2: {type: position, coordinate: elbow.angle, motion: 0.5 rad * sin(4 rad/s * time)}
)";

class Analyses : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_.put("arm.yaml", arm);
    folder_.put("driven.yaml", std::string(arm) + drives);
  }
  Folder folder_;
};

TEST_F(Analyses, KinematicsWritesResultsAndReport) {
  const Answer answer = folder_.run({"kinematics", "driven.yaml"});
  EXPECT_EQ(answer.code, 0) << answer.err;
  EXPECT_TRUE(contains(answer.out, "the motion is determined")) << answer.out;
  const results::Table table = results::read(folder_ / "driven.kinematics.h5");
  EXPECT_NEAR(table.column("shoulder.angle").back(), 0.8 * std::sin(0.6), 1e-9);
  EXPECT_TRUE(std::filesystem::exists(folder_ / "driven.kinematics.html"));
}

TEST_F(Analyses, KinematicsWithoutDrivesSaysWhatToDrive) {
  const Answer answer = folder_.run({"kinematics", "arm.yaml"});
  EXPECT_EQ(answer.code, 2);
  EXPECT_TRUE(contains(answer.err, "2 of the mechanism's 2 freedoms")) << answer.err;
  EXPECT_TRUE(contains(answer.err, "shoulder.angle")) << answer.err;
  EXPECT_FALSE(std::filesystem::exists(folder_ / "arm.kinematics.h5"));
}

// Two rods on the ground that meet in a third body, which does not turn.
TEST_F(Analyses, AllAssembliesAreRowsOfTheResults) {
  folder_.put("rods.yaml", R"(trammel: 1
space: planar
ground: {frames: {far: [0.5, 0]}}
bodies:
  left: {mass: 1 kg, inertia: 0.1, frames: {tip: [0.4, 0]}, angle: 60 deg}
  right: {mass: 1 kg, inertia: 0.1, frames: {tip: [0.3, 0]}, position: [0.5, 0], angle: 100 deg}
  slider: {mass: 1 kg, inertia: 0.1, position: [0.3, 0.3]}
joints:
  a: {type: revolute, between: [ground, left]}
  b: {type: revolute, between: [ground.far, right]}
  c: {type: revolute, between: [left.tip, slider]}
  d: {type: revolute, between: [right.tip, slider]}
drives:
  hold: {type: position, coordinate: slider.angle, motion: "0"}
simulation: {until: 1 s}
)");
  const Answer answer = folder_.run({"kinematics", "rods.yaml", "--all-assemblies"});
  EXPECT_EQ(answer.code, 0) << answer.err;
  EXPECT_TRUE(contains(answer.out, "2 found")) << answer.out;
  EXPECT_TRUE(contains(answer.out, "as described")) << answer.out;
  const results::Table table = results::read(folder_ / "rods.assemblies.h5");
  ASSERT_EQ(table.rows(), 2u);
  // Circles of 0.4 and 0.3 about two points 0.5 apart meet above and below.
  const auto y = table.column("slider.position.y");
  EXPECT_NEAR(y[0], 0.24, 1e-9);
  EXPECT_NEAR(y[1], -0.24, 1e-9);
  EXPECT_EQ(table.time[1], 2.0);
  EXPECT_TRUE(std::filesystem::exists(folder_ / "rods.assemblies.html"));
  const Answer free = folder_.run({"kinematics", "arm.yaml", "--all-assemblies"});
  EXPECT_EQ(free.code, 2);
  EXPECT_TRUE(contains(free.err, "2 of the mechanism's 2 freedoms")) << free.err;
  EXPECT_EQ(folder_.run({"kinematics", "rods.yaml", "--starts", "10"}).code, 2);
}

TEST_F(Analyses, DofCountsAndProposes) {
  const Answer answer = folder_.run({"dof", "arm.yaml", "--along", "start"});
  EXPECT_EQ(answer.code, 0) << answer.err;
  EXPECT_TRUE(contains(answer.out, "suitable further inputs")) << answer.out;
  EXPECT_EQ(folder_.run({"dof", "arm.yaml", "--along", "nowhere"}).code, 2);
  const Answer path = folder_.run({"dof", "driven.yaml"});
  EXPECT_TRUE(contains(path.out, "kinematics until t = 0.2 s")) << path.out;
}

TEST_F(Analyses, RunInRelativeCoordinatesToo) {
  for (const std::string command : {"kinematics", "inverse"}) {
    SCOPED_TRACE(command);
    ASSERT_EQ(folder_.run({command, "driven.yaml", "--no-report", "-o", command + "_a.h5"}).code,
              0);
    const Answer answer = folder_.run({command, "driven.yaml", "--no-report", "-o",
                                       command + "_r.h5", "--coordinates", "relative"});
    ASSERT_EQ(answer.code, 0) << answer.err;
    const results::Table a = results::read(folder_ / (command + "_a.h5"));
    const results::Table r = results::read(folder_ / (command + "_r.h5"));
    ASSERT_EQ(a.rows(), r.rows());
    for (const char* channel : {"shoulder.angle", "shoulder.reaction.force.x"}) {
      const double expected = a.column(channel).back();
      EXPECT_NEAR(r.column(channel).back(), expected, 1e-9 * std::max(1.0, std::abs(expected)));
    }
  }
  for (const std::string command : {"dof", "statics"}) {
    const Answer answer = folder_.run({command, "arm.yaml", "--coordinates", "relativ"});
    EXPECT_EQ(answer.code, 2);
    EXPECT_TRUE(contains(answer.err, "did you mean 'relative'?")) << answer.err;
  }
}

TEST_F(Analyses, InverseGivesLoadsOfDrivesAndOfARecord) {
  const Answer answer = folder_.run({"inverse", "driven.yaml", "--no-report"});
  EXPECT_EQ(answer.code, 0) << answer.err;
  EXPECT_TRUE(contains(answer.out, "motor2:")) << answer.out;
  ASSERT_EQ(folder_.run({"run", "driven.yaml", "-o", "run.h5", "-q", "--no-report"}).code, 0);
  const std::vector<std::string> record{"inverse", "arm.yaml",    "--motion",
                                        "run.h5",  "--no-report", "--actuate"};
  std::vector<std::string> both = record;
  both.emplace_back("shoulder.angle,elbow.angle");
  const Answer enough = folder_.run(both);
  EXPECT_EQ(enough.code, 0) << enough.err;
  std::vector<std::string> one = record;
  one.emplace_back("shoulder.angle");
  one.emplace_back("--force");
  const Answer few = folder_.run(one);
  EXPECT_EQ(few.code, 1);
  EXPECT_TRUE(contains(few.err, "under-actuated")) << few.err;
  EXPECT_TRUE(contains(few.err, "elbow.angle")) << few.err;
  one.emplace_back("--least-squares");
  EXPECT_EQ(folder_.run(one).code, 0);
}

TEST_F(Analyses, StaticsFindsTheHangingArm) {
  const Answer answer = folder_.run({"statics", "arm.yaml", "-s", "gain=1", "-o", "rest.csv"});
  EXPECT_EQ(answer.code, 0) << answer.err;
  EXPECT_TRUE(contains(answer.out, "stable; softest")) << answer.out;
  const results::Table table = results::read(folder_ / "rest.csv");
  ASSERT_EQ(table.rows(), 1u);
  // Torque 3 N m on the shoulder: the lower arm hangs, (2 * 0.25 + 1 * 0.5) g sin(a) = 3.
  EXPECT_NEAR(table.column("upper.angle")[0], std::asin(3.0 / 9.81), 1e-9);
  EXPECT_NEAR(table.column("lower.angle")[0], 0.0, 1e-9);
}

TEST_F(Analyses, StaticsLeavesTheStandingArmUnlessTheNearestIsWanted) {
  const std::vector<std::string> standing{"-s", "bodies.upper.position=[0, 0.25]",
                                          "-s", "bodies.lower.position=[0, 0.75]",
                                          "-s", "joints.elbow.at=[0, 0.5]"};
  const auto statics = [&](std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), {"statics", "arm.yaml", "--force", "-o", "rest.csv"});
    arguments.insert(arguments.end(), standing.begin(), standing.end());
    return folder_.run(arguments);
  };
  const Answer fallen = statics({});
  EXPECT_EQ(fallen.code, 0) << fallen.err;
  EXPECT_TRUE(contains(fallen.out, "the nearest equilibrium is unstable")) << fallen.out;
  EXPECT_TRUE(contains(fallen.out, "stable; softest")) << fallen.out;
  EXPECT_NEAR(results::read(folder_ / "rest.csv").column("lower.position.y")[0], -0.75, 1e-9);

  const Answer nearest = statics({"--nearest"});
  EXPECT_EQ(nearest.code, 0) << nearest.err;
  EXPECT_TRUE(contains(nearest.out, "UNSTABLE along")) << nearest.out;
  EXPECT_NEAR(results::read(folder_ / "rest.csv").column("lower.position.y")[0], 0.75, 1e-9);
}

TEST_F(Analyses, ModesWritesShapesAndMatrices) {
  const Answer answer = folder_.run(
      {"modes", "arm.yaml", "--inputs", "gain,elbow.angle", "-m", "arm.json", "--no-report"});
  EXPECT_EQ(answer.code, 0) << answer.err;
  EXPECT_TRUE(contains(answer.out, "mode 2")) << answer.out;
  EXPECT_TRUE(contains(answer.out, "Hz")) << answer.out;
  const results::Table table = results::read(folder_ / "arm.modes.h5");
  EXPECT_NEAR(table.time.back(), 4.0, 1e-12);
  EXPECT_EQ(table.column("mode.number").back(), 2.0);
  const std::string json = contents_of(folder_ / "arm.json");
  EXPECT_TRUE(contains(json, R"("name": "load on elbow.angle")")) << json;
  EXPECT_TRUE(contains(json, R"("name": "reach")")) << json;
  EXPECT_TRUE(contains(json, "\"D\": [[")) << json;
}

TEST_F(Analyses, MisspeltValuesAreToldWithTheNearest) {
  const Answer about = folder_.run({"modes", "arm.yaml", "--about", "strat"});
  EXPECT_EQ(about.code, 2);
  EXPECT_TRUE(contains(about.err, "'strat' is no value of --about; did you mean 'start'?"))
      << about.err;
  const Answer method = folder_.run({"statics", "arm.yaml", "--method", "newtn"});
  EXPECT_TRUE(contains(method.err, "did you mean 'newton'?")) << method.err;
  const Answer input = folder_.run({"modes", "arm.yaml", "--inputs", "gian"});
  EXPECT_EQ(input.code, 2);
  EXPECT_TRUE(contains(input.err, "did you mean 'gain'?")) << input.err;
}

TEST_F(Analyses, ModesWithoutDampingHaveTheRatioZero) {
  const Answer answer = folder_.run({"modes", "arm.yaml", "--no-report"});
  EXPECT_TRUE(contains(answer.out, "damping ratio 0 (0 +")) << answer.out;
}

}  // namespace
}  // namespace trammel::cli::testing
