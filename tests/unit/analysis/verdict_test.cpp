// What is doubted, and what is not.
#include <cmath>
#include <string>

#include "analysis_models.h"
#include "support/mechanisms.h"
#include <gtest/gtest.h>

#include "trammel/analysis/simulate.h"

namespace trammel::analysis::verdict_test {
namespace {

// A run with nothing to doubt.
Evidence healthy() {
  Evidence e;
  e.step = 1e-3;
  e.exchanged = 10.0;
  e.lack = 1e-3;
  e.time_of_lack = 1.0;
  e.largest_energy = 10.0;
  e.position_error = 1e-12;
  e.size = 1.0;
  e.velocity_error = 1e-6;
  e.speed = 3.0;
  e.mispredicted = 1e-4;
  e.estimate = {.known = true, .position = 1e-5, .origin = "a second run"};
  return e;
}

// The only doubt, which must name its number and a remedy.
void expect_doubt(const Evidence& e, const std::string& number, const std::string& words) {
  const std::vector<Doubt> doubts = judge(e);
  ASSERT_EQ(doubts.size(), 1U) << number;
  EXPECT_EQ(doubts[0].number, number);
  EXPECT_NE(doubts[0].message.find(words), std::string::npos) << doubts[0].message;
  EXPECT_NE(doubts[0].remedy.find("try"), std::string::npos) << doubts[0].remedy;
}

TEST(Judge, SaysNothingAboutAHealthyRun) {
  EXPECT_TRUE(judge(healthy()).empty());
  Evidence nothing_known;
  EXPECT_TRUE(judge(nothing_known).empty());
}

TEST(Judge, DoubtsEnergyThatIsLostOrAppears) {
  Evidence e = healthy();
  e.lack = 0.2;
  expect_doubt(e, "energy", "0.2 J were lost without a cause (2 % of what was exchanged)");
  e.lack = -0.2;
  expect_doubt(e, "energy", "0.2 J appeared");
  e.lack = -INFINITY;
  expect_doubt(e, "energy", "appeared");
}

TEST(Judge, LeavesRoundOffAlone) {
  Evidence e = healthy();
  e.exchanged = 1e-9;
  e.lack = 9e-10;
  e.largest_energy = 1e3;  // a heavy model at rest, high above its origin
  EXPECT_TRUE(judge(e).empty());
}

TEST(Judge, LetsMethodsDampWhatTheirStepsPassOver) {
  Evidence e = healthy();
  e.damps = true;
  e.lack = 1.0;
  e.fastest_rate = 2.0 * M_PI / (3.0 * e.step);
  EXPECT_TRUE(judge(e).empty());
  // Not when nobody knows whether the rest of the motion is right,
  Evidence unknown = e;
  unknown.estimate = {};
  expect_doubt(unknown, "energy", "takes 0.003 s, 3 steps");
  // nor when most of the energy is gone, nor when energy appears.
  Evidence most = e;
  most.lack = 9.0;
  expect_doubt(most, "energy", "90 %");
  Evidence grown = e;
  grown.lack = -1.0;
  expect_doubt(grown, "energy", "appeared");
}

TEST(Judge, DoubtsConstraintsThatAreLeft) {
  Evidence e = healthy();
  e.position_error = 0.01;
  expect_doubt(e, "constraints", "positions leave their constraints by 0.01");
  e = healthy();
  e.velocity_error = 0.3;
  expect_doubt(e, "constraints", "velocities leave their constraints by 0.3, 0.1 of");
}

TEST(Judge, DoubtsSmallMotionsThatAreWrongAltogether) {
  Evidence e = healthy();
  e.estimate.position = 3e-4;
  e.estimate.way = 1e-3;
  expect_doubt(e, "accuracy", "wrong by about 0.3 of the whole motion");
  e.estimate.way = 1e-2;
  EXPECT_TRUE(judge(e).empty());
  e.estimate = {.known = true, .position = 5e-8, .way = 1e-7, .origin = "a second run"};
  EXPECT_TRUE(judge(e).empty());
}

// 62 periods of an amplitude of 0.001 rad, with 16 steps to each: the trapezoidal rule is late by
// 0.3 % in each, two thirds of a period at the end, and keeps all energy.
TEST(SmallOscillation, ThatIsLateIsDoubted) {
  const auto run = [](double step) {
    model::Description d = described(R"(
trammel: 1
space: planar
bodies:
  arm: {mass: 1 kg, inertia: 1 kg m^2, angle: 0.001}
joints:
  pin: {type: revolute, between: [ground, arm]}
forces:
  k: {type: coordinate_spring, coordinate: pin.angle, stiffness: 400}
)");
    d.simulation.integrator = "newmark";
    d.simulation.integrator_values.clear();  // of what the file chose
    d.simulation.until = 20.0;
    d.simulation.step = step;
    d.simulation.output_step = 0.2;
    SimulationOptions options;
    options.second_run = SecondRun::always;
    return simulate(*model::compile(d), d.simulation, options);
  };
  const SimulationReport coarse = run(0.02);
  ASSERT_EQ(coarse.doubts.size(), 1U);
  EXPECT_EQ(coarse.doubts[0].number, "accuracy");
  EXPECT_TRUE(run(0.001).doubts.empty());
}

TEST(Judge, DoubtsDriftWhereRowsWereLeftOut) {
  Evidence e = healthy();
  e.integrator = "generalized-alpha";
  e.position_error = 2e-4;
  EXPECT_TRUE(judge(e).empty());
  e.redundant = 3;
  expect_doubt(e, "constraints", "3 redundant rows were left out");
  e.position_error = 2e-5;
  EXPECT_TRUE(judge(e).empty());
}

// Exact: a yaw rate of 1 rad/s. At index 2 the drift of positions spoils what follows from
// redundant rows, of second order in the step; at index 3 and with a stabilisation nothing drifts.
TEST(WheelSet, OnACircleIsRightOrDoubted) {
  const auto run = [](const model::Values& values) {
    model::Description d = io::read_model_file(std::string(TRAMMEL_SOURCE_DIR) +
                                                   "/tests/data/trials/wheelset_circle.yaml",
                                               full_vocabulary())
                               .description;
    d.simulation.integrator_values = values;
    const auto system = model::compile(d);
    SimulationReport report = simulate(*system, d.simulation);
    EXPECT_EQ(report.outcome, results::Outcome::completed);
    return report;
  };
  const SimulationReport drifting = run({{"index", 2.0}});
  ASSERT_EQ(drifting.doubts.size(), 1U);
  EXPECT_EQ(drifting.doubts[0].number, "constraints");
  for (const model::Values& values :
       {model::Values{}, model::Values{{"stabilisation", std::string("ggl")}},
        model::Values{{"index", 2.0}, {"stabilisation", std::string("projection")}}}) {
    const SimulationReport report = run(values);
    EXPECT_TRUE(report.doubts.empty());
    // The axle is the first body: its angular velocity about z. Of the second order at 1 ms.
    EXPECT_NEAR(report.final_motion.state.v[5], 1.0, 1e-5);
  }
}

TEST(Judge, DoubtsStepsThatDoNotForeseeTheMotion) {
  Evidence e = healthy();
  e.mispredicted = 0.2;
  EXPECT_TRUE(judge(e).empty());  // a second run says that it did not matter
  e.estimate = {.reason = "no second run was made"};
  expect_doubt(e, "steps", "20 % on the average");
}

TEST(Judge, DoubtsEstimatedErrors) {
  Evidence e = healthy();
  e.estimate.position = 0.1;
  expect_doubt(e, "accuracy", "wrong by about 0.1 rad");
  e.estimate = {.difference = 2.0, .reason = "a second run differs by 2 rad"};
  expect_doubt(e, "accuracy", "differs by 2 rad");
}

model::Description trial(const std::string& name) {
  return io::read_model_file(
             std::string(TRAMMEL_SOURCE_DIR) + "/tests/data/trials/" + name + ".yaml",
             full_vocabulary())
      .description;
}

SimulationReport run(const model::Description& description, SecondRun second_run) {
  const auto system = model::compile(description);
  SimulationOptions options;
  options.second_run = second_run;
  SimulationReport report = simulate(*system, description.simulation, options);
  EXPECT_EQ(report.outcome, results::Outcome::completed) << report.message;
  return report;
}

std::string numbers(const SimulationReport& report) {
  std::string all;
  for (const Doubt& doubt : report.doubts) all += doubt.number + " ";
  return all;
}

// Runs that completed with useless numbers and said nothing. They are doubted with a second run and
// without one.
class Useless : public testing::TestWithParam<std::string> {};

TEST_P(Useless, IsDoubted) {
  for (const SecondRun second : {SecondRun::never, SecondRun::when_cheap}) {
    const SimulationReport report = run(trial(GetParam()), second);
    EXPECT_FALSE(report.doubts.empty()) << GetParam();
    EXPECT_EQ(report.statistics.at("doubts"), static_cast<double>(report.doubts.size()));
  }
}

INSTANTIATE_TEST_SUITE_P(Trials, Useless, testing::Values("forgotten_ms", "fast_spin", "squeezer"));

// c h/m = 2.79 is just beyond the border of the stability region of Runge's and Kutta's method: the
// energy grows a million times, and every number stays finite.
TEST(Unstable, RunsAreDoubtedForTheirEnergy) {
  model::Description description = described(R"(
trammel: 1
space: planar
bodies:
  block: {mass: 1, inertia: 1, velocity: [1, 0]}
joints:
  rail: {type: prismatic, between: [ground, block], axis: x}
forces:
  oil: {type: coordinate_spring, coordinate: rail.displacement, damping: 2790}
simulation: {until: 1 s, step: 1 ms, integrator: rk4}
)");
  const SimulationReport report = run(description, SecondRun::never);
  ASSERT_EQ(numbers(report), "energy ");
  EXPECT_NE(report.doubts[0].message.find("the fastest oscillation or decay"), std::string::npos)
      << report.doubts[0].message;
}

// Newmark's method at index 3 lets the multipliers of long loops oscillate: positions off by 0.2.
TEST(Oscillating, NewmarkAtIndexThreeIsDoubted) {
  model::Description description = support::four_bars(10);
  description.simulation.until = 10.0;
  description.simulation.step = 0.01;
  description.simulation.integrator = "newmark";
  const auto system = model::compile(description);
  SimulationOptions options;
  options.second_run = SecondRun::when_cheap;
  const SimulationReport report = simulate(*system, description.simulation, options);
  if (report.outcome != results::Outcome::completed) return;  // that is told as well
  EXPECT_FALSE(report.doubts.empty());
}

TEST(Healthy, RunsAreNotDoubted) {
  for (const char* integrator : {"generalized-alpha", "rk4", "dormand-prince", "adams", "bdf"}) {
    for (model::Description description :
         {support::pendulum(), support::slider_crank(), support::bricard()}) {
      description.simulation.integrator = integrator;
      const SimulationReport report = run(description, SecondRun::when_cheap);
      EXPECT_TRUE(report.doubts.empty()) << integrator << ": " << to_string(report.doubts[0]);
    }
  }
}

// A stiff spring rings once at the start; the method is there to damp that.
TEST(Healthy, StiffRunsWithDampingMethodsAreNotDoubted) {
  const model::Description description = described(R"(
trammel: 1
space: planar
gravity: [0, -9.81]
bodies:
  ball: {kind: point, mass: 1, position: [1.002, 0]}
forces:
  rod: {type: spring, between: [ground, ball], stiffness: 1e6, length: 1}
simulation: {until: 1 s, step: 1 ms}
)");
  const SimulationReport report = run(description, SecondRun::when_cheap);
  EXPECT_TRUE(report.doubts.empty()) << to_string(report.doubts[0]);
  EXPECT_GT(report.energy.numerical_loss, 0.0);
}

TEST(Healthy, ModelsAtRestAreNotDoubted) {
  const model::Description description = described(R"(
trammel: 1
space: planar
gravity: [0, -9.81]
bodies:
  block: {mass: 1000, inertia: 1, position: [0, 1e3]}
joints:
  rail: {type: fixed, between: [ground, block]}
)");
  const SimulationReport report = run(description, SecondRun::when_cheap);
  EXPECT_TRUE(report.doubts.empty()) << to_string(report.doubts[0]);
}

// A state with a lag of 1 ms at steps of 5 ms: explicit methods make 1e20 of it, and the mass
// beside it knows nothing of that. Implicit ones follow.
TEST(Unstable, StatesAreToldWhateverPositionsDo) {
  for (const auto& [method, sound] : {std::pair("rk4", false), std::pair("park-chiou", false),
                                      std::pair("generalized-alpha", true)}) {
    const model::Description d = described(std::string(R"yaml(
trammel: 1
space: planar
bodies:
  m: {kind: point, mass: 1}
states:
  z: {rate: "(sin(3 rad/s*time) - z)/1e-3", initial: 0}
simulation: {until: 0.1 s, step: 5 ms, method: )yaml") +
                                           method + "}\n");
    const SimulationReport report = run(d, SecondRun::when_cheap);
    EXPECT_EQ(report.doubts.empty(), sound) << method;
    if (!sound && !report.doubts.empty()) {
      EXPECT_NE(report.doubts.front().message.find("states are not to be relied on"),
                std::string::npos)
          << report.doubts.front().message;
    }
  }
}

}  // namespace
}  // namespace trammel::analysis::verdict_test
