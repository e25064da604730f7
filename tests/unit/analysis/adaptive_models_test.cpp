// Methods with error control, and explicit ones, on models: rotations, loops, redundant and
// nonholonomic rows, states, in absolute and relative coordinates.
#include <cmath>
#include <numbers>
#include <ostream>

#include "analysis_models.h"
#include "support/allocation_counter.h"
#include "support/mechanisms.h"
#include "support/reference_motion.h"
#include <gtest/gtest.h>

#include "trammel/analysis/method.h"
#include "trammel/analysis/simulate.h"
#include "trammel/formulation/coordinates.h"
#include "trammel/integrators/march.h"

namespace trammel::analysis::adaptive_models_test {
namespace {

const std::vector<std::string> adaptive_names{"dormand-prince", "adams", "bdf"};

model::SimulationSettings settings_of(const std::string& integrator, double tolerance) {
  model::SimulationSettings settings;
  settings.integrator = integrator;
  if (integrator != "rk4") {
    settings.integrator_values = {{"relative_tolerance", tolerance},
                                  {"absolute_tolerance", tolerance}};
  }
  return settings;
}

// Nonholonomic rows, and a body that turns many times.
model::Description rolling_disc() {
  return described(R"(
trammel: 1
space: spatial
gravity: [0, 0, -9.81]
bodies:
  disc:
    mass: 1 kg
    inertia: [0.0625, 0.125, 0.0625]
    position: [0, 0, 0.5]
    velocity: [2, 0, 0]
    angular_velocity: [0.3, 4, 0.5]
joints:
  roll: {type: rolling_disc, between: [ground, disc], axle: y, radius: 0.5 m}
)");
}

struct Case {
  std::string name;
  model::Description description;
  double until;
  int reference_steps = 1000;
};

void PrintTo(const Case& each, std::ostream* out) {
  *out << each.name;
}

const std::vector<Case>& cases() {
  static const std::vector<Case> list{
      {"heavy_top", support::heavy_top(), 0.1, 2000},
      {"asymmetric_top", support::asymmetric_top(), 2.0},
      {"slider_crank", support::slider_crank(), 0.5},
      {"spatial_slider_crank", support::spatial_slider_crank(), 0.5},
      {"bricard", support::bricard(), 0.5},
      {"chain", support::chain(5, model::Space::spatial), 0.5},
      {"geared_servo", support::geared_servo(), 0.15},
      {"rolling_disc", rolling_disc(), 1.0},
  };
  return list;
}

class AdaptiveModels : public ::testing::TestWithParam<Case> {
 protected:
  // Largest displacement (rad, model sizes) between the end of a run and the reference.
  static double error(model::ModelSystem& system,
                      const std::string& integrator,
                      double tolerance,
                      const system::Motion& start,
                      const system::Motion& reference) {
    const auto method = make_integrator(system, settings_of(integrator, tolerance));
    method->start(start);
    integrators::March march(*method);
    const double duration = reference.state.t - start.state.t;
    const integrators::MarchReport report = march.advance(duration / 10.0, 10, [&] {
      system.accept(method->motion().state);
      return true;
    });
    EXPECT_TRUE(report.ok) << integrator << " at " << report.time
                           << " s: " << integrators::to_string(report.failure);
    system::Vector x;
    system.logarithm(reference.state.q, method->motion().state.q, x);
    system::Vector g;
    system.position_constraint(method->motion().state, g);
    if (g.size() > 0) {
      EXPECT_LT(g.lpNorm<Eigen::Infinity>(), 1e-10) << integrator;
    }
    if (method->motion().state.z.size() > 0) {
      EXPECT_LT((method->motion().state.z - reference.state.z).norm(), 1e4 * tolerance);
    }
    return x.cwiseQuotient(system.displacement_scale()).lpNorm<Eigen::Infinity>();
  }

