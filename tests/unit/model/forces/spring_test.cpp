#include "trammel/model/forces/spring.h"

#include <cmath>

#include "support/force_laws.h"
#include <gtest/gtest.h>

namespace trammel::model {
namespace {

using support::Random;
using support::Side;

Description random_spring(Space space, Values values, Random& random) {
  support::RandomPair pair = support::random_pair(space, Side::body, Side::body, 1.0, random);
  pair.description.add_force("spring", "item", {pair.mark_a, pair.mark_b}, std::move(values));
  return pair.description;
}

TEST(Spring, UnloadedSpringExertsNothing) {
  for (const Space space : {Space::planar, Space::spatial}) {
    Random random(3);
    Description d = random_spring(space, {{"stiffness", 50.0}, {"damping", 4.0}}, random);
    // Bodies at rest, free length as described.
    for (Body& body : d.bodies) {
      body.velocity.setZero();
      body.angular_velocity.setZero();
    }
    auto system = compile(d);
    const double length =
        support::observe(*system, support::at_rest(*system, system->described_state()))
            .at("item.length");
    d.forces[0].values["length"] = length;
    system = compile(d);
    system::Vector f;
    system->forces(system->described_state(), f);
    EXPECT_LE(f.lpNorm<Eigen::Infinity>(), 50.0 * 1e-15);
    EXPECT_NEAR(system->energy(system->described_state()).potential, 0.0, 1e-28);
  }
}

TEST(Spring, PullsTheEndsTogetherWithTheTensionItReports) {
  // Point masses 2 m apart on the x axis, drifting apart with 3 m/s.
  Description d;
  d.space = Space::planar;
  for (const double x : {0.0, 2.0}) {
    Body ball;
    ball.name = x == 0.0 ? "left" : "right";
    ball.kind = BodyKind::point;
    ball.mass.mass = 1.0;
    ball.position = {x, 0, 0};
    ball.velocity = {x == 0.0 ? -1.0 : 2.0, 0.5, 0};
    d.add_body(ball);
  }
  d.add_force("spring", "item", {"left", "right"},
              {{"stiffness", 10.0}, {"length", 1.5}, {"damping", 2.0}, {"preload", 4.0}});
  const auto system = compile(d);
  system::Vector f;
  system->forces(system->described_state(), f);
  const double tension = 10.0 * 0.5 + 2.0 * 3.0 + 4.0;
  EXPECT_NEAR(f[0], tension, 1e-13);
  EXPECT_NEAR(f[2], -tension, 1e-13);
  EXPECT_EQ(f[1], 0.0);
  const auto seen = support::observe(*system, support::at_rest(*system, system->described_state()));
  EXPECT_NEAR(seen.at("item.length"), 2.0, 1e-15);
  EXPECT_NEAR(seen.at("item.rate"), 3.0, 1e-15);
  EXPECT_NEAR(seen.at("item.tension"), tension, 1e-13);
  // Stored: k e^2/2 + F0 e.
  EXPECT_NEAR(system->energy(system->described_state()).potential, 1.25 + 2.0, 1e-14);
}

TEST(Spring, RecordedRateIsTheDerivativeOfTheLength) {
  for (const Space space : {Space::planar, Space::spatial}) {
    Random random(5);
    const auto system = compile(random_spring(space, {{"stiffness", 3.0}}, random));
    support::expect_recorded_rate(*system, system->described_state(), "length", "rate");
  }
}

TEST(Spring, CoincidentEndsGiveNoNan) {
  Description d;
  d.space = Space::spatial;
  Body ball;
  ball.name = "ball";
  ball.kind = BodyKind::point;
  ball.mass.mass = 1.0;
  ball.velocity = {1, 2, 3};
  d.add_body(ball);
  d.add_force("spring", "item", {"ground", "ball"}, {{"stiffness", 10.0}, {"damping", 1.0}});
  const auto system = compile(d);
  system::Vector f;
  system->forces(system->described_state(), f);
  EXPECT_TRUE(f.allFinite());
  const auto K = support::tangent_matrix(
      *system, support::at_rest(*system, system->described_state()), {1.0, 1.0, 1.0});
  EXPECT_TRUE(K.allFinite());
}

}  // namespace
}  // namespace trammel::model
