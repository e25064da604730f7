// Runs that start at rest, and what holds models there: trapped oil, states, steady drives.
#include "trammel/analysis/start.h"

#include <cmath>

#include "analysis_models.h"
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "trammel/analysis/simulate.h"
#include "trammel/analysis/statics.h"
#include "trammel/analysis/stepper.h"
#include "trammel/core/diagnostic.h"
#include "trammel/formulation/coordinates.h"

namespace trammel::analysis::start_test {
namespace {

// A block of 50 kg on a vertical cylinder whose valve is closed.
std::string lift(double opening, double leakage) {
  return fmt::format(R"(
trammel: 1
space: planar
gravity: [0, -9.81]
bodies:
  block: {{mass: 50 kg, inertia: 1 kg m^2, position: [0, 0.3]}}
joints:
  rail: {{type: prismatic, between: [ground, block], axis: y}}
forces:
  jack: {{type: hydraulic_cylinder, coordinate: rail.displacement, opening: "{}", area_a: 20 cm^2,
         area_b: 12 cm^2, volume_a: 1e-3, volume_b: 2e-3, reference: 0.3, supply_pressure: 100 bar,
         valve_coefficient: 1e-7, leakage: {}}}
simulation: {{until: 0.2, step: 0.1 ms}}
)",
                     opening, leakage);
}

// F = A_a p_a - A_b p_b with p = p0 -+ K log(V/V0): what is trapped keeps its mass.
double trapped_force(double x) {
  constexpr double K = 1.4e9;
  constexpr double p0 = 1e5;
  const double a = p0 - K * std::log((1e-3 + 20e-4 * x) / 1e-3);
  const double b = p0 - K * std::log((2e-3 - 12e-4 * x) / 2e-3);
  return 20e-4 * a - 12e-4 * b;
}

double value_at_rest(model::ModelSystem& system, const StaticsReport& rest, const char* name) {
  const std::vector<model::Quantity> channels = system.observables();
  std::vector<double> values(channels.size());
  system.observe(rest.motion, values.data());
  for (std::size_t i = 0; i < channels.size(); ++i) {
    if (channels[i].name == name) return values[i];
  }
  return NAN;
}

TEST(Start, TrappedOilHoldsALoad) {
  const auto system = model::compile(described(lift(0.0, 0.0)));
  const StaticsReport rest = statics(*system);
  EXPECT_EQ(rest.stability.verdict, Stability::stable);
  const double x = value_at_rest(*system, rest, "rail.displacement") - 0.3;
  // The oil is stiff: 5e6 N/m carry 490 N within a tenth of a millimetre.
  EXPECT_LT(std::abs(x), 2e-4);
  EXPECT_LT(x, 0.0);
  // Newton stops at 1e-9 of the load; the way was integrated far better than that.
  EXPECT_NEAR(trapped_force(x), 50.0 * 9.81, 1e-4);
  // The stiffness of both chambers over the mass.
  const double slope = (trapped_force(x + 1e-6) - trapped_force(x - 1e-6)) / 2e-6;
  EXPECT_NEAR(rest.stability.stiffness[0], -slope / 50.0, 1e-3 * std::abs(slope) / 50.0);
}

TEST(Start, TrappedOilIsFollowedOverLargeWays) {
  // Soft oil, so that the block sinks a third of the chamber.
  std::string soft = lift(0.0, 0.0);
  soft.replace(soft.find("valve_coefficient"), 0, "bulk_modulus: 1e6, ");
  const auto system = model::compile(described(soft));
  const StaticsReport rest = statics(*system);
  const double x = value_at_rest(*system, rest, "rail.displacement") - 0.3;
  const double a = 1e5 - 1e6 * std::log((1e-3 + 20e-4 * x) / 1e-3);
  const double b = 1e5 - 1e6 * std::log((2e-3 - 12e-4 * x) / 2e-3);
  EXPECT_LT(x, -0.05);
  // Runge-Kutta over eight pieces of each Newton step: 1e-6 of the load.
  EXPECT_NEAR(20e-4 * a - 12e-4 * b, 50.0 * 9.81, 50.0 * 9.81 * 1e-6);
}

TEST(Start, RunsBeginAtRest) {
  const model::Description description = described(lift(0.0, 0.0));
  const auto system = model::compile(description);
  SimulationOptions options;
  const SimulationReport run =
      simulate(*system, description.simulation, options, Start::equilibrium);
  EXPECT_EQ(run.outcome, results::Outcome::completed);
  // It stays: the balance is good to 1e-9 of the load.
  EXPECT_LT(run.final_motion.state.v.lpNorm<Eigen::Infinity>(), 1e-6);
  ASSERT_FALSE(run.notes.empty());
  EXPECT_NE(run.notes.front().find("starts in equilibrium"), std::string::npos);
  // As described it bounces: 490 N fall onto the oil.
  const auto other = model::compile(description);
  double fastest = 0.0;
  options.visit = [&](const system::Motion& motion) {
    fastest = std::max(fastest, motion.state.v.lpNorm<Eigen::Infinity>());
  };
  simulate(*other, description.simulation, options);
  EXPECT_GT(fastest, 1e-2);
}

// A mass on a spring in a slot of a drum that turns: k (r - L) = m r w^2 without friction or
// gravity, r = k L / (k - m w^2).
TEST(Start, DrivesGoOnMoving) {
  for (const char* coordinates : {"absolute", "relative"}) {
    SCOPED_TRACE(coordinates);
    model::Description description = described(R"(
trammel: 1
space: planar
bodies:
  drum: {mass: 3 kg, inertia: 0.1 kg m^2}
  mass: {mass: 2 kg, inertia: 1e-3 kg m^2, position: [0.45, 0]}
joints:
  shaft: {type: revolute, between: [ground, drum]}
  slot: {type: prismatic, between: [drum, mass], axis: x}
forces:
  spring: {type: coordinate_spring, coordinate: slot.displacement, stiffness: [1000], reference: 0.4}
drives:
  motor: {type: position, coordinate: shaft.angle, motion: "10 rad/s * time"}
simulation: {until: 1, step: 1 ms}
)");
    description.simulation.coordinates = coordinates;
    Stepper sim(formulation::compile_model(description).system, description.simulation, {},
                Start::equilibrium);
    const double r = 1000.0 * 0.4 / (1000.0 - 2.0 * 100.0);
    EXPECT_NEAR(sim.value("slot.displacement"), r, 1e-7);
    EXPECT_NEAR(sim.value("shaft.angle_rate"), 10.0, 1e-9);
    EXPECT_NEAR(sim.value("slot.displacement_rate"), 0.0, 1e-9);
    sim.advance(0.5);
    // It stays there: second order in the step of 1 ms.
    EXPECT_NEAR(sim.value("slot.displacement"), r, 1e-4);
  }
}

TEST(Start, TellsWhatDoesNotComeToRest) {
  const model::Description description = described(R"(
trammel: 1
space: planar
gravity: [0, -9.81]
bodies: {stone: {mass: 1 kg, inertia: 1 kg m^2}}
)");
  const auto system = model::compile(description);
  try {
    simulate(*system, description.simulation, {}, Start::equilibrium);
    FAIL() << "a stone in the air does not rest";
  } catch (const core::RunError& error) {
    EXPECT_NE(std::string(error.what()).find("start: equilibrium: no equilibrium"),
              std::string::npos);
  }
}

}  // namespace
}  // namespace trammel::analysis::start_test
