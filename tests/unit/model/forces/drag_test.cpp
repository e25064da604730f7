#include "trammel/model/forces/drag.h"

#include <cmath>

#include "support/reference_motion.h"
#include "support/system_view.h"
#include <gtest/gtest.h>

namespace trammel::model::drag_test {
namespace {

Description ball(const Eigen::Vector3d& velocity, const Eigen::Vector3d& wind) {
  Description d;
  Body body;
  body.name = "ball";
  body.kind = BodyKind::point;
  body.mass.mass = 0.5;
  body.velocity = velocity;
  d.add_body(body);
  d.gravity = {0, 0, -9.81};
  d.add_force("drag", "air", {"ball"}, {{"area", 0.04}, {"coefficient", 0.5}, {"wind", wind}});
  return d;
}

TEST(Drag, FallFromRestApproachesTheTerminalSpeed) {
  const auto system = compile(ball({0, 0, 0}, {0, 0, 0}));
  // v = vt tanh(g t / vt), vt = sqrt(m g / (rho C A / 2)).
  const double vt = std::sqrt(0.5 * 9.81 / (0.5 * 1.225 * 0.5 * 0.04));
  const system::Motion end =
      support::reference_motion(*system, system->described_state(), 3.0, 600);
  // Runge-Kutta, h = 5e-3: h^4 times derivatives of order one.
  EXPECT_NEAR(end.state.v[2], -vt * std::tanh(9.81 * 3.0 / vt), 1e-8);
}

// Projectile in a side wind against an integration written here: x'' = -k |u| u + g.
TEST(Drag, ProjectileInWindFollowsItsOdeReference) {
  const Eigen::Vector3d wind(1.0, -6.0, 0.5);
  const Eigen::Vector3d start(20, 5, 25);
  const double k = 0.5 * 1.225 * 0.5 * 0.04 / 0.5;
  const auto acceleration = [&](const Eigen::Vector3d& v) {
    const Eigen::Vector3d u = v - wind;
    return Eigen::Vector3d(-k * u.norm() * u - 9.81 * Eigen::Vector3d::UnitZ());
  };
  Eigen::Vector3d p = Eigen::Vector3d::Zero();
  Eigen::Vector3d v = start;
  constexpr int steps = 4000;
  const double h = 2.0 / steps;
  // Heun with Richardson would do; a midpoint rule of small steps is simple and of order two.
  for (int i = 0; i < steps; ++i) {
    const Eigen::Vector3d middle = v + 0.5 * h * acceleration(v);
    p += h * middle;
    v += h * acceleration(middle);
  }
  const auto system = compile(ball(start, wind));
  const system::Motion end =
      support::reference_motion(*system, system->described_state(), 2.0, 400);
  // Midpoint: h^2 = 2.5e-7 times third derivatives of order one.
  EXPECT_LE((end.state.q - p).norm(), 1e-5);
  EXPECT_LE((end.state.v - v).norm(), 1e-5);
}

TEST(Drag, WindWorksAsALoad) {
  const auto system = compile(ball({0, 0, 0}, {10, 0, 0}));
  const system::Power power = system->power(support::at_rest(*system, system->described_state()));
  const double drag = 0.5 * 1.225 * 0.5 * 0.04 * 100.0;
  EXPECT_NEAR(power.dissipated, drag * 10.0, 1e-12);
  EXPECT_NEAR(power.loads, drag * 10.0, 1e-12);
}

}  // namespace
}  // namespace trammel::model::drag_test
