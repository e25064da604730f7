// The fuel injection pump of [Sol1983, ch. 9]: both models as they stand in examples/, against
// values of examples/references/pump.py, which knows nothing of Trammel.
#include <cmath>
#include <filesystem>

#include "full_vocabulary.h"
#include <gtest/gtest.h>
#include <yaml-cpp/yaml.h>

#include "trammel/analysis/kinematics.h"
#include "trammel/formulation/coordinates.h"
#include "trammel/io/model_file.h"
#include "trammel/results/memory_sink.h"

namespace trammel::analysis::fuel_injection_pump_test {
namespace {

std::filesystem::path file(const char* name) {
  return std::filesystem::path(TRAMMEL_SOURCE_DIR) / "examples" / "fuel_injection_pump" / name;
}

model::Description described(const char* name) {
  return io::read_model_file(file(name).string(), full_vocabulary()).description;
}

double value_at(const results::Table& table, const std::string& channel, double time) {
  for (std::size_t i = 0; i < table.rows(); ++i) {
    if (std::abs(table.time[i] - time) < 1e-9) return table.column(table.find(channel))[i];
  }
  ADD_FAILURE() << "t = " << time << " s is not an output time";
  return 0.0;
}

// JSON is read as the YAML that it is.
void expect_values(const results::Table& table, const char* name) {
  for (const YAML::Node& entry : YAML::LoadFile(file(name).string())) {
    const auto channel = entry["channel"].as<std::string>();
    const auto time = entry["time"].as<double>();
    EXPECT_NEAR(value_at(table, channel, time), entry["value"].as<double>(),
                entry["tolerance"].as<double>())
        << channel << " at t = " << time << " s";
  }
}

// Acceptance test 14: through the position, velocity and acceleration problems of the general
// program, in both coordinates; the increase of the roller's angle is integrated.
TEST(FuelInjectionPump, KinematicsAreThoseOfTheClosedSolution) {
  for (const char* coordinates : {"absolute", "relative"}) {
    SCOPED_TRACE(coordinates);
    model::Description description = described("kinematics.yaml");
    description.simulation.coordinates = coordinates;
    const auto system = formulation::compile_model(description).system;
    results::MemorySink sink;
    SimulationOptions options;
    options.sink = &sink;
    const KinematicsReport report = kinematics(*system, description.simulation, {}, options);
    ASSERT_EQ(report.outcome, results::Outcome::completed) << report.message;
    const results::Table& table = sink.table();
    expect_values(table, "kinematics.json");
    const auto angle = table.column(table.find("contact.angle"));
    EXPECT_NEAR(angle.back() - angle.front(), 7.65348, 1e-5);
  }
}

// Acceptance test 15: second revolution, to 1 %; 5 % from 155 to 158 degrees, where a step goes
// over the jump of the curvature at 156.49 degrees.
TEST(FuelInjectionPump, DynamicsAreThoseOfTheReducedEquations) {
  const model::Description description = described("dynamics.yaml");
  const auto system = model::compile(description);
  results::MemorySink sink;
  SimulationOptions options;
  options.sink = &sink;
  const SimulationReport report = simulate(*system, description.simulation, options);
  ASSERT_EQ(report.outcome, results::Outcome::completed) << report.message;
  // The bearing starts without load, so that the roller settles on the cam within microseconds;
  // then it stays there.
  for (const ContactEvent& event : report.events) EXPECT_LT(event.time, 1e-4) << to_string(event);
  expect_values(sink.table(), "dynamics.json");
}

}  // namespace
}  // namespace trammel::analysis::fuel_injection_pump_test
