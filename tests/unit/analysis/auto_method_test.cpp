// `method: auto`: the rules, what they look at, and that the choice is always told.
#include "trammel/analysis/auto_method.h"

#include <cmath>

#include "full_vocabulary.h"
#include "support/mechanisms.h"
#include <gtest/gtest.h>

#include "trammel/analysis/fastest_rate.h"
#include "trammel/analysis/method.h"
#include "trammel/analysis/simulate.h"
#include "trammel/core/diagnostic.h"
#include "trammel/io/model_file.h"
#include "trammel/results/memory_sink.h"

namespace trammel::analysis {
namespace {

std::string chosen(const Traits& traits, Goal goal) {
  return integrator_text(choose_method(traits, goal, {}).settings);
}

TEST(AutoMethod, FollowsTheRecommendationsOfTheSource) {
  const Traits mechanism{.constrained = true, .loops = 1};
  EXPECT_EQ(chosen(mechanism, Goal::general), "mpr-mpa, index 2, stabilisation projection");
  EXPECT_EQ(chosen(mechanism, Goal::energy), "mpr-mpa, conservation energy");
  EXPECT_EQ(chosen(mechanism, Goal::stability), "newmark, index 1, stabilisation projection");
  EXPECT_EQ(chosen(mechanism, Goal::accuracy), "mpr-epa, index 2, stabilisation projection");
  EXPECT_EQ(chosen({}, Goal::general), "mpr-mpa");
}

TEST(AutoMethod, GivesWayWhereAModelDoesNotAllowIt) {
  const Traits coil{.constrained = true, .obstacle = "force 'coil' has no discrete gradient"};
  EXPECT_EQ(chosen(coil, Goal::energy), "mpr-mpa, index 3");
  EXPECT_NE(choose_method(coil, Goal::energy, {}).reason.find("force 'coil'"), std::string::npos);
  const Traits skate{.constrained = true, .nonholonomic = true, .obstacle = "rows do work"};
  EXPECT_EQ(chosen(skate, Goal::energy), "mpr-mpa, index 2, stabilisation projection");
  // A step of 1 ms and an oscillation of 5000 rad/s.
  const Traits stiff{.constrained = true, .fastest = 5000.0};
  EXPECT_EQ(chosen(stiff, Goal::general), "generalized-alpha, spectral_radius 0.6");
  EXPECT_NE(choose_method(stiff, Goal::stability, {}).reason.find("5e+03 1/s"), std::string::npos);
}

TEST(AutoMethod, FindsTheFastestOscillationAndDecay) {
  model::Description d = support::pendulum();
  const auto pendulum = model::compile(d);
  // sqrt(g/L) at rest is far below what a spring of 1e6 N/m on 1 kg has.
  EXPECT_LT(fastest_rate(*pendulum, assemble(*pendulum).motion), 10.0);
  model::Description spring;
  spring.space = model::Space::planar;
  model::Body& body = spring.add_body(support::bar("mass", 1.0, 4.0, model::Space::planar));
  body.position = {1.0, 0.0, 0.0};
  spring.add_force("spring", "spring", {"ground", "mass"},
                   {{"stiffness", 1e6}, {"damping", 3.0}, {"length", 1.0}});
  const auto system = model::compile(spring);
  EXPECT_NEAR(fastest_rate(*system, assemble(*system).motion), std::sqrt(1e6 / 4.0), 5.0);
}

TEST(AutoMethod, SeesLoopsRedundancyAndObstacles) {
  const auto bricard = model::compile(support::bricard());
  const Traits closed = traits_of(*bricard, assemble(*bricard));
  EXPECT_TRUE(closed.constrained);
  EXPECT_TRUE(closed.redundant);
  EXPECT_EQ(closed.loops, 1);
  const auto chain = model::compile(support::chain(3, model::Space::spatial));
  const Traits open = traits_of(*chain, assemble(*chain));
  EXPECT_EQ(open.loops, 0);
  EXPECT_FALSE(open.redundant);
  EXPECT_TRUE(open.obstacle.empty());
}

const char* const file_text = R"(
trammel: 1
space: planar
gravity: [0, -9.81]
bodies:
  bob: {kind: point, mass: 1 kg, position: [-1, 0]}
joints:
  rod: {type: distance, between: [ground, bob]}
simulation: {until: 0.2 s, step: 2 ms, method: {auto: energy}}
)";

TEST(AutoMethod, IsReadFromAModelFileAndTellsItsChoice) {
  const io::ModelFile file = io::read_model_text(file_text, "bob.yaml", full_vocabulary());
  EXPECT_EQ(file.description.simulation.integrator, "auto");
  const auto system = model::compile(file.description);
  results::MemorySink sink;
  SimulationOptions options;
  options.sink = &sink;
  const SimulationReport report = simulate(*system, file.description.simulation, options);
  EXPECT_EQ(report.outcome, results::Outcome::completed);
  EXPECT_NE(report.method.find("mpr-mpa, conservation energy"), std::string::npos) << report.method;
  EXPECT_NE(report.choice.find("goal energy"), std::string::npos) << report.choice;
  EXPECT_EQ(sink.table().info.more.at("method_choice"), report.choice);
  EXPECT_LT(std::abs(report.energy.numerical_loss), 1e-9);
}

TEST(AutoMethod, RunsEveryMechanismWithEveryGoal) {
  for (const model::Description& d :
       {support::slider_crank(), support::bricard(), support::chain(3, model::Space::spatial),
        support::asymmetric_top()}) {
    for (const std::string& goal : goal_names()) {
      const auto system = model::compile(d);
      model::SimulationSettings settings;
      settings.until = 0.05;
      settings.step = 1e-3;
      settings.integrator = "auto";
      settings.integrator_values = {{"goal", goal}};
      const SimulationReport report = simulate(*system, settings);
      EXPECT_EQ(report.outcome, results::Outcome::completed) << d.name << " " << goal;
      EXPECT_FALSE(report.choice.empty());
    }
  }
}

TEST(AutoMethod, RefusesAnUnknownGoal) {
  const auto system = model::compile(support::pendulum());
  model::SimulationSettings settings;
  settings.integrator = "auto";
  settings.integrator_values = {{"goal", std::string("enegry")}};
  EXPECT_THROW(simulate(*system, settings), core::InputError);
}

}  // namespace
}  // namespace trammel::analysis
