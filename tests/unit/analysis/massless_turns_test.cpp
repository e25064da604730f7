// registry: integrators
// Bodies without inertia of their own whose turns are held by joints: a point mass at the end of a
// rod without mass is a pendulum of that length, by every integrator, in both coordinates.
#include <cmath>

#include "analysis_models.h"
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "trammel/analysis/assembly.h"
#include "trammel/analysis/simulate.h"
#include "trammel/core/diagnostic.h"
#include "trammel/formulation/coordinates.h"
#include "trammel/integrators/kinds.h"
#include "trammel/results/memory_sink.h"

namespace trammel::analysis {
namespace {

using model::Description;
using model::Space;

constexpr double length = 0.5;
constexpr double gravity = 9.81;

/// Horizontal at the start; the axis of a spatial pin is z, and gravity acts along -y.
Description pendulum(Space space, const std::string& joint) {
  Description d;
  d.space = space;
  d.gravity = {0, -gravity, 0};
  model::Body rod;
  rod.name = "rod";
  rod.mass = {.mass = 3.0, .center = {length, 0, 0}, .inertia = Eigen::Matrix3d::Zero()};
  d.add_body(rod);
  d.add_joint(joint, "pin", "ground", "rod");
  d.simulation.until = 1.0;
  d.simulation.step = 1e-3;
  return d;
}

std::string why_refused(const Description& description) {
  try {
    const auto system = formulation::compile_model(description).system;
    assemble(*system);
  } catch (const core::RunError& error) {
    return error.what();
  }
  return {};
}

// The angle after one second by a Runge-Kutta solution of angle" = -g/l cos(angle), and the energy.
TEST(MasslessTurns, ThatAreHeldMoveAsTheirMassesDo) {
  for (const Space space : {Space::planar, Space::spatial}) {
    for (const std::string coordinates : {"absolute", "relative"}) {
      for (const auto& kind : integrators::integrator_kinds()) {
        SCOPED_TRACE(fmt::format("{} {} {}", model::to_string(space), coordinates, kind.name));
        Description d = pendulum(space, "revolute");
        d.simulation.coordinates = coordinates;
        d.simulation.integrator = kind.name;
        const auto system = formulation::compile_model(d).system;
        results::MemorySink sink;
        SimulationOptions options;
        options.sink = &sink;
        const SimulationReport report = simulate(*system, d.simulation, options);
        ASSERT_EQ(report.outcome, results::Outcome::completed) << report.message;
        const results::Table table = sink.take();
        const double angle = table.column("pin.angle").back();
        const double rate = table.column("pin.angle_rate").back();
        // park-chiou feeds no velocity error back; it is 0.04 percent after 1000 steps.
        const double tolerance = kind.name == "park-chiou" ? 1e-2 : 2e-3;
        EXPECT_NEAR(rate * rate, -2.0 * gravity / length * std::sin(angle), tolerance);
        EXPECT_NEAR(angle, -2.88204, 1e-3);
      }
    }
  }
}

// Two bodies in space with nothing but their masses, at any tolerance: as by another method at
// 1e-10.
TEST(MasslessTurns, InSpaceMoveByMethodsWithErrorControl) {
  const auto end = [](const char* integrator, double tolerance) {
    const auto system = model::compile(described(R"(
trammel: 1
space: spatial
gravity: [0, 0, -9.81]
bodies:
  one: {mass: 1 kg, inertia: [0, 0, 0], center: [0.5, 0, 0], frames: {end: [1, 0, 0]}}
  two: {mass: 2 kg, inertia: [0, 0, 0], position: [1, 0, 0], center: [0.4, 0, 0.1]}
joints:
  a: {type: revolute, between: [ground, one], axis: y}
  b: {type: revolute, between: [one.end, two], axis: y}
)"));
    model::SimulationSettings settings;
    settings.integrator = integrator;
    settings.integrator_values = {{"relative_tolerance", tolerance},
                                  {"absolute_tolerance", tolerance}};
    settings.until = 0.5;
    settings.output_step = 0.1;
    const SimulationReport report = simulate(*system, settings);
    EXPECT_EQ(report.outcome, results::Outcome::completed) << integrator << report.message;
    return system::Vector(report.final_motion.state.v);
  };
  const system::Vector exact = end("dormand-prince", 1e-10);
  for (const double tolerance : {1e-5, 1e-6, 1e-7, 1e-8}) {
    for (const char* integrator : {"bdf", "adams", "dormand-prince"}) {
      // Errors add up over some hundred steps of a motion of 5 m/s.
      const double error = (end(integrator, tolerance) - exact).lpNorm<Eigen::Infinity>();
      EXPECT_LT(error, 1e3 * tolerance) << integrator << " at " << tolerance;
    }
  }
}

TEST(MasslessTurns, ThatNothingHoldsAreRefused) {
  const Description spun = pendulum(Space::spatial, "spherical");
  EXPECT_NE(why_refused(spun).find("nothing with inertia turns with 'rod'"), std::string::npos);

  Description at_centre = pendulum(Space::planar, "revolute");
  at_centre.bodies[0].mass.center.setZero();
  EXPECT_NE(why_refused(at_centre).find("'rod'"), std::string::npos);

  Description free = pendulum(Space::planar, "revolute");
  free.joints.clear();
  free.add_force("spring", "spring", {"ground", "rod"}, {{"stiffness", 10.0}, {"length", 0.1}});
  EXPECT_NE(why_refused(free).find("'rod'"), std::string::npos);

  EXPECT_EQ(why_refused(pendulum(Space::spatial, "revolute")), "");
}

// Of a slender rod only the spin has no inertia; a joint of two axes across it holds that.
TEST(MasslessTurns, OfSlenderRodsAreThoseAboutTheirAxis) {
  Description d = pendulum(Space::spatial, "universal");
  d.bodies[0].mass.inertia = Eigen::Vector3d(0, 0.02, 0.02).asDiagonal();
  const auto system = model::compile(d);
  const std::vector<model::MasslessTurn> turns = system->massless_turns();
  ASSERT_EQ(turns.size(), 1U);
  EXPECT_EQ(turns[0].body, "rod");
  EXPECT_NEAR(std::abs(turns[0].axis[0]), 1.0, 1e-12);
}

// A four-bar in space, whose rows depend on each other, of bodies without inertia and with centres
// beside their joints, against a stiff spring; and two such bodies with a stiff spring between
// them. By bdf with every linear solver, against the explicit method at a sharp tolerance.
TEST(MasslessTurns, BesideStiffSpringsAndRedundantRowsAreAsAccurateAsOthers) {
  const std::string four_bar_in_space = R"(
trammel: 1
space: spatial
gravity: [0, -9.81, 0]
bodies:
  a: {mass: 1, inertia: [0, 0, 0], center: [0.25, 0.1, 0], orientation: {axis: z, angle: 90 deg},
      frames: {t: [0.5, 0, 0]}}
  b: {mass: 1, inertia: [0, 0, 0], position: [0, 0.5, 0], center: [0.5, 0.1, 0],
      frames: {t: [1, 0, 0]}}
  c: {mass: 1, inertia: [0, 0, 0], position: [1, 0.5, 0], center: [0, -0.25, 0]}
joints:
  ja: {type: revolute, between: [ground, a], axis: z}
  jb: {type: revolute, between: [a.t, b], axis: z}
  jc: {type: revolute, between: [b.t, c], axis: z}
  jd: {type: revolute, between: [ground, c], at: [1.3, 0, 0], axis: z}
forces:
  s: {type: coordinate_spring, coordinate: ja.angle, stiffness: 100, reference: 0.1}
simulation: {until: 1 s}
)";
  const std::string two_links = R"(
trammel: 1
space: planar
gravity: [0, -9.81]
bodies:
  a: {mass: 1, inertia: 0, center: [0.5, 0], frames: {t: [1, 0]}}
  b: {mass: 1, inertia: 0, position: [1, 0], center: [0.5, 0]}
joints:
  ja: {type: revolute, between: [ground, a]}
  jb: {type: revolute, between: [a.t, b]}
forces:
  s: {type: coordinate_spring, coordinate: jb.angle, stiffness: 1e4, damping: 20}
simulation: {until: 1 s}
)";
  for (const std::string& text : {four_bar_in_space, two_links}) {
    const auto angle = [&](const std::string& integrator, double tolerance,
                           const std::string& solver) {
      Description d = described(text);
      d.simulation.integrator = integrator;
      d.simulation.integrator_values = {{"relative_tolerance", tolerance},
                                        {"absolute_tolerance", tolerance}};
      d.simulation.solver = solver;
      const auto system = model::compile(d);
      results::MemorySink sink;
      SimulationOptions options;
      options.sink = &sink;
      const SimulationReport report = simulate(*system, d.simulation, options);
      EXPECT_EQ(report.outcome, results::Outcome::completed) << report.message;
      EXPECT_LT(report.statistics.at("steps"), 20000.0);
      return sink.take().column("ja.angle").back();
    };
    const double exact = angle("dormand-prince", 1e-10, "auto");
    for (const char* solver : {"auto", "klu", "dense"}) {
      // Ten to twenty tolerances are what bdf makes of ordinary inertias, too.
      EXPECT_NEAR(angle("bdf", 1e-7, solver), exact, 1e-5) << solver;
    }
  }
}

// Elements of beams read accelerations, which are not known yet when turns are looked at. Found by
// a mutated model, whose strip was so thin that its nodes had no inertia.
TEST(MasslessTurns, OfBodiesOnBeamsAreHeldByTheBeam) {
  const auto system = model::compile(described(R"(
trammel: 1
space: spatial
gravity: [0, 0, -9.81]
materials:
  steel: {density: 7850 kg/m^3, youngs_modulus: 210 GPa}
sections:
  strip: {rectangle: [20 mm, 20 mm]}
flexible:
  beam: {elements: 2, material: steel, section: strip, tip: [1, 0, 0], y_axis: z}
bodies:
  bob: {mass: 1 kg, inertia: [0, 0, 0], position: [1, 0, 0]}
joints:
  clamp: {type: fixed, between: [ground, beam.start], at: [0, 0, 0]}
  weld: {type: fixed, between: [beam.tip, bob], at: [1, 0, 0]}
)"));
  const Assembly assembly = assemble(*system);
  EXPECT_EQ(assembly.massless_turns.size(), 3U);
  EXPECT_TRUE(assembly.motion.a.allFinite());
}

}  // namespace
}  // namespace trammel::analysis
