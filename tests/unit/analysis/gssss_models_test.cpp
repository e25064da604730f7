// Members of both families on spatial mechanisms, and exact energy on models.
#include "analysis_models.h"
#include "convergence.h"
#include "recorded_run.h"
#include "support/mechanisms.h"
#include "support/reference_motion.h"
#include <gtest/gtest.h>

#include "trammel/core/diagnostic.h"
#include "trammel/integrators/gssss.h"

namespace trammel::analysis {
namespace {

using integrators::Family;
using integrators::Gssss;
using integrators::GssssOptions;
using integrators::Stabilisation;

std::string describe(const GssssOptions& o) {
  return to_string(o.family, o.radii) + " index " + std::to_string(index_of(o)) +
         " stabilisation " + std::to_string(static_cast<int>(o.stabilisation));
}

const std::vector<GssssOptions> members{{.family = Family::V0, .radii = {1, 1, 0}},
                                        {.family = Family::U0, .radii = {1, 1, 1}},
                                        {.family = Family::V0, .radii = {0.4, 0.8, 0.2}},
                                        {.family = Family::U0, .radii = {0.7, 0.7, 0.7}},
                                        {.family = Family::U0, .radii = {0.8, 0.8, 0}}};

std::vector<GssssOptions> treated(const std::vector<GssssOptions>& list) {
  std::vector<GssssOptions> all;
  for (const GssssOptions& member : list) {
    for (const auto& [index, stabilisation] :
         {std::pair(3, Stabilisation::none), std::pair(2, Stabilisation::none),
          std::pair(2, Stabilisation::ggl), std::pair(1, Stabilisation::projection)}) {
      GssssOptions options = member;
      options.index = index;
      options.stabilisation = stabilisation;
      options.newton_tolerance = 1e-11;
      options.resolution = 0.0;
      all.push_back(options);
    }
  }
  return all;
}

MotionError error_of(model::ModelSystem& system,
                     const system::Motion& start,
                     const system::Motion& exact,
                     double h,
                     const GssssOptions& options) {
  Gssss integrator(system, options);
  integrator.start(start);
  integrators::March march(integrator, 0);
  const double until = exact.state.t - start.state.t;
  const long steps = std::lround(until / h);
  const integrators::MarchReport report = march.advance(until / static_cast<double>(steps), steps);
  EXPECT_TRUE(report.ok) << describe(options) << ": " << to_string(report.failure) << " at "
                         << report.time;
  return difference(system, integrator.motion(), exact);
}

TEST(GssssOnModels, HeavyTopHasOrderTwoWithMembersOfBothFamilies) {
  const auto system = model::compile(support::heavy_top());
  const Assembly assembly = assemble(*system);
  const system::Motion exact =
      support::reference_motion(*system, assembly.motion.state, 0.2, 20000);
  for (const GssssOptions& options : treated(members)) {
    const MotionError coarse = error_of(*system, assembly.motion, exact, 2e-4, options);
    const MotionError fine = error_of(*system, assembly.motion, exact, 1e-4, options);
    EXPECT_GT(measured_order(coarse.pose, fine.pose), 1.8) << describe(options);
    EXPECT_GT(measured_order(coarse.velocity, fine.velocity), 1.8) << describe(options);
    EXPECT_GT(measured_order(coarse.multiplier, fine.multiplier), 1.7) << describe(options);
  }
}

TEST(GssssOnModels, BricardHasOrderTwoWithMembersOfBothFamilies) {
  const auto system = model::compile(support::bricard());
  const Assembly assembly = assemble(*system);
  const system::Motion exact = support::reference_motion(*system, assembly.motion.state, 0.5, 1000);
  for (const GssssOptions& options : treated(members)) {
    const MotionError coarse = error_of(*system, assembly.motion, exact, 4e-3, options);
    const MotionError fine = error_of(*system, assembly.motion, exact, 2e-3, options);
    // Multipliers of redundant constraints are not unique.
    EXPECT_GT(measured_order(coarse.pose, fine.pose), 1.8) << describe(options);
    EXPECT_GT(measured_order(coarse.velocity, fine.velocity), 1.8) << describe(options);
  }
}

double total(model::ModelSystem& system, const system::State& state) {
  const system::Energy energy = system.energy(state);
  return energy.kinetic + energy.potential;
}

// Largest change of energy in each tenth of a run.
std::array<double, 10> energy_changes(const model::Description& description,
                                      double h,
                                      long steps,
                                      const GssssOptions& options) {
  const auto system = model::compile(description);
  const Assembly assembly = assemble(*system);
  Gssss integrator(*system, options);
  integrator.start(assembly.motion);
  const double before = total(*system, assembly.motion.state);
  std::array<double, 10> largest{};
  for (long i = 0; i < steps; ++i) {
    const integrators::StepReport report = integrator.step(h);
    EXPECT_TRUE(report.ok()) << describe(options) << " " << to_string(report.failure) << " " << i;
    if (!report.ok()) break;
    const double change = std::abs(total(*system, integrator.motion().state) - before);
    double& part = largest[static_cast<std::size_t>(10 * i / steps)];
    part = std::max(part, change);
  }
  return largest;
}

// The top has 5300 J, nearly all of it spin, and turns by 0.15 rad in a step; the linkage has five
// bars of 1 kg that fall by 1 m. At index 2 positions drift, and the potential with them.
TEST(GssssOnModels, EnergyStaysBoundedForAHundredSecondsWithoutDamping) {
  GssssOptions options{.family = Family::V0,
                       .radii = {1, 1, 0},
                       .index = 3,
                       .newton_tolerance = 1e-11,
                       .resolution = 0.0};
  for (const double change : energy_changes(support::heavy_top(), 1e-3, 100000, options)) {
    EXPECT_LT(change, 0.02);
  }
  for (const double change : energy_changes(support::bricard(), 5e-3, 20000, options)) {
    EXPECT_LT(change, 1e-4);
  }
  for (const auto& [family, spurious] : {std::pair(Family::V0, 0.0), std::pair(Family::U0, 0.0)}) {
    options.family = family;
    options.radii.spurious = spurious;
    options.index = 2;
    for (const double change : energy_changes(support::heavy_top(), 1e-3, 100000, options)) {
      EXPECT_LT(change, 0.2) << describe(options);
    }
    for (const double change : energy_changes(support::bricard(), 5e-3, 20000, options)) {
      EXPECT_LT(change, 0.02) << describe(options);
    }
  }
}

// Two bars on hinges, the second pulled by a spring, and a mass on another spring.
model::Description springs_masses_hinges(model::Space space) {
  model::Description d;
  d.space = space;
  d.gravity = {0.0, -9.81, 0.0};
  d.add_body(support::bar("first", 1.0, 1.0, space)).position = {0.5, 0.0, 0.0};
  d.add_body(support::bar("second", 0.8, 0.5, space)).position = {1.4, 0.0, 0.0};
  d.add_joint("revolute", "pin", "ground", "first.left");
  d.add_joint(space == model::Space::planar ? "revolute" : "spherical", "elbow", "first.right",
              "second.left");
  d.add_force("spring", "long", {"ground", "second.right"},
              {{"stiffness", 30.0}, {"length", 0.7}, {"preload", 1.0}});
  d.add_force("spring", "short", {"first", "second"}, {{"stiffness", 80.0}, {"length", 0.5}});
  return d;
}

TEST(EnergyMomentum, KeepsTheEnergyOfSpringsMassesAndHingesOverManySteps) {
  for (const model::Space space : {model::Space::planar, model::Space::spatial}) {
    for (const double rho : {0.0, 0.5, 1.0}) {
      const GssssOptions options{.family = Family::V0,
                                 .radii = {1, 1, rho},
                                 .conservation = integrators::Conservation::energy,
                                 .newton_tolerance = 1e-12,
                                 .resolution = 0.0};
      const long steps = rho == 0.0 ? 100000 : 5000;
      const auto exact = energy_changes(springs_masses_hinges(space), 5e-3, steps, options);
      // Newton stops at 1e-14 of a model size; times forces of 10 N that is 1e-13 J in each step,
      // at worst all of one sign.
      for (const double change : exact) EXPECT_LT(change, 1e-8) << describe(options);
      GssssOptions bounded = options;
      bounded.conservation = integrators::Conservation::symplectic;
      EXPECT_GT(energy_changes(springs_masses_hinges(space), 5e-3, 500, bounded)[9], 1e-6);
    }
  }
}

TEST(EnergyMomentum, HasOrderTwo) {
  const auto system = model::compile(springs_masses_hinges(model::Space::spatial));
  const Assembly assembly = assemble(*system);
  const system::Motion exact = support::reference_motion(*system, assembly.motion.state, 0.5, 4000);
  const GssssOptions options{.family = Family::V0,
                             .radii = {1, 1, 0},
                             .conservation = integrators::Conservation::energy,
                             .newton_tolerance = 1e-11};
  const MotionError coarse = error_of(*system, assembly.motion, exact, 4e-3, options);
  const MotionError fine = error_of(*system, assembly.motion, exact, 2e-3, options);
  EXPECT_GT(measured_order(coarse.pose, fine.pose), 1.8);
  EXPECT_GT(measured_order(coarse.velocity, fine.velocity), 1.8);
}

TEST(EnergyMomentum, RefusesForcesWithoutADiscreteGradient) {
  model::Description d = springs_masses_hinges(model::Space::planar);
  d.add_force("rotational_spring", "coil", {"ground", "first"}, {{"stiffness", 3.0}});
  const auto system = model::compile(d);
  try {
    Gssss integrator(*system, {.family = Family::V0,
                               .radii = {1, 1, 0},
                               .conservation = integrators::Conservation::energy});
    FAIL() << "accepted";
  } catch (const core::InputError& error) {
    EXPECT_NE(std::string(error.what()).find("force 'coil'"), std::string::npos) << error.what();
  }
}

// Its tolerance is a number of newtons: here loads are 1e-3 N, and steps 5 ns.
TEST(NewtonOfTheSource, MovesSmallModelsAsTheOtherDoes) {
  model::Description d = described(R"(
trammel: 1
space: planar
bodies:
  m: {mass: 1e-8 g, inertia: 1e-22, position: [3 um, 0]}
joints:
  rail: {type: prismatic, between: [ground, m], axis: x}
forces:
  s: {type: coordinate_spring, coordinate: rail.displacement, stiffness: 400}
simulation: {step: 5e-9 s, output_step: 5e-8 s, newton: source}
)");
  const double w = std::sqrt(400.0 / 1e-11);
  d.simulation.until = 5.0 * 2.0 * M_PI / w;
  const RecordedRun result = recorded_run(d);
  // Five periods of 200 steps: the error of the method is 3e-3 of the amplitude at its largest.
  EXPECT_NEAR(result.last("rail.displacement"), 3e-6, 1e-2 * 3e-6);
  EXPECT_NEAR(result.last("energy.total"), 0.5 * 400.0 * 9e-12, 1e-2 * 0.5 * 400.0 * 9e-12);
}

// z_a follows sin 3t with a lag of 10 us, far below the step, and z_b' = z_a - z_b.
TEST(NewtonOfTheSource, KnowsFirstOrderStates) {
  const RecordedRun result = recorded_run(described(R"yaml(
trammel: 1
space: planar
bodies:
  m: {kind: point, mass: 1}
states:
  za: {rate: "(sin(3 rad/s*time) - za)/1e-5", initial: 0}
  zb: {rate: "za - zb", initial: 1}
simulation: {until: 3 s, step: 5 ms, newton: source}
)yaml"));
  const double exact = 1.3 * std::exp(-3.0) + (std::sin(9.0) - 3.0 * std::cos(9.0)) / 10.0;
  EXPECT_NEAR(result.last("zb"), exact, 1e-4);  // (3 h)^2/12, and the lag
}

// A model without freedoms: at index 3 multipliers oscillate after a start, and the work of the
// drive is theirs. Steps are chosen by what is known all the same.
TEST(StepsByTolerance, FollowPrescribedMotions) {
  for (const char* method :
       {"{generalized-alpha: 0.8}", "{name: mpr-mpa, index: 2, stabilisation: projection}",
        "{name: hht, stabilisation: projection}"}) {
    const RecordedRun result = recorded_run(described(std::string(R"yaml(
trammel: 1
space: planar
gravity: [0, -9.81]
bodies:
  m: {mass: 2 kg, inertia: 1}
joints:
  rail: {type: prismatic, between: [ground, m], axis: y}
drives:
  d: {type: position, coordinate: rail.displacement, motion: "0.1 m*sin(50 rad/s*time)"}
simulation: {until: 0.5 s, output_step: 0.5 s, tolerance: 1e-5, method: )yaml") +
                                                      method + "}\n"));
    const double acceleration = -0.1 * 2500.0 * std::sin(25.0);
    EXPECT_NEAR(result.last("rail.displacement"), 0.1 * std::sin(25.0), 1e-10) << method;
    // Of 500 N at their largest, a hundred tolerances.
    EXPECT_NEAR(result.last("d.load"), 2.0 * (9.81 + acceleration), 0.5) << method;
    EXPECT_LT(result.report.statistics.at("steps"), 50000.0) << method;
  }
}

}  // namespace
}  // namespace trammel::analysis