  static void expect_convergence(model::ModelSystem& system, double until, int steps) {
    const Assembly assembly = assemble(system);
    const system::Motion reference =
        support::reference_motion(system, assembly.motion.state, until, steps);
    for (const std::string& name : adaptive_names) {
      const double coarse = error(system, name, 1e-5, assembly.motion, reference);
      const double fine = error(system, name, 1e-8, assembly.motion, reference);
      // Errors of steps add up and tops magnify them. A thousandth of the tolerance leaves less
      // than a thirtieth of the error: results between steps fall with the power 0.8 of it. Where
      // the coarse run is far better than its tolerance (Bricard by bdf: 2e-7), the fine one is
      // still of the size of its own.
      EXPECT_LT(fine, 1e-5) << name << ", coarse " << coarse;
      EXPECT_LT(fine, std::max(0.03 * coarse, 3e-8)) << name << ", coarse " << coarse;
    }
  }
};

TEST_P(AdaptiveModels, ConvergeToTheReferenceInAbsoluteCoordinates) {
  const auto system = model::compile(GetParam().description);
  expect_convergence(*system, GetParam().until, GetParam().reference_steps);
}

TEST_P(AdaptiveModels, ConvergeToTheReferenceInRelativeCoordinates) {
  const auto system = formulation::compile_relative(GetParam().description);
  expect_convergence(*system, GetParam().until, GetParam().reference_steps);
}

TEST_P(AdaptiveModels, AllocateNothingOnceTheyAreWarm) {
  if (!support::AllocationCounter::available()) GTEST_SKIP() << "the sanitizer has its own malloc";
  const auto system = model::compile(GetParam().description);
  const Assembly assembly = assemble(*system);
  for (const char* name : {"dormand-prince", "rk4", "adams"}) {
    const auto method = make_integrator(*system, settings_of(name, 1e-6));
    method->start(assembly.motion);
    for (int i = 0; i < 40; ++i) ASSERT_TRUE(method->step(1e-3).ok());
    const support::AllocationCounter counter;
    for (int i = 0; i < 100; ++i) ASSERT_TRUE(method->step(1e-3).ok());
    EXPECT_EQ(counter.count(), 0) << name;
  }
}

INSTANTIATE_TEST_SUITE_P(Models,
                         AdaptiveModels,
                         ::testing::ValuesIn(cases()),
                         [](const auto& each) { return each.param.name; });

TEST(ExplicitMethods, UseTheRecursionInRelativeCoordinatesWithoutAllocating) {
  const auto system = formulation::compile_relative(support::chain(20, model::Space::spatial));
  const Assembly assembly = assemble(*system);
  for (const char* name : {"dormand-prince", "rk4", "adams"}) {
    const auto method = make_integrator(*system, settings_of(name, 1e-6));
    method->start(assembly.motion);
    for (int i = 0; i < 20; ++i) ASSERT_TRUE(method->step(1e-3).ok());
    const support::AllocationCounter counter;
    for (int i = 0; i < 50; ++i) ASSERT_TRUE(method->step(1e-3).ok());
    if (support::AllocationCounter::available()) {
      EXPECT_EQ(counter.count(), 0) << name;
    }
    EXPECT_EQ(method->statistics().factorisations, 0) << name;
  }
}

// Order on rotations: a body that tumbles freely, with its exact invariants as witnesses.
TEST(ExplicitMethods, KeepTheirOrderOnRotations) {
  const auto system = model::compile(support::asymmetric_top());
  const Assembly assembly = assemble(*system);
  const double until = 1.0;
  const system::Motion reference =
      support::reference_motion(*system, assembly.motion.state, until, 4000);
  const auto error = [&](model::SimulationSettings settings, double h) {
    if (settings.integrator == "dormand-prince") {
      settings.integrator_values = {{"steps", std::string("fixed")}};
    }
    const auto method = make_integrator(*system, settings);
    method->start(assembly.motion);
    integrators::March march(*method);
    EXPECT_TRUE(march.advance(h, std::lround(until / h)).ok);
    system::Vector x;
    system->logarithm(reference.state.q, method->motion().state.q, x);
    return x.lpNorm<Eigen::Infinity>();
  };
  const auto order = [&](const std::string& name) {
    const model::SimulationSettings settings = settings_of(name, 1e-6);
    return std::log2(error(settings, 0.02) / error(settings, 0.01));
  };
  EXPECT_NEAR(order("rk4"), 4.0, 0.3);
  EXPECT_NEAR(order("dormand-prince"), 5.0, 0.4);
}

// A bob on a damped spring of 10^8 N/m: it swings in seconds and vibrates in tenths of a
// millisecond.
model::Description stiff_pendulum() {
  return described(R"(
trammel: 1
space: planar
gravity: [0, -9.81]
bodies:
  bob: {kind: point, mass: 1 kg, position: [1, 0]}
forces:
  rod: {type: spring, between: [ground, bob], stiffness: 1e8, damping: 2e4, length: 1 m}
simulation: {until: 2 s, output_step: 0.1 s}
)");
}

TEST(StiffModels, TakeFarFewerStepsWithBdf) {
  const auto run = [](const std::string& name) {
    model::Description description = stiff_pendulum();
    const auto system = model::compile(description);
    model::SimulationSettings settings = settings_of(name, 1e-5);
    settings.until = 2.0;
    settings.output_step = 0.1;
    return simulate(*system, settings);
  };
  const SimulationReport explicit_run = run("dormand-prince");
  const SimulationReport implicit_run = run("bdf");
  ASSERT_EQ(explicit_run.outcome, results::Outcome::completed) << explicit_run.message;
  ASSERT_EQ(implicit_run.outcome, results::Outcome::completed) << implicit_run.message;
  EXPECT_GT(explicit_run.statistics.at("steps"), 10.0 * implicit_run.statistics.at("steps"));
  // The same swing: both within some tens of their tolerance.
  EXPECT_LT((explicit_run.final_motion.state.q - implicit_run.final_motion.state.q).norm(), 1e-3);
  // The explicit method says why it was slow; the implicit one has nothing to say.
  ASSERT_EQ(explicit_run.notes.size(), 1U);
  EXPECT_NE(explicit_run.notes[0].find("limited by stability"), std::string::npos);
  EXPECT_NE(explicit_run.notes[0].find("try bdf or generalized-alpha"), std::string::npos);
  EXPECT_TRUE(implicit_run.notes.empty());
}

TEST(StiffModels, AreFoundOutByAdamsAsWell) {
  const auto system = model::compile(stiff_pendulum());
  model::SimulationSettings settings = settings_of("adams", 1e-5);
  settings.until = 0.5;
  const SimulationReport report = simulate(*system, settings);
  ASSERT_FALSE(report.notes.empty());
  EXPECT_NE(report.notes[0].find("limited by stability"), std::string::npos);
}

TEST(SmoothModels, AreNotCalledStiff) {
  for (const std::string& name : adaptive_names) {
    const auto system = model::compile(support::slider_crank());
    model::SimulationSettings settings = settings_of(name, 1e-6);
    settings.until = 2.0;
    const SimulationReport report = simulate(*system, settings);
    EXPECT_EQ(report.outcome, results::Outcome::completed) << name << report.message;
    EXPECT_TRUE(report.notes.empty()) << name << ": " << report.notes[0];
  }
}

TEST(AdaptiveRuns, HitTheirOutputTimesAndReportTheirWork) {
  for (const std::string& name : adaptive_names) {
    const auto system = model::compile(support::pendulum());
    model::SimulationSettings settings = settings_of(name, 1e-6);
    settings.until = 1.05;
    settings.output_step = 0.1;
    const SimulationReport report = simulate(*system, settings);
    EXPECT_DOUBLE_EQ(report.final_motion.state.t, 1.05);
    EXPECT_EQ(report.method, name +
                                 ", absolute_tolerance 1e-06, relative_tolerance 1e-06, results "
                                 "every 0.1 s, solver auto");
    EXPECT_GT(report.statistics.at("evaluations"), report.statistics.at("steps"));
    EXPECT_GT(report.statistics.at("local_errors"), 0.0);
    EXPECT_LT(report.largest_position_error, 1e-10) << name;
    EXPECT_LT(report.largest_velocity_error, 1e-9) << name;
    // Nothing dissipates: what the balance lacks is error.
    EXPECT_LT(std::abs(report.energy.numerical_loss), 1e-3) << name;
  }
}

TEST(AdaptiveRuns, FailWithAMessageAndARemedy) {
  for (const std::string& name : adaptive_names) {
    const auto system = model::compile(described(R"(
trammel: 1
space: planar
bodies:
  block: {mass: 1 kg, inertia: 0.1, position: [0, 0]}
joints:
  rail: {type: prismatic, between: [ground, block], axis: x}
forces:
  pull: {type: actuator, coordinate: rail.displacement, formula: "1 N s^2 / (0.5 s - time)^2"}
)"));
    model::SimulationSettings settings = settings_of(name, 1e-6);
    const SimulationReport report = simulate(*system, settings);
    EXPECT_EQ(report.outcome, results::Outcome::failed) << name;
    EXPECT_NE(report.message.find("t = 0.5"), std::string::npos) << name << report.message;
    EXPECT_NE(report.remedy.find("without bound"), std::string::npos) << report.remedy;
  }
}

}  // namespace
}  // namespace trammel::analysis::adaptive_models_test
