// Equilibria against closed forms, by every method, and their stability.
#include "trammel/analysis/statics.h"

#include <cmath>
#include <numbers>

#include "analysis_models.h"
#include <gtest/gtest.h>

#include "trammel/analysis/named_coordinates.h"
#include "trammel/core/diagnostic.h"

namespace trammel::analysis {
namespace {

struct Rest {
  std::unique_ptr<model::ModelSystem> system;
  StaticsReport report;

  double at(const std::string& channel) {
    Observer observer(*system);
    const std::vector<double>& values = observer.observe(report.motion);
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (observer.quantities()[i].name == channel) return values[i];
    }
    ADD_FAILURE() << "no channel " << channel;
    return NAN;
  }
};

Rest rest(const std::string& text, StaticMethod method = StaticMethod::automatic) {
  Rest result;
  result.system = model::compile(described(text));
  result.report = statics(*result.system, method);
  return result;
}

// A mass on a spring: x = m g / k, omega^2 = k / m, whatever finds it.
TEST(Statics, SpringCarriesTheWeight) {
  for (const StaticMethod method : {StaticMethod::automatic, StaticMethod::newton,
                                    StaticMethod::load_stepping, StaticMethod::relaxation}) {
    Rest block = rest(R"(
trammel: 1
space: planar
gravity: [0, -9.81]
bodies:
  block: {mass: 2 kg, inertia: 0.1, position: [0, -0.5]}
joints:
  rail: {type: prismatic, between: [ground, block], axis: y}
forces:
  spring: {type: spring, between: [ground, block], stiffness: 300 N/m, length: 0.5}
)",
                      method);
    EXPECT_NEAR(block.at("block.position.y"), -0.5 - 2.0 * 9.81 / 300.0, 1e-10);
    ASSERT_EQ(block.report.stiffness.size(), 1);
    EXPECT_NEAR(block.report.stiffness[0], 150.0, 1e-8);
    EXPECT_EQ(block.report.stability, Stability::stable);
  }
}

const char* pendulum(double angle) {
  static std::string text;
  text = R"(
trammel: 1
space: planar
gravity: [0, -9.81]
parameters: {start: )" +
         std::to_string(angle) + R"( deg}
bodies:
  rod: {mass: 1 kg, inertia: 0.1, position: [0.5*sin(start), -0.5*cos(start)], angle: start}
joints:
  pin: {type: revolute, between: [ground, rod], at: [0, 0]}
)";
  return text.c_str();
}

// Hanging: omega^2 = m g l / J; standing: the same with the opposite sign.
TEST(Statics, PendulumHangsStablyAndStandsUnstably) {
  const double omega2 = 1.0 * 9.81 * 0.5 / (0.1 + 0.25);
  Rest hanging = rest(pendulum(20.0));
  EXPECT_NEAR(hanging.at("rod.angle"), 0.0, 1e-10);
  EXPECT_NEAR(hanging.report.stiffness[0], omega2, 1e-8);
  EXPECT_EQ(hanging.report.stability, Stability::stable);
  EXPECT_NEAR(hanging.at("pin.reaction.force.y"), 9.81, 1e-9);

  Rest standing = rest(pendulum(170.0));
  EXPECT_NEAR(standing.at("rod.angle"), std::numbers::pi, 1e-10);
  EXPECT_NEAR(standing.report.stiffness[0], -omega2, 1e-8);
  EXPECT_EQ(standing.report.stability, Stability::unstable);
  ASSERT_FALSE(standing.report.softest.empty());
  EXPECT_EQ(standing.report.softest[0], "pin.angle");
}

// Let go from the horizontal, where the reduced stiffness is zero, the rod comes to hang.
TEST(Statics, RelaxationFindsTheStablePosition) {
  Rest rod = rest(pendulum(90.0), StaticMethod::relaxation);
  EXPECT_GT(rod.report.relaxation_steps, 0);
  EXPECT_NEAR(rod.at("rod.angle"), 0.0, 1e-10);
  EXPECT_EQ(rod.report.stability, Stability::stable);
  // It also leaves the neighbourhood of the unstable position, which Newton does not.
  Rest fallen = rest(pendulum(170.0), StaticMethod::relaxation);
  EXPECT_NEAR(fallen.at("rod.angle"), 0.0, 1e-10);
}

// A rhombus of rods hangs with a spring between its side corners. By virtual work of the half
// diagonals w and h, w dw + h dh = 0: 2 S h = W w with the spring's push S and the weights W.
TEST(Statics, RhombusWithASpringIsThatOnPaper) {
  Rest rhombus = rest(R"(
trammel: 1
space: planar
gravity: [0, -10]
bodies:
  left: {kind: point, mass: 1e-3, position: [-0.3, -0.4]}
  right: {kind: point, mass: 1e-3, position: [0.3, -0.4]}
  weight: {kind: point, mass: 4 kg, position: [0, -0.8]}
joints:
  a: {type: distance, between: [ground, left], length: 0.5}
  b: {type: distance, between: [ground, right], length: 0.5}
  c: {type: distance, between: [left, weight], length: 0.5}
  d: {type: distance, between: [right, weight], length: 0.5}
forces:
  spring: {type: spring, between: [left, right], stiffness: 200 N/m, length: 0.8}
)");
  const double w = rhombus.at("right.position.x");
  const double h = std::sqrt(0.25 - w * w);
  // The weight sinks by 2 dh, the small masses by dh.
  const double spring = 200.0 * (0.8 - 2.0 * w);
  const double weights = 10.0 * (4.0 * 2.0 + 2.0e-3);
  EXPECT_NEAR(2.0 * spring * h, weights * w, 1e-8);
  EXPECT_GT(w, 0.05);
  EXPECT_EQ(rhombus.report.stability, Stability::stable);
}

TEST(Statics, FreeDirectionsAreNeutral) {
  Rest cart = rest(R"(
trammel: 1
space: planar
gravity: [0, -9.81]
bodies:
  cart: {mass: 2 kg, inertia: 0.1}
joints:
  rail: {type: prismatic, between: [ground, cart], axis: x}
)");
  EXPECT_EQ(cart.report.stability, Stability::neutral);
  EXPECT_NEAR(cart.at("rail.reaction.force.y"), 2.0 * 9.81, 1e-9);
}

TEST(Statics, WithoutEquilibriumNamesWhatMoves) {
  try {
    rest(R"(
trammel: 1
space: planar
gravity: [0, -9.81]
bodies:
  stone: {mass: 2 kg, inertia: 0.1}
joints:
  shaft: {type: prismatic, between: [ground, stone], axis: y}
)");
    FAIL() << "found one";
  } catch (const core::RunError& error) {
    EXPECT_NE(std::string(error.what()).find("shaft.displacement"), std::string::npos)
        << error.what();
  }
}

// An integrating controller holds the block at its target; its state carries the load.
TEST(Statics, StatesComeToRestToo) {
  Rest block = rest(R"(
trammel: 1
space: planar
parameters: {target: 0.3 m}
gravity: [0, -9.81]
bodies:
  block: {mass: 2 kg, inertia: 0.1}
joints:
  rail: {type: prismatic, between: [ground, block], axis: y}
states:
  integral: {rate: target - rail.displacement}
forces:
  controller: {type: actuator, coordinate: rail.displacement, formula: 400*(target - rail.displacement) + 300*integral - 40*rail.displacement_rate}
)");
  EXPECT_NEAR(block.at("block.position.y"), 0.3, 1e-9);
  EXPECT_NEAR(block.at("integral"), 2.0 * 9.81 / 300.0, 1e-9);
}

}  // namespace
}  // namespace trammel::analysis
