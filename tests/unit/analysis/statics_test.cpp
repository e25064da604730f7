// Equilibria against closed forms, by every method, and their stability.
#include "trammel/analysis/statics.h"

#include <cmath>
#include <numbers>

#include "analysis_models.h"
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "trammel/analysis/named_coordinates.h"
#include "trammel/core/diagnostic.h"

namespace trammel::analysis::statics_test {
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

Rest rest(const std::string& text, const StaticsOptions& options = {}) {
  Rest result;
  result.system = model::compile(described(text));
  result.report = statics(*result.system, options);
  return result;
}

// A steel cantilever, 1 m long and 10 mm square: its axial stiffness makes a noise of 1e-8 N out of
// the round-off of positions, which is no want of balance. F l^3 / (3 EI), far below it and above.
TEST(Statics, StiffBeamsCarrySmallLoads) {
  for (const double load : {1e-6, 1e-3, 1.0, 10.0}) {
    SCOPED_TRACE(load);
    Rest beam = rest(fmt::format(R"(
trammel: 1
space: planar
bodies:
  tip: {{mass: 0.2 kg, inertia: 1e-4 kg m^2, position: [1, 0]}}
forces:
  beam: {{type: beam, between: [ground, tip], length: 1, axial_stiffness: 2.1e7, bending_stiffness: 175}}
  f: {{type: force, on: tip, force: [0, -{:.1e}]}}
)",
                                 load));
    const double known = -load / (3.0 * 175.0);
    // The beam turns with its end: second order in the slope.
    EXPECT_NEAR(beam.at("tip.position.y"), known, 1e-6 * std::abs(known) + std::pow(known, 2));
    EXPECT_EQ(beam.report.stability.verdict, Stability::stable);
    EXPECT_EQ(beam.report.method, StaticMethod::newton);
  }
}

// Without any loads a stiff frame rests where it is, wherever that is.
TEST(Statics, UnloadedStructuresRestFarFromTheOrigin) {
  for (const double distance : {0.0, 1e3, 1e6}) {
    SCOPED_TRACE(distance);
    Rest beam = rest(fmt::format(R"(
trammel: 1
space: planar
ground: {{frames: {{root: [{0}, 0]}}}}
bodies:
  tip: {{mass: 0.2 kg, inertia: 1e-4 kg m^2, position: [{0} + 1, 0]}}
forces:
  beam: {{type: beam, between: [ground.root, tip], length: 1, axial_stiffness: 2.1e7, bending_stiffness: 175}}
)",
                                 distance));
    EXPECT_NEAR(beam.at("tip.position.x"), distance + 1.0, 1e-9 * std::max(1.0, distance));
    EXPECT_EQ(beam.report.stability.verdict, Stability::stable);
  }
}

// A pendulum that starts where it has no stiffness, beside a cart on a spring that is stiffer by up
// to twelve orders of magnitude: each hangs as it would alone.
TEST(Statics, StiffPartsLeaveSoftOnesTheirEquilibrium) {
  for (const double stiffness : {1e4, 1e6, 1e7, 1e8, 1e9, 1e10, 1e12}) {
    for (const StaticMethod method : {StaticMethod::automatic, StaticMethod::relaxation}) {
      SCOPED_TRACE(fmt::format("{:.0e}, {}", stiffness, static_cast<int>(method)));
      Rest found = rest(fmt::format(R"(
trammel: 1
space: planar
gravity: [0, -9.81]
bodies:
  arm: {{mass: 2 kg, inertia: 0.1 kg m^2, center: [0.5, 0]}}
  cart: {{mass: 3 kg, inertia: 1 kg m^2, position: [0, -1]}}
joints:
  pin: {{type: revolute, between: [ground, arm]}}
  rail: {{type: prismatic, between: [ground, cart], axis: y}}
forces:
  sp: {{type: coordinate_spring, coordinate: rail.displacement, stiffness: {:.0e}, reference: -1}}
)",
                                    stiffness),
                        {.method = method});
      EXPECT_NEAR(std::sin(found.at("pin.angle")), -1.0, 1e-9);
      EXPECT_NEAR(found.at("cart.position.y"), -1.0 - 3.0 * 9.81 / stiffness, 1e-9);
      EXPECT_EQ(found.report.stability.verdict, Stability::stable);
    }
  }
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
                      {.method = method});
    EXPECT_NEAR(block.at("block.position.y"), -0.5 - 2.0 * 9.81 / 300.0, 1e-10);
    ASSERT_EQ(block.report.stability.stiffness.size(), 1);
    EXPECT_NEAR(block.report.stability.stiffness[0], 150.0, 1e-8);
    EXPECT_EQ(block.report.stability.verdict, Stability::stable);
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
  EXPECT_NEAR(hanging.report.stability.stiffness[0], omega2, 1e-8);
  EXPECT_EQ(hanging.report.stability.verdict, Stability::stable);
  EXPECT_NEAR(hanging.at("pin.reaction.force.y"), 9.81, 1e-9);

  Rest standing = rest(pendulum(170.0), {.nearest = true});
  EXPECT_NEAR(standing.at("rod.angle"), std::numbers::pi, 1e-10);
  EXPECT_NEAR(standing.report.stability.stiffness[0], -omega2, 1e-8);
  EXPECT_EQ(standing.report.stability.verdict, Stability::unstable);
  ASSERT_FALSE(standing.report.stability.softest.empty());
  EXPECT_EQ(standing.report.stability.softest[0], "pin.angle");
}

