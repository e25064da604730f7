// Where methods with error control once stalled: mechanisms that drives and joints hold at rest
// against loads, and singular positions.
#include <cmath>
#include <string>
#include <vector>

#include "analysis_models.h"
#include "recorded_run.h"
#include <gtest/gtest.h>

namespace trammel::analysis::rest_test {
namespace {

const std::vector<std::string> holds{
    "drives: {d: {type: velocity, coordinate: pin.angle, motion: 0 rad/s}}",
    "drives: {d: {type: acceleration, coordinate: pin.angle, motion: 0 rad/s^2}}",
    "drives: {d: {type: position, coordinate: pin.angle, motion: 0 rad}}",
    "drives: {d: {type: velocity, coordinate: pin.angle, motion: \"1 rad/s*pulse(time, 1 s, 1.2 "
    "s)\"}}",
    "couplings: {c: {type: equation, equation: pin.angle}}",
};

// The round-off of accelerations was taken for a motion, and its speed for a scale: steps of 1e-7
// s.
TEST(HeldAtRest, TakesFewSteps) {
  for (const char* integrator : {"dormand-prince", "adams", "bdf"}) {
    for (const std::string& hold : holds) {
      for (const char* height : {"0", "0.3"}) {
        SCOPED_TRACE(integrator + (": " + hold) + height);
        model::Description d = described(std::string(R"(
trammel: 1
space: planar
gravity: [0, -9.81]
ground: {frames: {bearing: [0, )") + height +
                                         R"(]}}
bodies:
  arm: {mass: 1 kg, inertia: 0.1, position: [0, )" +
                                         height + R"(], center: [0.5, 0]}
joints:
  pin: {type: revolute, between: [ground.bearing, arm]}
)" + hold + "\n");
        d.simulation.integrator = integrator;
        d.simulation.integrator_values.clear();  // of what the file chose
        d.simulation.until = 1.5;
        d.simulation.output_step = 0.05;
        const RecordedRun run = recorded_run(d);
        EXPECT_LT(run.report.statistics.at("steps"), 400.0);
        EXPECT_NEAR(run.report.energy.numerical_loss, 0.0, 1e-5);
      }
    }
  }
}

// The linkage falls through positions in which all its bars lie on one line, and G loses a rank.
// What the linear solver left of the rows of constraints there was taken for an error of the step,
// however small that was.
TEST(SingularPositions, ArePassedByBdf) {
  const model::Description d =
      io::read_model_file(std::string(TRAMMEL_SOURCE_DIR) + "/examples/four_bar/four_bar.yaml",
                          full_vocabulary())
          .description;
  for (const double tolerance : {1e-6, 1e-7, 1e-8}) {
    model::SimulationSettings settings = d.simulation;
    settings.integrator = "bdf";
    settings.integrator_values = {{"relative_tolerance", tolerance},
                                  {"absolute_tolerance", tolerance}};
    const auto system = model::compile(d);
    const SimulationReport report = simulate(*system, settings);
    EXPECT_EQ(report.outcome, results::Outcome::completed) << tolerance << report.message;
    // 36 J fall and rise; a method that damps may lose some tolerances of them in every fall.
    EXPECT_LT(std::abs(report.energy.numerical_loss), 1e3 * tolerance) << tolerance;
  }
}

}  // namespace
}  // namespace trammel::analysis::rest_test
