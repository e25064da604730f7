// Laws of beams in space, for every element, mass, shear and shape of the line.
// registry: flexible
#include "trammel/model/flexible/spatial_beam.h"

#include "support/reference_motion.h"
#include "support/system_laws.h"
#include "support/system_view.h"
#include <Eigen/Eigenvalues>
#include <gtest/gtest.h>

#include "trammel/core/diagnostic.h"
#include "trammel/model/flexible/beam_line.h"
#include "trammel/model/flexible/flexible_kinds.h"
#include "trammel/model/model_system.h"

namespace trammel::model::spatial_beam_test {
namespace {

using Eigen::MatrixXd;
using Eigen::Quaterniond;
using Eigen::Vector3d;
using support::Random;

enum class Line { straight, corner, arc };

struct Sort {
  std::string name;
  Line line = Line::straight;
  BeamMass mass = BeamMass::consistent;
  BeamShear shear = BeamShear::compensated;
  double viscosity = 0.0;
};

std::vector<Sort> all_sorts() {
  return {{"straight", Line::straight, BeamMass::consistent},
          {"lumped", Line::straight, BeamMass::lumped},
          {"plain", Line::straight, BeamMass::consistent, BeamShear::plain},
          {"viscous", Line::straight, BeamMass::consistent, BeamShear::compensated, 0.05},
          {"corner", Line::corner, BeamMass::consistent},
          {"viscous_arc", Line::arc, BeamMass::lumped, BeamShear::plain, 0.03}};
}

// Soft and thick, with six different stiffnesses, so that every term counts.
SpatialBeam rubber(const Sort& sort, int elements) {
  SpatialBeam beam;
  beam.name = "beam";
  beam.formulation = "geometrically_exact";
  beam.element = "reissner";
  beam.elements = elements;
  beam.across.given = BeamSection{.force = {20.0, 9.0, 7.0},
                                  .moment = {1.1, 1.6, 2.3},
                                  .mass = 1.9,
                                  .inertia = {0.07, 0.03, 0.05}};
  beam.start = {0.1, -0.2, 0.3};
  beam.tip = {1.0, 0.7, 0.6};
  if (sort.line == Line::corner) beam.corners = {{0.8, 0.0, -0.3}};
  if (sort.line == Line::arc) beam.through = Vector3d(0.8, 0.1, 0.0);
  beam.y_axis = {0.1, 0.2, 1.0};
  beam.velocity = {0.2, -0.1, 0.3};
  beam.angular_velocity = {0.5, -0.4, 0.8};
  beam.frames = {{"grip", 0.3, {0.01, 0.02, -0.03}}};
  beam.beam_mass = sort.mass;
  beam.shear = sort.shear;
  beam.viscosity = sort.viscosity;
  return beam;
}

Body block(const std::string& name, const Vector3d& position) {
  Body body;
  body.name = name;
  body.mass.mass = 2.0;
  body.mass.inertia = Vector3d(0.3, 0.5, 0.4).asDiagonal();
  body.position = position;
  return body;
}

Description empty_space() {
  Description d;
  d.space = Space::spatial;
  return d;
}

// Hinged at its start, with a body at the tip, and a spring and a link at a frame between nodes.
Description swinging(const Sort& sort, int elements) {
  Description d = empty_space();
  d.gravity = {0.3, 1.0, -9.81};
  const SpatialBeam beam = rubber(sort, elements);
  add_spatial_beam(beam, d);
  d.add_body(block("weight", beam.tip));
  d.add_body(block("rider", d.bodies[static_cast<std::size_t>(elements) + 1].position));
  d.add_joint("universal", "hinge", "ground", "beam.start");
  d.add_joint("revolute", "wrist", "beam.tip", "weight");
  d.add_joint("revolute", "saddle", "beam.grip", "rider");
  d.add_force("spring", "spring", {"ground", "beam.grip"},
              {{"stiffness", 50.0}, {"length", 0.3}, {"damping", 2.0}});
  return d;
}

system::State shaken(const ModelSystem& system, Random& random, double size = 0.2) {
  system::State state = system.described_state();
  const system::Vector x = random.values(state.v.size(), size);
  system.retract(state.q, x, state.q);
  state.v = random.values(state.v.size(), 0.7);
  return state;
}

class SpatialBeamLaws : public testing::TestWithParam<Sort> {};

TEST_P(SpatialBeamLaws, TangentIsTheDerivativeOfTheResidual) {
  for (const int elements : {2, 3}) {
    Random random(static_cast<unsigned>(elements));
    const auto system = compile(swinging(GetParam(), elements));
    system::Motion motion = support::at_rest(*system, shaken(*system, random));
    motion.a = random.values(motion.a.size(), 2.0);
    motion.lambda = random.values(motion.lambda.size(), 2.0);
    support::expect_tangent_is_derivative(*system, motion, {.position = 1.0}, nullptr);
    support::expect_tangent_is_derivative(*system, motion, {.velocity = 1.0}, nullptr);
    support::expect_tangent_is_derivative(*system, motion, {.acceleration = 1.0}, nullptr);
    support::expect_tangent_is_derivative(*system, motion, {0.3, 2.0, 1.5}, nullptr);
  }
}

TEST_P(SpatialBeamLaws, EnergyChangesByThePowerOfLoads) {
  Random random(5);
  const auto system = compile(swinging(GetParam(), 2));
  system::State state = support::assembled(*system);
  support::expect_energy_balance(*system, state);
  support::expect_residual_is_sum_of_parts(*system, shaken(*system, random), random);
  support::expect_clone_is_independent(*system, shaken(*system, random), random);
}

Description free_beam(const Sort& sort, int elements) {
  Description d = empty_space();
  SpatialBeam beam = rubber(sort, elements);
  beam.frames.clear();
  add_spatial_beam(beam, d);
  return d;
}

/// All nodes turned about the origin and shifted.
system::Vector moved(const system::Vector& q, const Quaterniond& turn, const Vector3d& shift) {
  system::Vector result = q;
  for (Eigen::Index i = 0; i < q.size(); i += 7) {
    result.segment<3>(i) = turn * q.segment<3>(i) + shift;
    const Quaterniond e = turn * Quaterniond(q[i + 3], q[i + 4], q[i + 5], q[i + 6]);
    result.segment<4>(i + 3) << e.w(), e.x(), e.y(), e.z();
  }
  return result;
}

// Where it is described and however it is moved as a whole: no stored energy, no load.
TEST_P(SpatialBeamLaws, NothingIsStrainedByARigidMotion) {
  const auto system = compile(free_beam(GetParam(), 3));
  system::State state = system->described_state();
  state.v.setZero();
  const system::Vector q = state.q;
  for (const double angle : {0.0, 1.0, 3.0, 4.0}) {
    const Quaterniond turn(Eigen::AngleAxisd(angle, Vector3d(0.5, -1.0, 0.7).normalized()));
    state.q = moved(q, turn, {3.0, -2.0, 5.0});
    system::Vector f;
    system->forces(state, f);
    // Round-off of stiffnesses of 20 N and lengths of 6 m.
    EXPECT_LT(f.lpNorm<Eigen::Infinity>(), 1e-13) << angle;
    EXPECT_LT(std::abs(system->energy(state).potential), 1e-13) << angle;
  }
}

// Objective: a bent beam that is moved as a whole, with its velocities, has the same energy and the
// same loads; forces turn with it, moments are in axes that do.
TEST_P(SpatialBeamLaws, BentShapesMoveWithoutChange) {
  Random random(8);
  const auto system = compile(free_beam(GetParam(), 3));
  const system::State state = shaken(*system, random, 0.5);
  const Quaterniond turn(Eigen::AngleAxisd(2.0, Vector3d(0.3, 0.9, -0.4).normalized()));
  system::State other = state;
  other.q = moved(state.q, turn, {1.0, 2.0, 3.0});
  for (Eigen::Index i = 0; i < state.v.size(); i += 6) {
    other.v.segment<3>(i) = turn * state.v.segment<3>(i);
  }
  system::Vector f;
  system::Vector moved_f;
  system->forces(state, f);
  system->forces(other, moved_f);
  for (Eigen::Index i = 0; i < f.size(); i += 6) {
    f.segment<3>(i) = (turn * f.segment<3>(i)).eval();
  }
  EXPECT_GT(f.norm(), 1.0);
  EXPECT_LT((f - moved_f).norm(), 1e-12 * f.norm());
  const double energy = system->energy(state).potential;
  EXPECT_NEAR(system->energy(other).potential, energy, 1e-13 * std::abs(energy));
}

TEST_P(SpatialBeamLaws, ItsMassIsThatOfItsLine) {
  Description d = empty_space();
  SpatialBeam beam = rubber(GetParam(), 4);
  beam.velocity = {2.0, 0.0, 0.0};
  beam.angular_velocity.setZero();
  add_spatial_beam(beam, d);
  const auto system = compile(d);
  const double mass = 1.9 * beam_length(beam);
  EXPECT_NEAR(system->energy(system->described_state()).kinetic, 0.5 * mass * 4.0, 1e-12 * mass);
}

// Free in space, bent and turning: momentum and angular momentum about the origin stay.
TEST_P(SpatialBeamLaws, MomentumStaysWhenItIsFree) {
  Random random(4);
  const auto system = compile(free_beam(GetParam(), 2));
  system::State state = system->described_state();
  state.v += random.values(state.v.size(), 0.5);
  const auto momentum = [&](const system::State& at) {
    const Eigen::Index n = at.v.size();
    const MatrixXd M =
        support::tangent_matrix(*system, support::at_rest(*system, at), {.acceleration = 1.0})
            .topLeftCorner(n, n);
    const system::Vector p = M * at.v;
    Eigen::Matrix<double, 6, 1> sum = Eigen::Matrix<double, 6, 1>::Zero();
    for (Eigen::Index k = 0; k < n / 6; ++k) {
      const Eigen::Index i = 7 * k;
      const Quaterniond e(at.q[i + 3], at.q[i + 4], at.q[i + 5], at.q[i + 6]);
      const Vector3d r = at.q.segment<3>(i);
      sum.head<3>() += p.segment<3>(6 * k);
      sum.tail<3>() += r.cross(Vector3d(p.segment<3>(6 * k))) + e * p.segment<3>(6 * k + 3);
    }
    return sum;
  };
  const system::Motion end = support::reference_motion(*system, state, 0.2, 200);
  EXPECT_GT((end.state.q - state.q).norm(), 0.05);
  // The fourth order of the reference at h = 1 ms.
  EXPECT_LT((momentum(end.state) - momentum(state)).norm(), 1e-8);
}

INSTANTIATE_TEST_SUITE_P(All,
                         SpatialBeamLaws,
                         testing::ValuesIn(all_sorts()),
                         [](const auto& info) { return info.param.name; });

// Every spatial formulation of the registry builds from a plain FlexibleBody.
TEST(SpatialBeam, RegisteredFormulationsBuildPlainBodies) {
  int kinds = 0;
  for (const FlexibleKind& kind : flexible_kinds()) {
    if (kind.space != Space::spatial) continue;
    for (const std::string& element : kind.elements) {
      Description d = empty_space();
      FlexibleBody body;
      body.name = "beam";
      body.formulation = kind.name;
      body.element = element;
      body.elements = 3;
      body.material = {.density = 1000.0, .youngs_modulus = 1e6};
      body.section = {.area = 1e-4, .second_moment = 1e-9};
      body.tip = {1.0, 0.0, 0.0};
      add_flexible_body(body, d);
      const auto system = compile(d);
      // Four nodes; or a frame, shapes of one interface and eight modes.
      EXPECT_EQ(system->described_state().v.size(), kind.name == "floating" ? 20 : 24);
      ++kinds;
    }
  }
  EXPECT_EQ(kinds, 2);
}

// Small displacements
// ------------------------------------------------------------------------------

struct Tip {
  Vector3d shift = Vector3d::Zero();
  Vector3d turn = Vector3d::Zero();
};

/// Of a cantilever along x of length 2 m, by the stiffness at rest.
Tip small_displacement(BeamShear shear,
                       int elements,
                       const Vector3d& force,
                       const Vector3d& moment) {
  Description d = empty_space();
  SpatialBeam beam = rubber({.name = "", .shear = shear}, elements);
  beam.start.setZero();
  beam.tip = {2.0, 0.0, 0.0};
  beam.y_axis.setZero();
  beam.frames.clear();
  add_spatial_beam(beam, d);
  const auto system = compile(d);
  system::State state = system->described_state();
  state.v.setZero();
  const Eigen::Index n = state.v.size();
  const MatrixXd K =
      support::tangent_matrix(*system, support::at_rest(*system, state), {.position = 1.0})
          .topLeftCorner(n, n);
  // The first node is held.
  system::Vector load = system::Vector::Zero(n - 6);
  load.tail<6>() << force, moment;
  const system::Vector x = K.bottomRightCorner(n - 6, n - 6).partialPivLu().solve(load);
  return {x.segment<3>(n - 12), x.tail<3>()};
}

// w = P L^3/(3 E I) + P L/(G A), theta = P L^2/(2 E I); twist T L/(G J), stretch N L/(E A).
TEST(SpatialBeam, CompensatedShearIsExactAtSmallDisplacements) {
  const double L = 2.0;
  for (const int elements : {1, 2, 5}) {
    const Tip tip =
        small_displacement(BeamShear::compensated, elements, {3.0, 4.0, 5.0}, {6.0, 7.0, 8.0});
    const double y = 4.0 * L * L * L / (3.0 * 2.3) + 4.0 * L / 9.0 + 8.0 * L * L / (2.0 * 2.3);
    const double z = 5.0 * L * L * L / (3.0 * 1.6) + 5.0 * L / 7.0 - 7.0 * L * L / (2.0 * 1.6);
    const double turn_z = 4.0 * L * L / (2.0 * 2.3) + 8.0 * L / 2.3;
    const double turn_y = -5.0 * L * L / (2.0 * 1.6) + 7.0 * L / 1.6;
    EXPECT_LT((tip.shift - Vector3d(3.0 * L / 20.0, y, z)).norm(), 1e-11) << elements;
    EXPECT_LT((tip.turn - Vector3d(6.0 * L / 1.1, turn_y, turn_z)).norm(), 1e-11) << elements;
  }
}

// Without it a cantilever of n elements lacks 1/(4 n^2) of its bending.
TEST(SpatialBeam, PlainShearConvergesWithTheSecondPowerOfTheElements) {
  const double bending = 4.0 * 8.0 / (3.0 * 2.3);
  const double exact = bending + 4.0 * 2.0 / 9.0;
  for (const int elements : {1, 2, 4, 8}) {
    const Tip tip =
        small_displacement(BeamShear::plain, elements, {0.0, 4.0, 0.0}, Vector3d::Zero());
    EXPECT_NEAR(tip.shift.y(), exact - bending / (4.0 * elements * elements), 1e-11) << elements;
  }
}

// The line
// -----------------------------------------------------------------------------------------

TEST(BeamLine, AnArcHasItsNodesOnTheCircleAndTangentsAlongIt) {
  SpatialBeam beam = rubber({"arc"}, 6);
  beam.start = {2.0, 0.0, 0.0};
  beam.through = Vector3d(0.0, 2.0, 0.0);
  beam.tip = {0.0, -2.0, 0.0};  // three quarters of a turn
  beam.y_axis.setZero();
  const BeamLine line = beam_line(beam);
  EXPECT_NEAR(line.length, 3.0 * M_PI, 1e-14);
  ASSERT_EQ(line.nodes.size(), 7u);
  for (const BeamLine::Node& node : line.nodes) {
    EXPECT_NEAR(node.p.norm(), 2.0, 1e-14);
    EXPECT_LT((node.R.col(0) - Vector3d::UnitZ().cross(node.p) / 2.0).norm(), 1e-14);
    EXPECT_LT((node.R.col(2) - Vector3d::UnitZ()).norm(), 1e-14);
  }
}

TEST(BeamLine, CornersAreNodesAndElementsAreSharedOutByLength) {
  SpatialBeam beam = rubber({"corner"}, 8);
  beam.start.setZero();
  beam.corners = {{3.0, 0.0, 0.0}};
  beam.tip = {3.0, 1.0, 0.0};
  const BeamLine line = beam_line(beam);
  EXPECT_NEAR(line.length, 4.0, 1e-15);
  EXPECT_LT((line.nodes[6].p - Vector3d(3.0, 0.0, 0.0)).norm(), 1e-15);
  EXPECT_NEAR(line.elements[7].length, 0.5, 1e-15);
  EXPECT_LT((line.nodes[6].R.col(0) - Vector3d::UnitX()).norm(), 1e-15);
  EXPECT_LT((line.elements[6].first.col(0) - Vector3d::UnitY()).norm(), 1e-15);
}

// Every mistake at once, with the key that is to be changed.
TEST(SpatialBeam, MistakesAreToldByTheirKeys) {
  SpatialBeam beam = rubber({"wrong"}, 1);
  beam.corners = {{0.5, 0.5, 0.5}, {0.5, 0.5, 0.5}};
  beam.viscosity = -1.0;
  beam.across.given->mass = 0.0;
  beam.across.given->inertia = {5.0, 1.0, 1.0};
  beam.frames = {{"far", 1.5}};
  core::Diagnostics found;
  check(beam, found);
  std::vector<std::string> paths;
  for (const core::Diagnostic& each : found.list()) paths.push_back(each.path);
  EXPECT_EQ(paths, (std::vector<std::string>{
                       "flexible.beam.viscosity", "flexible.beam.frames.far.along",
                       "flexible.beam.section", "flexible.beam.section", "flexible.beam.corners"}));
}

}  // namespace
}  // namespace trammel::model::spatial_beam_test