// Let go from the horizontal, where the reduced stiffness is zero, the rod comes to hang.
TEST(Statics, RelaxationFindsTheStablePosition) {
  Rest rod = rest(pendulum(90.0), {.method = StaticMethod::relaxation});
  EXPECT_GT(rod.report.relaxation_steps, 0);
  EXPECT_NEAR(rod.at("rod.angle"), 0.0, 1e-10);
  EXPECT_EQ(rod.report.stability.verdict, Stability::stable);
  // It also leaves the neighbourhood of the unstable position, which Newton does not.
  Rest fallen = rest(pendulum(170.0), {.method = StaticMethod::relaxation});
  EXPECT_NEAR(fallen.at("rod.angle"), 0.0, 1e-10);
}

// Off the unstable position the model is pushed to the side of its start, also when it starts
// there.
TEST(Statics, AnUnstablePositionIsLeft) {
  for (const double start : {170.0, 180.0, 190.0}) {
    Rest rod = rest(pendulum(start));
    EXPECT_NEAR(std::sin(rod.at("rod.angle")), 0.0, 1e-10) << start;
    EXPECT_NEAR(std::cos(rod.at("rod.angle")), 1.0, 1e-10) << start;
    // From 170 degrees it falls back, from 190 on.
    const double side = start < 180.0 ? 0.0 : 2.0 * std::numbers::pi;
    EXPECT_TRUE(start == 180.0 || std::abs(rod.at("rod.angle") - side) < 1e-8) << start;
    EXPECT_EQ(rod.report.stability.verdict, Stability::stable);
    EXPECT_EQ(rod.report.left_along, "pin.angle");
    EXPECT_EQ(rod.report.pushes, 1);
  }
}

// Ten links that start horizontally: Newton alone would stand them up.
TEST(Statics, ChainComesToHang) {
  std::string text = "trammel: 1\nspace: planar\ngravity: [0, -9.81]\nbodies:\n";
  std::string joints = "joints:\n";
  for (int i = 0; i < 10; ++i) {
    text += fmt::format("  link{}: {{mass: 0.1, inertia: 1e-4, position: [{}, 0]}}\n", i,
                        0.05 + 0.1 * i);
    joints += fmt::format("  hinge{}: {{type: revolute, between: [{}, link{}], at: [{}, 0]}}\n", i,
                          i == 0 ? "ground" : fmt::format("link{}", i - 1), i, 0.1 * i);
  }
  Rest chain = rest(text + joints);
  EXPECT_EQ(chain.report.stability.verdict, Stability::stable);
  for (int i = 0; i < 10; ++i) {
    EXPECT_NEAR(chain.at(fmt::format("link{}.position.y", i)), -0.05 - 0.1 * i, 1e-9) << i;
  }
  EXPECT_NEAR(chain.at("hinge0.reaction.force.y"), 9.81, 1e-8);
}

