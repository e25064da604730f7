#include "trammel/model/forces/beam.h"

#include <cmath>
#include <numbers>

#include "support/force_laws.h"
#include "support/system_view.h"
#include <gtest/gtest.h>

namespace trammel::model::beam_test {
namespace {

using Eigen::Vector3d;

constexpr double l = 0.8;
constexpr double EA = 1e6;
constexpr double EI = 50.0;
constexpr double GJ = 30.0;

Description cantilever(Space space, const Vector3d& tip, const Eigen::Quaterniond& turn) {
  Description d;
  d.space = space;
  Body body;
  body.name = "tip";
  body.mass = {.mass = 1.0, .inertia = Eigen::Matrix3d::Identity()};
  body.position = tip;
  body.orientation = turn;
  body.angle = 2.0 * std::atan2(turn.z(), turn.w());
  d.add_body(body);
  Values values{{"length", l}, {"axial_stiffness", EA}};
  if (space == Space::planar) {
    values["bending_stiffness"] = EI;
  } else {
    values["bending_stiffness_y"] = 2.0 * EI;
    values["bending_stiffness_z"] = EI;
    values["torsional_stiffness"] = GJ;
  }
  d.add_force("beam", "beam", {"ground", "tip"}, values);
  return d;
}

Eigen::Quaterniond about(const Vector3d& axis, double angle) {
  return Eigen::Quaterniond(Eigen::AngleAxisd(angle, axis));
}

system::Vector forces_of(const Description& d) {
  const auto system = compile(d);
  system::Vector f;
  system->forces(system->described_state(), f);
  return f;
}

// At the deflection F l^3/3EI and the slope F l^2/2EI the beam pulls back with F and no moment.
TEST(Beam, TipBendsByTheTextbook) {
  const double F = 1e-4;  // deflections of 1e-7 l: second-order terms are below 1e-13
  const double w = F * l * l * l / (3.0 * EI);
  const double slope = F * l * l / (2.0 * EI);
  const system::Vector planar =
      forces_of(cantilever(Space::planar, {l, w, 0}, about(Vector3d::UnitZ(), slope)));
  EXPECT_NEAR(planar[1], -F, 1e-9 * F);
  EXPECT_NEAR(planar[2], 0.0, 1e-9 * F * l);
  const system::Vector in_y =
      forces_of(cantilever(Space::spatial, {l, w, 0}, about(Vector3d::UnitZ(), slope)));
  EXPECT_NEAR(in_y[1], -F, 1e-9 * F);
  EXPECT_NEAR(in_y[5], 0.0, 1e-9 * F * l);
  // Across z it is twice as stiff; a turn about -y lifts the tip.
  const system::Vector in_z =
      forces_of(cantilever(Space::spatial, {l, 0, w}, about(-Vector3d::UnitY(), slope)));
  EXPECT_NEAR(in_z[2], -2.0 * F, 2e-9 * F);
  EXPECT_NEAR(in_z[4], 0.0, 2e-9 * F * l);
}

TEST(Beam, PureMomentTwistAndStretch) {
  const double angle = 1e-3;
  // Both ends turned against each other: M = EI angle/l, no force.
  const double half = 0.5 * angle;
  const Vector3d arc(l, l * std::tan(half), 0);
  const system::Vector bent =
      forces_of(cantilever(Space::planar, arc / arc.norm() * l, about(Vector3d::UnitZ(), angle)));
  EXPECT_NEAR(bent[2], -EI * angle / l, 1e-6 * EI * angle / l);
  EXPECT_NEAR(bent[0], 0.0, 1e-8);
  const system::Vector twisted =
      forces_of(cantilever(Space::spatial, {l, 0, 0}, about(Vector3d::UnitX(), 0.4)));
  EXPECT_NEAR(twisted[3], -GJ * 0.4 / l, 1e-12);
  const system::Vector longer =
      forces_of(cantilever(Space::spatial, {l + 1e-5, 0, 0}, about(Vector3d::UnitX(), 0.0)));
  EXPECT_NEAR(longer[0], -EA * 1e-5 / l, 1e-9);
}

// With shear the tip bends by F l/GA more.
TEST(Beam, ShearAddsToTheDeflection) {
  const double GA = 1e3;
  const double F = 1e-4;
  const double w = F * l * l * l / (3.0 * EI) + F * l / GA;
  Description d =
      cantilever(Space::planar, {l, w, 0}, about(Vector3d::UnitZ(), F * l * l / (2.0 * EI)));
  d.forces[0].values["shear_stiffness"] = GA;
  const system::Vector f = forces_of(d);
  EXPECT_NEAR(f[1], -F, 1e-8 * F);
  EXPECT_NEAR(f[2], 0.0, 1e-8 * F * l);
}

// Elastica: a chain of n beams under an end moment 2 pi EI/L rolls up to a circle; each piece of it
// turns by 2 pi/n and keeps its length, and the moment is that of the closed form.
TEST(Beam, CircleOfBeamsBearsThePureMoment) {
  constexpr int n = 40;
  const double piece = l;
  const double turn = 2.0 * std::numbers::pi / n;
  const Eigen::Vector2d chord(piece * std::cos(0.5 * turn), piece * std::sin(0.5 * turn));
  Description d =
      cantilever(Space::planar, {chord.x(), chord.y(), 0}, about(Vector3d::UnitZ(), turn));
  const auto system = compile(d);
  const auto seen = support::observe(*system, support::at_rest(*system, system->described_state()));
  EXPECT_NEAR(seen.at("beam.moment_a"), -EI * turn / piece, 1e-11);
  EXPECT_NEAR(seen.at("beam.moment_b"), EI * turn / piece, 1e-11);
  EXPECT_NEAR(seen.at("beam.tension"), 0.0, 1e-8);
}

}  // namespace
}  // namespace trammel::model::beam_test
