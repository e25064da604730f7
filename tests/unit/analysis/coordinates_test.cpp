// Absolute and relative coordinates are two views of one model: the same start, the same motion,
// reactions and energies, to 1e-9, on every example of the repository.
#include "trammel/formulation/coordinates.h"

#include <algorithm>
#include <cmath>

#include "coordinate_views.h"
#include "support/mechanisms.h"
#include "support/reference_motion.h"
#include <gtest/gtest.h>

#include "trammel/analysis/simulate.h"
#include "trammel/results/memory_sink.h"

namespace trammel::analysis {
namespace {

void expect_same_energy(const system::Energy& a, const system::Energy& b, double tolerance) {
  const double scale = std::max({1.0, std::abs(b.kinetic), std::abs(b.potential)});
  EXPECT_NEAR(a.kinetic, b.kinetic, tolerance * scale);
  EXPECT_NEAR(a.potential, b.potential, tolerance * scale);
}

class Coordinates : public testing::TestWithParam<std::string> {};

TEST_P(Coordinates, GiveTheSameStartAndMotion) {
  const model::Description description = example(GetParam());
  const auto absolute = model::compile(description);
  const auto relative = formulation::compile_relative(description);
  const Assembly start = assemble(*absolute);
  const Assembly same = assemble(*relative);
  EXPECT_EQ(start.mobility.freedoms(), same.mobility.freedoms());
  EXPECT_LE(relative->sizes().v, absolute->sizes().v);
  const std::set<std::string> open = open_joints(start.mobility);
  expect_same(*absolute, observed(*relative, same.motion), observed(*absolute, start.motion), open,
              1e-9);
  expect_same_energy(relative->energy(same.motion.state), absolute->energy(start.motion.state),
                     1e-9);
  const system::Power power = relative->power(same.motion);
  const system::Power expected = absolute->power(start.motion);
  if (open.empty()) {
    EXPECT_NEAR(power.drives, expected.drives, 1e-9 * std::max(1.0, std::abs(expected.drives)));
  }
  EXPECT_NEAR(power.loads, expected.loads, 1e-9 * std::max(1.0, std::abs(expected.loads)));

  // The recursion gives the accelerations of the matrices.
  system::Vector a;
  system::Vector lambda;
  ASSERT_TRUE(relative->accelerations(same.motion.state, a, lambda));
  const double size = std::max(1.0, a.size() == 0 ? 0.0 : a.lpNorm<Eigen::Infinity>());
  if (a.size() > 0) {
    EXPECT_LE((a - same.motion.a).lpNorm<Eigen::Infinity>(), 1e-9 * size);
  }

  // The same motion by Runge-Kutta of order four: its errors, (rate h)^5 per step, must stay far
  // below 1e-9 where bodies spin with 150 rad/s.
  constexpr int steps = 240;
  constexpr double duration = 0.01;
  const system::Motion there =
      support::reference_motion(*relative, same.motion.state, duration, steps);
  const system::Motion here =
      support::reference_motion(*absolute, start.motion.state, duration, steps);
  expect_same(*absolute, observed(*relative, there), observed(*absolute, here), open, 1e-9);
  expect_same_energy(relative->energy(there.state), absolute->energy(here.state), 1e-9);
}

INSTANTIATE_TEST_SUITE_P(Examples,
                         Coordinates,
                         testing::ValuesIn(example_names()),
                         [](const auto& info) { return info.param; });

// A joint that repeats a hinge of the tree: its rows have nothing but round-off in them.
TEST(RepeatedHinge, ChangesNothingInRelativeCoordinates) {
  model::Description once = support::chain(4, model::Space::spatial);
  once.simulation.until = 0.3;
  once.simulation.step = 1e-3;
  model::Description twice = once;
  const model::Item& hinge = once.joints[1];
  twice.add_joint(hinge.type, "again", hinge.attachments[0], hinge.attachments[1], hinge.values);
  for (const char* method : {"generalized-alpha", "dormand-prince"}) {
    once.simulation.integrator = twice.simulation.integrator = method;
    const auto single = formulation::compile_relative(once);
    const auto repeated = formulation::compile_relative(twice);
    const SimulationReport expected = simulate(*single, once.simulation, {});
    const SimulationReport report = simulate(*repeated, twice.simulation, {});
    ASSERT_EQ(expected.outcome, results::Outcome::completed) << expected.message;
    ASSERT_EQ(report.outcome, results::Outcome::completed) << method << ": " << report.message;
    const system::Vector difference = report.final_motion.state.q - expected.final_motion.state.q;
    EXPECT_LE(difference.lpNorm<Eigen::Infinity>(), 1e-9) << method;
  }
}

// Examples whose drives prescribe hinges of the tree: the partitioned system against the same
// system with the drives as constraint rows. Motion, drive loads and reactions are the same.
std::vector<std::string> examples_with_prescribed_hinges() {
  std::vector<std::string> names;
  for (const std::string& name : example_names()) {
    const model::Description description = example(name);
    if (description.drives.empty()) continue;
    if (!formulation::compile_relative(description)->prescribed_by().empty()) {
      names.push_back(name);
    }
  }
  return names;
}

class PrescribedHinges : public testing::TestWithParam<std::string> {};

TEST_P(PrescribedHinges, GiveTheMotionAndLoadsOfConstraintRows) {
  const model::Description description = example(GetParam());
  const auto partitioned = formulation::compile_relative(description);
  const auto rows = formulation::compile_relative(description, formulation::HingeDrives::rows);
  const auto drives = static_cast<int>(partitioned->prescribed_by().size());
  EXPECT_EQ(partitioned->sizes().v, rows->sizes().v - drives);
  EXPECT_EQ(partitioned->sizes().multipliers(), rows->sizes().multipliers() - drives);
  const Assembly start = assemble(*rows);
  const Assembly same = assemble(*partitioned);
  const std::set<std::string> open = open_joints(start.mobility);
  expect_same(*rows, observed(*partitioned, same.motion), observed(*rows, start.motion), open,
              1e-9);
  const system::Power power = partitioned->power(same.motion);
  const system::Power expected = rows->power(start.motion);
  if (open.empty()) {
    EXPECT_NEAR(power.drives, expected.drives, 1e-9 * std::max(1.0, std::abs(expected.drives)));
  }
  constexpr int steps = 240;
  constexpr double duration = 0.01;
  const system::Motion there =
      support::reference_motion(*partitioned, same.motion.state, duration, steps);
  const system::Motion here = support::reference_motion(*rows, start.motion.state, duration, steps);
  expect_same(*rows, observed(*partitioned, there), observed(*rows, here), open, 1e-9);
}

INSTANTIATE_TEST_SUITE_P(Examples,
                         PrescribedHinges,
                         testing::ValuesIn(examples_with_prescribed_hinges()),
                         [](const auto& info) { return info.param; });

// A motor that turns a rotor: nothing is left to solve, and the load comes out.
TEST(PrescribedHinges, MayLeaveNoUnknowns) {
  model::Description d;
  d.space = model::Space::planar;
  model::Body rotor;
  rotor.name = "rotor";
  rotor.mass.mass = 1.0;
  rotor.mass.inertia = 0.2 * Eigen::Matrix3d::Identity();
  d.add_body(rotor);
  d.add_joint("revolute", "pin", "ground", "rotor");
  d.add_drive("position", "motor",
              {{"coordinate", std::string("pin.angle")}, {"motion", std::string("3 * time^2")}});
  d.simulation.until = 1.5;
  const auto system = formulation::compile_relative(d);
  ASSERT_EQ(system->sizes().v, 0);
  results::MemorySink sink;
  SimulationOptions options;
  options.sink = &sink;
  const SimulationReport report = simulate(*system, d.simulation, options);
  ASSERT_EQ(report.outcome, results::Outcome::completed) << report.message;
  const results::Table table = sink.take();
  // No integration at all: round-off.
  EXPECT_NEAR(table.column("pin.angle").back(), 6.75, 1e-13);
  EXPECT_NEAR(table.column("pin.angle_rate").back(), 9.0, 1e-13);
  EXPECT_NEAR(table.column("motor.load").back(), 1.2, 1e-13);
  // The integral of the power by the trapezoidal rule of the recorder, exact for linear powers.
  EXPECT_NEAR(report.energy.drives, 0.5 * 0.2 * 81.0, 1e-9);
}

// Integrators see no difference either: both runs converge to the same motion, so that at a given
// step they agree to their errors, which fall with the square of the step.
double difference_of_runs(const model::Description& description,
                          const std::string& integrator,
                          double step) {
  model::SimulationSettings settings = description.simulation;
  settings.integrator = integrator;
  settings.integrator_values.clear();
  settings.step = step;
  settings.output_step = settings.until = 0.1;
  const auto absolute = model::compile(description);
  const auto relative = formulation::compile_relative(description);
  const SimulationReport first = simulate(*absolute, settings);
  const SimulationReport second = simulate(*relative, settings);
  EXPECT_EQ(first.outcome, results::Outcome::completed) << first.message;
  EXPECT_EQ(second.outcome, results::Outcome::completed) << second.message;
  const system::Motion& motion = relative->to_absolute(second.final_motion);
  system::Vector x;
  absolute->logarithm(first.final_motion.state.q, motion.state.q, x);
  return x.lpNorm<Eigen::Infinity>();
}

class RelativeRuns : public testing::TestWithParam<std::string> {};

TEST_P(RelativeRuns, ConvergeToTheAbsoluteMotion) {
  const model::Description description = example(GetParam());
  for (const char* integrator : {"generalized-alpha", "newmark", "mpr-mpa"}) {
    const double coarse = difference_of_runs(description, integrator, 2e-3);
    const double fine = difference_of_runs(description, integrator, 5e-4);
    // Second order: a sixteenth; what is below round-off need not fall.
    EXPECT_LE(fine, std::max(1e-10, 0.1 * coarse)) << integrator;
  }
}

INSTANTIATE_TEST_SUITE_P(Examples,
                         RelativeRuns,
                         testing::Values("four_bar",
                                         "spatial_slider_crank",
                                         "gyroscope",
                                         "rolling_disc",
                                         "pid_arm",
                                         "bricard"),
                         [](const auto& info) { return info.param; });

TEST(RelativeRun, SaysItsCoordinates) {
  const auto relative = formulation::compile_relative(support::slider_crank());
  model::SimulationSettings settings;
  settings.until = 0.01;
  EXPECT_NE(simulate(*relative, settings).method.find("relative coordinates"), std::string::npos);
}

TEST(RelativeRun, EnergyMethodsAreRefusedWithARemedy) {
  const auto relative = formulation::compile_relative(support::slider_crank());
  model::SimulationSettings settings;
  settings.integrator = "mpr-mpa";
  settings.integrator_values = {{"conservation", std::string("energy")}};
  EXPECT_THROW(simulate(*relative, settings), core::InputError);
}

}  // namespace
}  // namespace trammel::analysis