// The block is pushed away the more, the farther it is: what was found stays.
TEST(Statics, WhereNothingElseIsAtRestTheUnstablePositionStays) {
  Rest block = rest(R"(
trammel: 1
space: planar
bodies:
  block: {mass: 1 kg, inertia: 0.1, position: [0.1, 0]}
joints:
  rail: {type: prismatic, between: [ground, block], axis: x}
forces:
  repulsion: {type: actuator, coordinate: rail.displacement, formula: 20 * (rail.displacement - 0.05 m)}
)");
  EXPECT_EQ(block.report.stability.verdict, Stability::unstable);
  EXPECT_NEAR(block.at("rail.displacement"), 0.05, 1e-10);
  EXPECT_NEAR(block.report.stability.stiffness[0], -20.0, 1e-9);
  EXPECT_EQ(block.report.left_along, "");
  EXPECT_GT(block.report.pushes, 0);
}

// A standing rod is turned by a wound spring, over more than half a revolution, to where the weight
// balances it: the joint's angle a, zero at the start, is counted on.
TEST(Statics, TurnsAreCountedOnTheWayToAStablePosition) {
  Rest rod = rest(R"(
trammel: 1
space: spatial
gravity: [0, 0, -9.81]
bodies:
  rod: {mass: 1 kg, inertia: [0.1, 0.1, 0.1], position: [0, 0, 0.5]}
joints:
  pin: {type: revolute, between: [ground, rod], at: [0, 0, 0], axis: y}
forces:
  spring: {type: actuator, coordinate: pin.angle, formula: -0.2 * (pin.angle + 14 rad)}
)");
  const double a = rod.at("pin.angle");
  EXPECT_NEAR(-0.2 * (a + 14.0) + 9.81 * 0.5 * std::sin(a), 0.0, 1e-8);
  EXPECT_LT(a, -std::numbers::pi);
  EXPECT_EQ(rod.report.stability.verdict, Stability::stable);
}

// Newton and load stepping look the wrong way where a push grows on its way to the only
// equilibrium, at 3.15 m; the model let go finds it.
TEST(Statics, RelaxationIsTheLastResort) {
  const std::string model = R"(
trammel: 1
space: planar
bodies:
  block: {mass: 1 kg, inertia: 0.1}
joints:
  rail: {type: prismatic, between: [ground, block], axis: x}
forces:
  push: {type: actuator, coordinate: rail.displacement, formula: tanh(10*(3.15 - rail.displacement/(1 m))) + 3*exp(-((rail.displacement/(1 m) - 0.6)/0.2)^2)}
)";
  EXPECT_THROW(rest(model, {.method = StaticMethod::newton}), core::RunError);
  EXPECT_THROW(rest(model, {.method = StaticMethod::load_stepping}), core::RunError);
  Rest block = rest(model);
  EXPECT_EQ(block.report.method, StaticMethod::relaxation);
  EXPECT_NEAR(block.at("rail.displacement"), 3.15, 1e-9);
  EXPECT_NEAR(block.report.stability.stiffness[0], 10.0, 1e-6);
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
  EXPECT_EQ(rhombus.report.stability.verdict, Stability::stable);
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
  EXPECT_EQ(cart.report.stability.verdict, Stability::neutral);
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

// A strip of aluminium, P l^3/(3 E I) = 6.7 mm, wherever it stands: absolute nodal coordinates are
// places in the world, and known to the round-off of these.
TEST(Statics, FindsThinBeamsFarFromTheOrigin) {
  for (const char* formulation : {"inertial", "ancf", "floating"}) {
    for (const double place : {0.0, 100.0, 3000.0}) {
      Rest beam = rest(fmt::format(R"(
trammel: 1
space: planar
materials:
  al: {{density: 2700 kg/m^3, youngs_modulus: 70 GPa}}
sections:
  s: {{rectangle: [10 mm, 4 mm]}}
flexible:
  b: {{formulation: {0}, elements: 4, material: al, section: s, start: [0, {1}], tip: [0, {1} + 1]}}
joints:
  clamp: {{type: fixed, between: [ground, b.start], at: [0, {1}]}}
forces:
  p: {{type: force, on: b.tip, force: [0.05, 0]}}
)",
                                   formulation, place));
      const double small = 0.05 / (3.0 * 70e9 * 0.01 * std::pow(0.004, 3) / 12.0);
      // Lines that bend get shorter, by (small/l)^2; four elements are exact at small loads.
      EXPECT_NEAR(beam.at("b.tip.position.x"), small, 1e-3 * small) << formulation << place;
    }
  }
}

}  // namespace
}  // namespace trammel::analysis::statics_test
