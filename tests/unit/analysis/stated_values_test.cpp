// Initial values: what is written counts, what is not written gives way, and moves are named.
#include <cmath>

#include "analysis_models.h"
#include "support/random_models.h"
#include <gtest/gtest.h>

#include "trammel/analysis/assembly.h"
#include "trammel/core/diagnostic.h"
#include "trammel/formulation/coordinates.h"

namespace trammel::analysis::stated_values_test {
namespace {

model::Description trial(const std::string& name) {
  const std::string path = std::string(TRAMMEL_SOURCE_DIR) + "/tests/data/trials/" + name + ".yaml";
  return io::read_model_file(path, full_vocabulary()).description;
}

std::string rod(const std::string& initial, const std::string& more = {}) {
  return R"(
trammel: 1
space: planar
bodies:
  rod: {shape: {rod: {length: 1 m, mass: 1 kg}}, frames: {o: [-0.5, 0]}, )" +
         initial + R"(}
joints:
  pin: {type: revolute, between: [ground, rod.o]}
)" + more;
}

TEST(StatedValues, APinnedRodTurnsAsStated) {
  const auto system = model::compile(trial("velocity_guess"));
  const Assembly assembly = assemble(*system);
  EXPECT_NEAR(assembly.motion.state.v[2], 10.0, 1e-12);
  EXPECT_NEAR(assembly.motion.state.v[1], 5.0, 1e-12);
  // Only the velocity that nobody stated was found.
  for (const MovedValue& moved : assembly.moved) EXPECT_FALSE(moved.stated);
  ASSERT_EQ(assembly.moved.size(), 1u);
  EXPECT_EQ(to_string(assembly.moved[0]), "'rod': velocity.y from 0 to 5 m/s");
}

TEST(StatedValues, InRelativeCoordinatesToo) {
  const auto system = formulation::compile_relative(trial("velocity_guess"));
  EXPECT_NEAR(assemble(*system).motion.state.v[0], 10.0, 1e-12);
}

// The centre of the rod is stated, its angle is not: the rod turns to where its centre is.
TEST(StatedValues, AnglesThatNobodyStatedGiveWay) {
  const auto system = model::compile(described(rod("position: [0.3, 0.4]")));
  const Assembly assembly = assemble(*system);
  EXPECT_NEAR(assembly.motion.state.q[0], 0.3, 1e-12);
  EXPECT_NEAR(assembly.motion.state.q[1], 0.4, 1e-12);
  EXPECT_NEAR(assembly.motion.state.q[2], std::atan2(0.4, 0.3), 1e-12);
}

TEST(StatedValues, PositionsThatNobodyStatedGiveWay) {
  const auto system = model::compile(described(rod("angle: 30 deg")));
  const Assembly assembly = assemble(*system);
  EXPECT_NEAR(assembly.motion.state.q[2], M_PI / 6.0, 1e-12);
  EXPECT_NEAR(assembly.motion.state.q[1], 0.25, 1e-12);
}

// Both stated, and they contradict each other: mass by mass, with a warning that names both.
TEST(StatedValues, LargeMovesOfStatedValuesAreTold) {
  const auto system = model::compile(
      described(rod("position: [0.5, 0], velocity: [0, 0], angular_velocity: 10 rad/s")));
  const Assembly assembly = assemble(*system);
  // Least (1/12 (w - 10)^2 + (0.5 w)^2): w = 10 (1/12)/(1/12 + 1/4).
  EXPECT_NEAR(assembly.motion.state.v[2], 2.5, 1e-9);
  ASSERT_EQ(assembly.moved.size(), 2u);
  for (const MovedValue& moved : assembly.moved) {
    EXPECT_TRUE(moved.stated);
    EXPECT_TRUE(moved.large);
  }
  EXPECT_EQ(to_string(assembly.moved[0]), "'rod': angular_velocity from 10 to 2.5 rad/s");
}

TEST(StatedValues, FixedOnesHoldAgainstStatedOnes) {
  const auto system = model::compile(described(
      rod("position: [0.5, 0], velocity: [0, 0], angular_velocity: 10, fixed: angular_velocity")));
  const Assembly assembly = assemble(*system);
  EXPECT_EQ(assembly.motion.state.v[2], 10.0);
  EXPECT_NEAR(assembly.motion.state.v[1], 5.0, 1e-12);
}

// The velocity of a body's frame, not of its centre of mass.
TEST(StatedValues, AreThoseOfFramesBesideTheCentre) {
  for (const char* fixed : {"", ", fixed: velocity"}) {
    const auto system = model::compile(described(std::string(R"(
trammel: 1
space: planar
bodies:
  bar: {mass: 2, inertia: 0.3, center: [0.4, 0.1], position: [1, 0], velocity: [0, 3])") +
                                                 fixed + R"(}
joints:
  pin: {type: revolute, between: [ground, bar], at: [0, 0]}
)"));
    const Assembly assembly = assemble(*system);
    EXPECT_NEAR(assembly.motion.state.v[2], 3.0, 1e-12) << fixed;
    for (const MovedValue& moved : assembly.moved) EXPECT_FALSE(moved.stated);
  }
}

// The nearest point of an ellipse to the described one: (p - c) is along its normal.
std::string bead(const std::string& position, const std::string& more = {}) {
  return R"(
trammel: 1
space: planar
bodies:
  bead: {kind: point, mass: 2 kg, position: )" +
         position + more + R"(}
couplings:
  wire: {type: equation, equation: "bead.position.x^2/4 + bead.position.y^2 - 1 m^2"}
)";
}

// Least (x - x0)^2 + (y - y0)^2 on x = 2 cos u, y = sin u, by trying.
Eigen::Vector2d nearest_on_ellipse(double x0, double y0) {
  double best = 1e300;
  double at = 0.0;
  const auto distance = [&](double u) {
    return std::pow(2.0 * std::cos(u) - x0, 2) + std::pow(std::sin(u) - y0, 2);
  };
  for (double u = 0.0; u < 2.0 * M_PI; u += 1e-4) {
    if (distance(u) < best) {
      best = distance(u);
      at = u;
    }
  }
  for (int i = 0; i < 20; ++i) {  // Newton, with exact derivatives
    const double c = std::cos(at);
    const double s = std::sin(at);
    const double slope = -2.0 * s * (2.0 * c - x0) + c * (s - y0);
    const double curvature = -2.0 * c * (2.0 * c - x0) + 4.0 * s * s - s * (s - y0) + c * c;
    at -= slope / curvature;
  }
  return {2.0 * std::cos(at), std::sin(at)};
}

// Nearer than, at, and far beyond the radius of curvature, and inside.
TEST(StatedValues, LeadToTheNearestPlace) {
  for (const auto& [x, y] : {std::pair(1.0, 2.0), std::pair(0.3, -7.0), std::pair(9.0, 0.5),
                             std::pair(-40.0, 25.0), std::pair(1.2, 0.3)}) {
    const auto system =
        model::compile(described(bead("[" + std::to_string(x) + ", " + std::to_string(y) + "]")));
    const system::State state = assemble(*system).motion.state;
    const Eigen::Vector2d nearest = nearest_on_ellipse(x, y);
    // Newton's last step is below 1e-12 of the model's size.
    EXPECT_NEAR(state.q[0], nearest.x(), 1e-10) << x << ", " << y;
    EXPECT_NEAR(state.q[1], nearest.y(), 1e-10) << x << ", " << y;
  }
  const auto system = model::compile(described(bead("[1, 2]")));
  const system::State state = assemble(*system).motion.state;
  EXPECT_NEAR(state.q[0], 0.774, 5e-4);
  EXPECT_NEAR(state.q[1], 0.922, 5e-4);
}

// A rod whose centre and angle are both stated and do not fit: the least of
// m |c - c0|^2 + I (angle - angle0)^2, which is a problem of one unknown.
TEST(StatedValues, ShareTheMoveByTheirInertia) {
  const auto system = model::compile(described(rod("position: [0.9, 1.4], angle: 20 deg")));
  const double angle = assemble(*system).motion.state.q[2];
  const double I = 1.0 / 12.0;
  const auto cost = [&](double u) {
    return std::pow(0.5 * std::cos(u) - 0.9, 2) + std::pow(0.5 * std::sin(u) - 1.4, 2) +
           I * std::pow(u - M_PI / 9.0, 2);
  };
  const double h = 1e-4;
  EXPECT_NEAR((cost(angle + h) - cost(angle - h)) / (2.0 * h), 0.0, 1e-7);  // h^2 of the difference
  EXPECT_GT(cost(angle + h) + cost(angle - h), 2.0 * cost(angle));
}

// Velocities along the ellipse: the projection of what was stated onto its tangent.
TEST(StatedValues, LeadToTheNearestVelocity) {
  const auto system = model::compile(described(bead("[1, 2]", ", velocity: [3, 1]")));
  const system::State state = assemble(*system).motion.state;
  const Eigen::Vector2d normal = Eigen::Vector2d(state.q[0] / 2.0, 2.0 * state.q[1]).normalized();
  const Eigen::Vector2d v = Eigen::Vector2d(3.0, 1.0) - normal * normal.dot(Eigen::Vector2d(3, 1));
  EXPECT_NEAR(state.v[0], v.x(), 1e-12);
  EXPECT_NEAR(state.v[1], v.y(), 1e-12);
}

// Writes the velocities of a state into the bodies, those of about half of them left out.
void state_some(const std::vector<system::InitialValue>& rates,
                support::Random& random,
                model::Description& d) {
  const std::size_t axes = d.space == model::Space::planar ? 2 : 3;
  std::size_t next = 0;
  for (model::Body& body : d.bodies) {
    const std::size_t turns = body.kind == model::BodyKind::point ? 0 : (axes == 2 ? 1 : 3);
    const bool velocity = random.coin();
    const bool spin = random.coin();
    body.velocity.setZero();
    body.angular_velocity.setZero();
    for (std::size_t k = 0; k < axes + turns; ++k, ++next) {
      const bool turn = k >= axes;
      if (!(turn ? spin : velocity)) continue;
      const std::size_t flag = turn && axes == 2 ? 5 : k;
      body.stated_velocity[flag] = true;
      const auto axis = static_cast<Eigen::Index>(turn ? flag - 3 : k);
      (turn ? body.angular_velocity : body.velocity)[axis] =
          rates[next].described + rates[next].difference;
    }
  }
}

// Any mechanism: the velocities of one of its motions are stated here and there, and kept.
TEST(StatedValues, ThatFitTogetherAreKept) {
  int checked = 0;
  for (const model::Space space : {model::Space::planar, model::Space::spatial}) {
    for (unsigned seed = 1; seed <= 6; ++seed) {
      support::Random random(seed);
      model::Description d = support::random_mechanism(space, random);
      const auto any = model::compile(d);
      system::State state = any->described_state();
      try {
        state = assemble(*any).motion.state;
      } catch (const core::RunError&) {
        continue;  // thrown together as they are, some loops cannot close
      }
      std::vector<system::InitialValue> rates;
      any->initial_values()->initial_velocities(state, rates);
      state_some(rates, random, d);
      const auto system = model::compile(d);
      const Assembly assembly = assemble(*system);
      system->initial_values()->initial_velocities(assembly.motion.state, rates);
      // Round-off of many rows on velocities of this size.
      const double small = 1e-9 * (1.0 + state.v.lpNorm<Eigen::Infinity>());
      for (std::size_t i = 0; i < rates.size(); ++i) {
        if (!rates[i].stated) continue;
        EXPECT_NEAR(rates[i].difference, 0.0, small) << "seed " << seed << ", value " << i;
        ++checked;
      }
    }
  }
  EXPECT_GT(checked, 100);
}

// A platform of 10 kg on two rods: the turn of one rod is stated and counts, however light it is.
std::string platform(const std::string& mass, const std::string& stated) {
  const std::string rod =
      "{mass: " + mass + ", inertia: " + mass + ", frames: {u: [0, 0.5], d: [0, -0.5]}";
  return "trammel: 1\nspace: planar\nbodies:\n"
         "  p: {mass: 10 kg, inertia: 3, frames: {a: [-0.5, 0], b: [0.5, 0]}}\n  b1: " +
         rod + ", " + stated + "}\n  b2: " + rod + R"(}
ground: {frames: {b: [1, 0]}}
joints:
  u1: {type: revolute, between: [ground, b1.u]}
  u2: {type: revolute, between: [ground.b, b2.u]}
  d1: {type: revolute, between: [b1.d, p.a]}
  d2: {type: revolute, between: [b2.d, p.b]}
)";
}

TEST(StatedValues, OfLightBodiesCountAsThoseOfHeavyOnesDo) {
  for (const char* mass : {"1", "1e-3", "1e-5", "1e-6"}) {
    const auto turned = model::compile(described(platform(mass, "angle: 0.3")));
    const Assembly at = assemble(*turned);
    EXPECT_NEAR(at.motion.state.q[5], 0.3, 1e-9) << mass;
    const auto turning =
        model::compile(described(platform(mass, "angle: 0.3, angular_velocity: 2")));
    const Assembly moving = assemble(*turning);
    EXPECT_NEAR(moving.motion.state.v[5], 2.0, 1e-9) << mass;
    // The platform goes round with it, without turning.
    EXPECT_NEAR(moving.motion.state.v[0], 2.0 * std::cos(0.3), 1e-8) << mass;
    EXPECT_NEAR(moving.motion.state.v[2], 0.0, 1e-8) << mass;
    for (const MovedValue& moved : moving.moved) EXPECT_FALSE(moved.stated) << mass;
  }
}

}  // namespace
}  // namespace trammel::analysis::stated_values_test
