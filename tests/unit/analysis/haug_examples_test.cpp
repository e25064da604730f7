// The three mechanisms of [Haug1997] in examples/haug: values computed without Trammel, the steps
// that the source takes, iterations with either Jacobian, changes of coordinates.
#include <cmath>
#include <filesystem>

#include "full_vocabulary.h"
#include <gtest/gtest.h>
#include <yaml-cpp/yaml.h>

#include "trammel/analysis/assembly.h"
#include "trammel/analysis/simulate.h"
#include "trammel/integrators/kinds.h"
#include "trammel/integrators/state_space_newmark.h"
#include "trammel/io/model_file.h"
#include "trammel/results/memory_sink.h"

namespace trammel::analysis::haug_examples_test {
namespace {

using integrators::Settings;
using system::Vector;

std::string haug_file(const std::string& name) {
  return std::string(TRAMMEL_SOURCE_DIR) + "/examples/haug/" + name;
}

model::Description haug(const std::string& name) {
  return io::read_model_file(haug_file(name + ".yaml"), full_vocabulary()).description;
}

class HaugExample : public ::testing::TestWithParam<std::string> {};

INSTANTIATE_TEST_SUITE_P(Haug,
                         HaugExample,
                         ::testing::Values("double_pendulum", "slider_crank", "seven_bodies"),
                         [](const auto& each) { return each.param; });

// examples/references/haug.py computes the values in angles alone, and the tolerances are three
// times the error at the step of the file.
TEST_P(HaugExample, GivesTheExpectedValues) {
  const model::Description d = haug(GetParam());
  const auto system = model::compile(d);
  const YAML::Node expected = YAML::LoadFile(haug_file(GetParam() + ".expected.json"));
  ASSERT_GT(expected.size(), 4U);
  results::MemorySink sink;
  SimulationOptions options;
  options.sink = &sink;
  const SimulationReport report = simulate(*system, d.simulation, options);
  ASSERT_EQ(report.outcome, results::Outcome::completed) << report.message;
  EXPECT_EQ(report.statistics.at("failed_steps"), 0.0);
  const results::Table& table = sink.table();
  for (const YAML::Node& entry : expected) {
    const auto channel = entry["channel"].as<std::string>();
    const auto time = entry["time"].as<double>();
    std::size_t row = 0;
    while (row + 1 < table.rows() && table.time[row] < time - 1e-9) ++row;
    ASSERT_NEAR(table.time[row], time, 1e-9);
    EXPECT_NEAR(table.column(table.find(channel))[row], entry["value"].as<double>(),
                entry["tolerance"].as<double>())
        << channel << " at " << time << " s";
  }
}

// ---- runs with fixed steps, as the source makes them

struct FixedRun {
  bool ok = true;
  double fastest = 0.0;  ///< of all velocities, m/s or rad/s
  double mean_iterations = 0.0;
  system::Motion end;
  std::vector<std::string> notes;
  int changes = 0;
};

FixedRun run_fixed(const model::Description& description,
                   const std::string& method,
                   const Settings& settings,
                   double h,
                   double until) {
  const auto system = model::compile(description);
  const Assembly assembly = assemble(*system);
  const auto integrator =
      integrators::find_integrator_kind(method)->make(*system, settings, "auto");
  integrator->start(assembly.motion);
  const auto steps = static_cast<int>(std::ceil(until / h - 1e-9));
  FixedRun run;
  for (int i = 0; i < steps && run.ok; ++i) {
    run.ok = integrator->step(h).ok();
    run.fastest = std::max(run.fastest, integrator->motion().state.v.lpNorm<Eigen::Infinity>());
    if (run.ok) system->accept(integrator->motion().state);
  }
  run.end = integrator->motion();
  run.notes = integrator->notes();
  run.mean_iterations = static_cast<double>(integrator->statistics().iterations) / steps;
  if (const auto* state_space =
          dynamic_cast<const integrators::StateSpaceIntegrator*>(integrator.get())) {
    run.changes = state_space->form().partition_changes();
  }
  return run;
}

Settings of(const std::string& iteration,
            const std::string& predictor,
            std::vector<std::string> independent) {
  return {{"iteration", iteration},
          {"predictor", predictor},
          {"independent", std::move(independent)},
          {"repartition_above", 0.0}};
}

const std::vector<std::string> pendulum_angles{"bar1.angle", "bar2.angle"};

// Margins around the limits of a prototype: 0.014 s, above 0.05 s, 0.125 ms.
TEST(HaugDoublePendulum, TakesTheStepsOfTheSource) {
  const model::Description d = haug("double_pendulum");
  EXPECT_TRUE(
      run_fixed(d, "state-space-newmark", of("newton", "taylor", pendulum_angles), 0.01, 0.1).ok);
  EXPECT_TRUE(
      run_fixed(d, "state-space-newmark", of("newton", "hold", pendulum_angles), 0.02, 0.1).ok);
  const Settings explicit_settings{{"independent", pendulum_angles}, {"repartition_above", 0.0}};
  // The motion has 10 rad/s, and bar2's centre 18.3 m/s at the end (2 m * 5.47 rad/s * cos 0.236 +
  // 1.5 m * 5.25 rad/s * cos 0.241, of the expected values); a step that is too long has thousands.
  EXPECT_LT(run_fixed(d, "state-space-abm2", explicit_settings, 1.15e-4, 0.1).fastest, 19.0);
  EXPECT_GT(run_fixed(d, "state-space-abm2", explicit_settings, 1.4e-4, 0.1).fastest, 1000.0);
}

TEST(HaugDoublePendulum, NeedsFewerIterationsWithTheExactJacobian) {
  const model::Description d = haug("double_pendulum");
  const FixedRun exact =
      run_fixed(d, "state-space-newmark", of("newton", "hold", pendulum_angles), 0.0089, 0.1);
  const FixedRun quasi = run_fixed(d, "state-space-newmark",
                                   of("fisette-vaneghem", "hold", pendulum_angles), 0.0089, 0.1);
  ASSERT_TRUE(exact.ok && quasi.ok);
  EXPECT_LT(exact.mean_iterations, quasi.mean_iterations);
}

// As published: columns as they are, tenfold growth of the condition. It begins with bar1's angle
// and bar2's height, which goes out of use when bar2 hangs down at 0.26 s.
TEST(HaugDoublePendulum, KeepsItsOrderWhenCoordinatesChange) {
  const model::Description d = haug("double_pendulum");
  const Settings settings{{"columns", "plain"}, {"repartition_above", 10.0}};
  const auto run = [&](double h) { return run_fixed(d, "state-space-newmark", settings, h, 0.5); };
  const FixedRun coarse = run(2e-3);
  const FixedRun fine = run(1e-3);
  const FixedRun reference = run(1.0 / 16000.0);
  ASSERT_TRUE(coarse.ok && fine.ok && reference.ok);
  EXPECT_EQ(coarse.changes, 1);
  ASSERT_EQ(coarse.notes.size(), 2U);
  EXPECT_NE(coarse.notes[0].find("bar1.angle, bar2.position.y"), std::string::npos)
      << coarse.notes[0];
  EXPECT_NE(coarse.notes[1].find("t = 0.2"), std::string::npos) << coarse.notes[1];
  const double e1 = (coarse.end.state.q - reference.end.state.q).norm();
  const double e2 = (fine.end.state.q - reference.end.state.q).norm();
  // The reference is wrong by (1/16)^2 of the finer one.
  EXPECT_NEAR(std::log2(e1 / e2), 2.0, 0.2) << e1 << " " << e2;
}

// At the start the tip presses the spring by 0.1 m: the crank's angular acceleration is 83.3
// rad/s^2.
TEST(HaugSliderCrank, TakesTheStepsOfTheSource) {
  const model::Description d = haug("slider_crank");
  const auto system = model::compile(d);
  const Assembly assembly = assemble(*system);
  EXPECT_NEAR(std::abs(assembly.motion.a[2]), 83.3333333333, 1e-8);
  const std::vector<std::string> crank{"crank.angle"};
  EXPECT_TRUE(run_fixed(d, "state-space-newmark", of("newton", "taylor", crank), 0.06, 0.1).ok);
  const FixedRun exact =
      run_fixed(d, "state-space-newmark", of("newton", "taylor", crank), 0.0086, 0.1);
  const FixedRun quasi =
      run_fixed(d, "state-space-newmark", of("fisette-vaneghem", "taylor", crank), 0.0086, 0.1);
  ASSERT_TRUE(exact.ok && quasi.ok);
  EXPECT_LT(exact.mean_iterations, 0.8 * quasi.mean_iterations);
}

TEST(HaugSevenBodies, TakeTheStepsOfTheSource) {
  const model::Description d = haug("seven_bodies");
  const std::vector<std::string> crank{"k1.angle"};
  EXPECT_TRUE(run_fixed(d, "state-space-newmark", of("newton", "taylor", crank), 1e-3, 0.035).ok);
  const FixedRun exact =
      run_fixed(d, "state-space-newmark", of("newton", "hold", crank), 1e-4, 0.035);
  const FixedRun quasi =
      run_fixed(d, "state-space-newmark", of("fisette-vaneghem", "hold", crank), 1e-4, 0.035);
  ASSERT_TRUE(exact.ok && quasi.ok);
  EXPECT_LT(exact.mean_iterations, quasi.mean_iterations);
}

// The original mechanism: beta(0.03 s) = 15.810771196 [Hairer & Wanner 1996, VII.7].
TEST(HaugSevenBodies, ReproduceAndrewsSolution) {
  model::Description d = haug("seven_bodies");
  for (model::Item& force : d.forces) {
    if (force.name != "spring") continue;
    force.values["stiffness"] = 4530.0;
    force.values["damping"] = 0.0;
  }
  const auto angle = [&](double h) {
    const FixedRun run = run_fixed(d, "state-space-newmark", {}, h, 0.03);
    EXPECT_TRUE(run.ok);
    return run.end.state.q[2];
  };
  const double exact = 15.810771196;
  const double coarse = std::abs(angle(1e-5) - exact);
  const double fine = std::abs(angle(5e-6) - exact);
  EXPECT_LT(fine, 2e-3);
  EXPECT_NEAR(std::log2(coarse / fine), 2.0, 0.1) << coarse << " " << fine;
}

}  // namespace
}  // namespace trammel::analysis::haug_examples_test
