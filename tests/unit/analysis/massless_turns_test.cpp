// registry: integrators
// Bodies without inertia of their own whose turns are held by joints: a point mass at the end of a
// rod without mass is a pendulum of that length, by every integrator, in both coordinates.
#include <cmath>

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
        EXPECT_NEAR(rate * rate, -2.0 * gravity / length * std::sin(angle), 2e-3);
        EXPECT_NEAR(angle, -2.88204, 1e-3);
      }
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

}  // namespace
}  // namespace trammel::analysis
