// `method: auto`: the rules, what they look at, and that the choice is always told.
#include "trammel/analysis/auto_method.h"

#include <cmath>

#include "full_vocabulary.h"
#include "support/mechanisms.h"
#include <gtest/gtest.h>

#include "trammel/analysis/fastest_rate.h"
#include "trammel/analysis/method.h"
#include "trammel/analysis/simulate.h"
#include "trammel/analysis/tolerance_method.h"
#include "trammel/core/diagnostic.h"
#include "trammel/io/model_file.h"
#include "trammel/model/flexible/flexible_kinds.h"
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

// The columns of flexible, rigid-flexible and quasi-rigid-flexible systems [Huang2014, tables 5.10
// to 5.12]: the same methods. Energy is kept exactly in absolute nodal coordinates; a floating
// frame has a mass that depends on the motion, and then it stays bounded at index 3.
TEST(AutoMethod, ServesFlexibleAndMixedSystems) {
  const auto choices = [](const std::string& first, const std::string& second) {
    model::Description d;
    d.space = model::Space::planar;
    d.gravity = {0.0, -9.81, 0.0};
    model::FlexibleBody link;
    link.elements = 1;
    link.material = {.density = 2767.0, .youngs_modulus = 1e6};
    link.section = {.area = 2.5e-4, .second_moment = 1.3e-5};
    double x = 0.0;
    for (const auto& [name, formulation] : {std::pair("one", first), std::pair("two", second)}) {
      const Eigen::Vector3d from(x, 0.0, 0.0);
      const Eigen::Vector3d to(x + 1.8, 0.0, 0.0);
      x += 1.8;
      if (formulation == "rigid") {
        model::Body body;
        body.name = name;
        body.mass.mass = 1.2;
        body.mass.inertia = Eigen::Vector3d(0.3, 0.3, 0.3).asDiagonal();
        body.position = 0.5 * (from + to);
        body.frames = {{.name = "start", .position = {-0.9, 0.0, 0.0}},
                       {.name = "tip", .position = {0.9, 0.0, 0.0}}};
        d.add_body(body);
        continue;
      }
      link.name = name;
      link.formulation = formulation;
      link.start = from;
      link.tip = to;
      model::add_flexible_body(link, d);
    }
    d.add_joint("revolute", "hinge", "ground", "one.start");
    d.add_joint("revolute", "elbow", "one.tip", "two.start");
    const auto system = model::compile(d);
    const Traits traits = traits_of(*system, assemble(*system));
    return std::vector<std::string>{chosen(traits, Goal::general), chosen(traits, Goal::energy),
                                    chosen(traits, Goal::stability)};
  };
  const std::vector<std::string> recommended{"mpr-mpa, index 2, stabilisation projection",
                                             "mpr-mpa, conservation energy",
                                             "newmark, index 1, stabilisation projection"};
  EXPECT_EQ(choices("ancf", "ancf"), recommended);
  EXPECT_EQ(choices("rigid", "ancf"), recommended);
  std::vector<std::string> with_frame = recommended;
  with_frame[1] = "mpr-mpa, index 3";
  EXPECT_EQ(choices("floating", "ancf"), with_frame);
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

// ---- by a tolerance

model::SimulationSettings read_settings(const std::string& simulation) {
  const std::string text =
      "trammel: 1\nspace: planar\ngravity: [0, -9.81]\nbodies:\n"
      "  bob: {kind: point, mass: 1 kg, position: [-1, 0]}\njoints:\n"
      "  rod: {type: distance, between: [ground, bob]}\n" +
      simulation;
  return io::read_model_text(text, "bob.yaml", full_vocabulary()).description.simulation;
}

TEST(Tolerance, AloneIsACompleteMethod) {
  const model::SimulationSettings given =
      read_settings("simulation: {until: 5 s, tolerance: 1e-4}\n");
  EXPECT_EQ(given.integrator, "auto");
  EXPECT_DOUBLE_EQ(model::number(given.integrator_values, "tolerance"), 1e-4);
  EXPECT_DOUBLE_EQ(given.output_step, 5e-3);
  // A file without any choice.
  for (const char* none : {"", "simulation: {}\n", "simulation: {until: 1 s}\n"}) {
    const model::SimulationSettings settings = read_settings(none);
    EXPECT_EQ(settings.integrator, "auto") << none;
    EXPECT_DOUBLE_EQ(model::number(settings.integrator_values, "tolerance"), 1e-6);
    EXPECT_DOUBLE_EQ(settings.output_step, 1e-3);
  }
  // A step, or a setting of the method that goes with steps.
  for (const char* step : {"simulation: {step: 2 ms}\n", "simulation: {spectral_radius: 0.8}\n"}) {
    const model::SimulationSettings settings = read_settings(step);
    EXPECT_EQ(settings.integrator, "generalized-alpha") << step;
    EXPECT_FALSE(chooses_steps(settings)) << step;
  }
  const model::SimulationSettings spaced =
      read_settings("simulation: {until: 5 s, step: 10 ms, tolerance: 1e-4}\n");
  EXPECT_EQ(spaced.integrator, "auto");
  EXPECT_DOUBLE_EQ(spaced.output_step, 0.0);
  EXPECT_DOUBLE_EQ(spaced.step, 0.01);
}

TEST(Tolerance, IsThatOfTheMethodThatIsNamed) {
  const auto both = read_settings("simulation: {tolerance: 1e-5, method: bdf}\n").integrator_values;
  EXPECT_DOUBLE_EQ(model::number(both, "relative_tolerance"), 1e-5);
  EXPECT_DOUBLE_EQ(model::number(both, "absolute_tolerance"), 1e-5);
  const auto flat = read_settings("simulation: {tolerance: 1e-5, integrator: radau}\n");
  EXPECT_DOUBLE_EQ(model::number(flat.integrator_values, "relative_tolerance"), 1e-5);
  // What the method states of itself counts more.
  const auto own = read_settings("simulation: {tolerance: 1e-5, method: {bdf: 1e-7}}\n");
  EXPECT_DOUBLE_EQ(model::number(own.integrator_values, "relative_tolerance"), 1e-7);
  EXPECT_DOUBLE_EQ(model::number(own.integrator_values, "absolute_tolerance"), 1e-5);
  for (const char* family : {"simulation: {tolerance: 1e-5, method: {hht: 0.8}}\n",
                             "simulation: {method: {hht: 0.8, tolerance: 1e-5}}\n",
                             "simulation: {integrator: hht, tolerance: 1e-5}\n"}) {
    const model::SimulationSettings settings = read_settings(family);
    EXPECT_TRUE(chooses_steps(settings)) << family;
    EXPECT_DOUBLE_EQ(model::number(settings.integrator_values, "tolerance"), 1e-5) << family;
  }
  for (const char* wrong :
       {"simulation: {tolerance: 1e-5, method: rk4}\n", "simulation: {tolerance: 2}\n",
        "simulation: {tolerance: 1e-15}\n", "simulation: {tolerance: -1e-3}\n",
        "simulation: {tolerance: sharp, method: hht}\n"}) {
    try {
      read_settings(wrong);
      ADD_FAILURE() << wrong;
    } catch (const core::InputError& error) {
      EXPECT_EQ(error.diagnostics().size(), 1U) << wrong;
      EXPECT_EQ(error.diagnostics().front().path, "simulation.tolerance") << wrong;
      EXPECT_FALSE(error.diagnostics().front().remedy.empty()) << wrong;
    }
  }
}

TEST(Tolerance, ChoosesByStiffnessEventsAndAccuracy) {
  const auto by = [](const MotionRates& rates, double tolerance, Goal goal = Goal::general) {
    model::SimulationSettings settings;
    settings.integrator = "auto";
    const MethodChoice choice = choose_by_tolerance(rates, goal, settings, tolerance);
    EXPECT_TRUE(chooses_steps(choice.settings));
    EXPECT_NE(choice.reason.find("tolerance"), std::string::npos) << choice.reason;
    return choice.settings.integrator;
  };
  const MotionRates smooth{.motion = 3.0, .fastest = 5.0};
  const MotionRates stiff{.motion = 3.0, .fastest = 1e5};
  const MotionRates contact{.motion = 3.0, .fastest = 5.0, .events = true};
  EXPECT_EQ(by(smooth, 1e-4), "dormand-prince");
  EXPECT_EQ(by(smooth, 1e-8), "adams");
  EXPECT_EQ(by(contact, 1e-8), "dormand-prince");
  EXPECT_EQ(by(stiff, 1e-4), "bdf");
  EXPECT_EQ(by(stiff, 1e-8), "radau");
  EXPECT_EQ(by(smooth, 1e-4, Goal::stability), "bdf");
}

TEST(Tolerance, RunsAreRightToWhatTheySay) {
  const io::ModelFile file = io::read_model_text(
      "trammel: 1\nspace: planar\ngravity: [0, -9.81]\nbodies:\n"
      "  bob: {kind: point, mass: 1 kg, position: [-1, 0]}\njoints:\n"
      "  rod: {type: distance, between: [ground, bob]}\nsimulation: {until: 2 s}\n",
      "bob.yaml", full_vocabulary());
  const auto end = [&](double tolerance) {
    const auto system = model::compile(file.description);
    model::SimulationSettings settings = file.description.simulation;
    if (tolerance > 0.0) settings.integrator_values["tolerance"] = tolerance;
    const SimulationReport report = simulate(*system, settings);
    EXPECT_EQ(report.outcome, results::Outcome::completed);
    EXPECT_NE(report.choice.find("tolerance"), std::string::npos) << report.choice;
    return report.final_motion.state.q;
  };
  // Ten tolerances of the default 1e-6.
  EXPECT_LT((end(0.0) - end(1e-11)).norm(), 1e-5);
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
