#include "trammel/model/forces/load.h"

#include <numbers>

#include "support/system_view.h"
#include <gtest/gtest.h>

namespace trammel::model {
namespace {

using Eigen::Vector3d;

// A plate turned by a quarter about z, its mark 2 m from the centre along its own x axis, so along
// the world's y axis. The mark is turned by a half about z.
Description plate(const std::string& type, Values values) {
  Description d;
  Body body;
  body.name = "plate";
  body.mass.mass = 1.0;
  body.mass.inertia = Vector3d(1, 1, 1.5).asDiagonal();
  body.orientation = Eigen::AngleAxisd(0.5 * std::numbers::pi, Vector3d::UnitZ());
  body.frames.push_back(
      {"mark", Vector3d(2, 0, 0),
       Eigen::Quaterniond(Eigen::AngleAxisd(std::numbers::pi, Vector3d::UnitZ()))});
  d.add_body(body);
  d.add_force(type, "load", {"plate.mark"}, std::move(values));
  return d;
}

// Force in world axes and moment about the centre in world axes.
std::pair<Vector3d, Vector3d> wrench_of(const Description& d) {
  const auto system = compile(d);
  system::Vector f;
  system->forces(system->described_state(), f);
  return {f.head<3>(), d.bodies[0].orientation * Vector3d(f.tail<3>())};
}

TEST(Load, WorldForceActsAtTheFrame) {
  const auto [force, moment] = wrench_of(plate("force", {{"force", Vector3d(1, 2, 3)}}));
  EXPECT_LE((force - Vector3d(1, 2, 3)).norm(), 1e-15);
  EXPECT_LE((moment - Vector3d(0, 2, 0).cross(Vector3d(1, 2, 3))).norm(), 1e-14);
}

TEST(Load, BodyForceTurnsWithTheFrame) {
  const auto [force, moment] =
      wrench_of(plate("force", {{"force", Vector3d(1, 0, 0)}, {"axes", std::string("body")}}));
  // The frame's x axis is the plate's -x axis, which is the world's -y axis: along the arm.
  EXPECT_LE((force - Vector3d(0, -1, 0)).norm(), 1e-15);
  EXPECT_LE(moment.norm(), 1e-14);
}

TEST(Load, TorqueHasNoArm) {
  const auto [force, moment] = wrench_of(plate("torque", {{"torque", Vector3d(1, 2, 3)}}));
  EXPECT_EQ(force.norm(), 0.0);
  EXPECT_LE((moment - Vector3d(1, 2, 3)).norm(), 1e-14);
  const auto body =
      wrench_of(plate("torque", {{"torque", Vector3d(1, 2, 3)}, {"axes", std::string("body")}}));
  // The frame is turned by three quarters: x to -y, y to x.
  EXPECT_LE((body.second - Vector3d(2, -1, 3)).norm(), 1e-14);
}

TEST(Load, PlanarTorqueTurnsAboutZ) {
  Description d;
  d.space = Space::planar;
  Body body;
  body.name = "wheel";
  body.mass.mass = 1.0;
  body.mass.inertia.setIdentity();
  body.mass.center = {0.5, 0, 0};
  d.add_body(body);
  d.add_force("torque", "load", {"wheel"}, {{"torque", -4.0}});
  const auto system = compile(d);
  system::Vector f;
  system->forces(system->described_state(), f);
  EXPECT_EQ(f, Vector3d(0, 0, -4));
}

}  // namespace
}  // namespace trammel::model
