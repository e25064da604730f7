// Bodies that others carry, and elements over several nodes, against answers found otherwise. That
// their tangents, biases and products are right is among the laws of joints, forces and systems.
#include "support/carried_frames.h"
#include "support/elements/membrane.h"
#include "support/system_view.h"
#include <Eigen/Eigenvalues>
#include <gtest/gtest.h>

#include "trammel/constraint_handling/consistent_start.h"
#include "trammel/model/kinds.h"
#include "trammel/system/operators.h"

namespace trammel::model {
namespace {

using Eigen::Vector3d;

Body block(const std::string& name, const Vector3d& position) {
  Body body;
  body.name = name;
  body.mass.mass = 2.0;
  body.mass.inertia = Vector3d(0.3, 0.5, 0.4).asDiagonal();
  body.position = position;
  body.velocity = {0.3, -0.2, 0.5};
  body.angular_velocity = {1.0, -2.0, 0.7};
  return body;
}

// A body that tumbles with another one, which is welded to it, or carried by it; a spring pulls at
// the other.
Description welded(bool carried) {
  Description d;
  d.gravity = {0.0, 0.0, -9.81};
  const Vector3d offset(0.4, 0.1, -0.2);
  Body base = block("base", {0.0, 0.0, 1.0});
  base.orientation = Eigen::AngleAxisd(0.6, Vector3d(1.0, 2.0, 3.0).normalized());
  Body rider = block("rider", base.position + base.orientation * offset);
  rider.orientation = base.orientation;
  rider.velocity = base.velocity + base.orientation * base.angular_velocity.cross(offset);
  d.add_body(base);
  if (carried) {
    support::BendingFrameData<Spatial> data;
    data.l[0] = offset;
    rider.carrier = Carrier{.bodies = {"base", "base", "base"}, .amplitudes = {"none"}};
    rider.carrier->spatial = support::bending_frame(data);
    d.amplitudes.push_back({"none", Eigen::Vector2d::Zero(), Eigen::Vector2d::Zero()});
    d.add_force("modes", "inertia", {"none"},
                {{"modal_mass", 1.0}, {"modal_stiffness", 0.0}, {"modal_damping", 0.0}});
  } else {
    d.bodies[0].frames.push_back({.name = "seat", .position = offset});
    d.add_joint("fixed", "weld", "base.seat", "rider");
  }
  d.add_body(rider);
  d.add_force("spring", "spring", {"ground", "rider"},
              {{"stiffness", 50.0}, {"length", 0.3}, {"damping", 2.0}});
  return d;
}

std::pair<support::Observation, system::Energy> moving(const Description& description) {
  const auto system = compile(description);
  system::Motion motion = support::at_rest(*system, support::assembled(*system));
  constraint_handling::ConsistentStart(*system).accelerations(motion.state, motion.a,
                                                              motion.lambda);
  return {support::observe(*system, motion), system->energy(motion.state)};
}

TEST(CarriedBodies, MoveAsIfTheyWereWeldedToWhatCarriesThem) {
  const auto [welded_seen, welded_energy] = moving(welded(false));
  const auto [seen, energy] = moving(welded(true));
  for (const char* body : {"base", "rider"}) {
    for (const char* quantity : {".position", ".velocity", ".acceleration"}) {
      const std::string name = std::string(body) + quantity;
      const Vector3d difference =
          support::observed_vector(seen, name) - support::observed_vector(welded_seen, name);
      EXPECT_LT(difference.norm(), 1e-11) << name;
    }
  }
  EXPECT_NEAR(energy.kinetic, welded_energy.kinetic, 1e-12);
  EXPECT_NEAR(energy.potential, welded_energy.potential, 1e-12);
}

TEST(CarriedBodies, AreRefusedWhereNothingCanCarryThem) {
  Description d = welded(true);
  d.bodies[1].carrier->bodies = {"base", "rider", "nobody"};
  d.bodies[1].carrier->amplitudes = {"some"};
  core::Diagnostics diagnostics;
  check(d, diagnostics);
  std::vector<std::string> errors;
  for (const core::Diagnostic& each : diagnostics.list()) {
    if (each.severity == core::Severity::error) errors.push_back(each.message);
  }
  EXPECT_EQ(errors, (std::vector<std::string>{"'rider' cannot carry it", "'nobody' cannot carry it",
                                              "there are no amplitudes 'some'"}));
}

// An equilateral triangle between three points without masses of their own.
Description triangle(double side) {
  Description d;
  const double height = side * std::sqrt(3.0) / 2.0;
  const Vector3d corners[] = {{0, 0, 0}, {side, 0, 0}, {0.5 * side, height, 0}};
  for (int i = 0; i < 3; ++i) {
    Body body;
    body.name = "abc"[i];
    body.kind = BodyKind::point;
    body.mass.mass = 0.0;
    body.position = corners[i];
    d.add_body(body);
  }
  d.add_force("membrane", "sheet", {"a", "b", "c"},
              {{"base", side},
               {"height", height},
               {"foot", 0.5 * side},
               {"density", 1100.0},
               {"modulus", 2e6},
               {"thickness", 1e-3},
               {"poissons_ratio", 0.45}});
  return d;
}

// Stretched alike in all directions, the triangle has the energy A h E/(1 - nu) eps^2, and moves
// with rho h eps'^2/2 times the integral of r^2, A s^2/12.
TEST(Membrane, BreathesWithTheFrequencyOfItsContinuum) {
  const double side = 0.2;
  const auto system = compile(triangle(side));
  const system::Motion rest = support::at_rest(*system, system->described_state());
  const Eigen::MatrixXd K = support::tangent_matrix(*system, rest, {.position = 1.0});
  const Eigen::MatrixXd M = support::tangent_matrix(*system, rest, {.acceleration = 1.0});
  const Eigen::GeneralizedSelfAdjointEigenSolver<Eigen::MatrixXd> modes(K, M);
  const double breathing = 24.0 * 2e6 / ((1.0 - 0.45) * 1100.0 * side * side);
  const Eigen::VectorXd squares = modes.eigenvalues();
  EXPECT_LT(((squares.array() - breathing).abs() / breathing).minCoeff(), 1e-10);
  // Three shifts, three turns; three ways to stretch.
  EXPECT_LT(squares.head(6).cwiseAbs().maxCoeff(), 1e-8 * breathing);
  EXPECT_GT(squares[6], 1e-2 * breathing);
}

TEST(Membrane, HasTheMassOfItsArea) {
  const auto system = compile(triangle(0.2));
  const system::State state = system->described_state();
  const double mass = 1100.0 * 1e-3 * 0.25 * std::sqrt(3.0) * 0.04;
  system::Vector lumped;
  ASSERT_TRUE(system::operators(*system)->lumped_mass(state, lumped));
  EXPECT_NEAR(lumped.sum(), 3.0 * mass, 1e-15);
  system::Vector push = system::Vector::Zero(9);
  for (const int i : {0, 3, 6}) push[i] = 1.0;
  system::Vector momentum;
  system::operators(*system)->mass_product(state, push, momentum);
  EXPECT_NEAR(momentum.sum(), mass, 1e-15);
}

TEST(Membrane, KindsOfOnesOwnNeedNamesOfTheirOwn) {
  EXPECT_THROW(register_force_kind(support::membrane()), core::InputError);
}

TEST(Points, NeedAMassWhereNoElementHasOne) {
  Description d = triangle(0.2);
  d.forces.clear();
  core::Diagnostics diagnostics;
  check(d, diagnostics);
  EXPECT_TRUE(diagnostics.has_errors());
}

}  // namespace
}  // namespace trammel::model
