// Laws of bodies that bend in the plane, for every formulation and element of the registry.
// registry: flexible
#include "support/reference_motion.h"
#include "support/system_laws.h"
#include "support/system_view.h"
#include <Eigen/Eigenvalues>
#include <gtest/gtest.h>

#include "trammel/model/flexible/flexible_kinds.h"
#include "trammel/model/model_system.h"

namespace trammel::model::flexible_laws_test {
namespace {

using Eigen::MatrixXd;
using Eigen::Vector3d;
using support::Random;

struct Sort {
  std::string formulation;
  std::string element;
  bool other = false;  ///< constant mass, Green's strain, weight at the centers
  bool rich = false;   ///< tapered, damped and loaded along its length
};

std::vector<Sort> all_sorts() {
  std::vector<Sort> list;
  for (const FlexibleKind& kind : flexible_kinds()) {
    if (kind.space != Space::planar) continue;  // spatial_beam_test.cpp
    for (const std::string& element : kind.elements) {
      list.push_back({kind.name, element});
      list.push_back({kind.name, element, true});
      list.push_back({kind.name, element, false, true});
    }
  }
  return list;
}

// Soft and thick, so that every term counts: a shear parameter of 1 and more. Thicker ones give
// shear so little inertia that differences of the energy lose digits.
FlexibleBody rubber(const Sort& sort, int elements) {
  FlexibleBody body;
  body.name = "beam";
  body.formulation = sort.formulation;
  body.element = sort.element;
  body.elements = elements;
  body.material = {.density = 5540.0, .youngs_modulus = 1e3, .poissons_ratio = 0.3};
  body.section = {.area = 1.8e-3, .second_moment = 2e-5};
  body.tip = {1.0, 0.7, 0.0};
  body.velocity = {0.2, -0.1, 0.0};
  body.angular_velocity = {0.0, 0.0, 0.8};
  body.frames = {{"grip", 0.3, {0.01, 0.02, 0.0}}};
  if (sort.other) {
    body.mass = InertialMass::constant;
    body.strain = BarStrain::green;
    body.weight = FloatingWeight::center;
  }
  if (sort.rich) {
    body.tip_section = CrossSection{.area = 1.2e-3, .second_moment = 1.5e-5};
    body.viscosity = 0.05;
    body.mass_damping = 0.4;
    body.loads.push_back({.name = "wind",
                          .from = 0.2,
                          .to = 0.9,
                          .force = {3.0, -2.0, 0.0},
                          .force_end = {1.0, 4.0, 0.0},
                          .factor = "2 + sin(3 rad/s*time)"});
    body.loads.push_back(
        {.name = "jet", .force = {-1.0, 2.0, 0.0}, .force_end = {0.5, 1.0, 0.0}, .follows = true});
  }
  return body;
}

// The same without what acts from outside.
FlexibleBody left_alone(FlexibleBody body) {
  body.mass_damping = 0.0;
  body.loads.clear();
  return body;
}

Body block(const std::string& name, const Vector3d& position) {
  Body body;
  body.name = name;
  body.mass.mass = 2.0;
  body.mass.inertia = Vector3d(0.3, 0.5, 0.4).asDiagonal();
  body.position = position;
  return body;
}

// Hinged at its start, with a body at the tip and a spring at a frame between.
Description swinging(const Sort& sort, int elements) {
  Description d;
  d.space = Space::planar;
  d.gravity = {0.3, -9.81, 0.0};
  const FlexibleBody body = rubber(sort, elements);
  add_flexible_body(body, d);
  d.add_body(block("weight", body.tip));
  d.add_joint("revolute", "hinge", "ground", "beam.start");
  d.add_joint("revolute", "wrist", "beam.tip", "weight");
  d.add_force("spring", "spring", {"ground", "beam.grip"},
              {{"stiffness", 50.0}, {"length", 0.3}, {"damping", 2.0}});
  return d;
}

system::State shaken(const ModelSystem& system, Random& random) {
  system::State state = system.described_state();
  const system::Vector x = random.values(state.v.size(), 0.05);
  system.retract(state.q, x, state.q);
  state.v = random.values(state.v.size(), 0.7);
  return state;
}

class FlexibleLaws : public testing::TestWithParam<Sort> {};

TEST_P(FlexibleLaws, TangentIsTheDerivativeOfTheResidual) {
  for (const int elements : {1, 3}) {
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

TEST_P(FlexibleLaws, EnergyChangesByThePowerOfLoads) {
  Random random(5);
  const auto system = compile(swinging(GetParam(), 2));
  system::State state = support::assembled(*system);
  support::expect_energy_balance(*system, state);
  support::expect_residual_is_sum_of_parts(*system, shaken(*system, random), random);
  support::expect_clone_is_independent(*system, shaken(*system, random), random);
}

// Wherever it is put, and however it is turned: no stored energy, no load on any freedom.
TEST_P(FlexibleLaws, NothingIsStrainedByARigidMotion) {
  for (const double angle : {0.0, 1.0, 3.0, -2.5}) {
    Description d;
    d.space = Space::planar;
    FlexibleBody body = left_alone(rubber(GetParam(), 3));
    body.velocity.setZero();
    body.angular_velocity.setZero();
    const Eigen::AngleAxisd turn(angle, Vector3d::UnitZ());
    body.start = turn * body.start + Vector3d(3.0, -2.0, 0.0);
    body.tip = turn * body.tip + Vector3d(3.0, -2.0, 0.0);
    add_flexible_body(body, d);
    const auto system = compile(d);
    const system::State state = system->described_state();
    system::Vector f;
    system->forces(state, f);
    // Round-off of E A = 1.8 N and of lengths of 4 m.
    EXPECT_LT(f.lpNorm<Eigen::Infinity>(), 1e-13) << angle;
    EXPECT_LT(std::abs(system->energy(state).potential), 1e-13) << angle;
  }
}

// Shifted as a whole, it has the kinetic energy of all of its mass.
TEST_P(FlexibleLaws, ItsMassIsThatOfItsVolume) {
  Description d;
  d.space = Space::planar;
  FlexibleBody body = rubber(GetParam(), 3);
  body.velocity = {2.0, 0.0, 0.0};
  body.angular_velocity.setZero();
  add_flexible_body(body, d);
  const auto system = compile(d);
  const double mass = 5540.0 * (GetParam().rich ? 1.5e-3 : 1.8e-3) * body.length();
  EXPECT_NEAR(system->energy(system->described_state()).kinetic, 0.5 * mass * 4.0, 1e-12 * mass);
}

// Kelvin and Voigt's damping: a body that moves as a whole has the forces that it has without it.
TEST_P(FlexibleLaws, ViscosityDoesNotSlowARigidMotion) {
  const auto forces = [&](double viscosity) {
    Description d;
    d.space = Space::planar;
    FlexibleBody body = left_alone(rubber(GetParam(), 3));
    body.viscosity = viscosity;
    add_flexible_body(body, d);
    const auto system = compile(d);
    system::Vector f;
    system->forces(system->described_state(), f);
    return f;
  };
  // Round-off of a damping of tau E A/L = 4.5 N s/m and of velocities of 1 m/s.
  EXPECT_LT((forces(3.0) - forces(0.0)).lpNorm<Eigen::Infinity>(), 1e-13);
}

// Freedoms of a free body, in the order of its formulation, that move it as a whole.
system::Vector rigid_velocity(const Sort& sort,
                              const system::Vector& q,
                              Eigen::Index size,
                              const Eigen::Vector2d& shift,
                              double turn) {
  const auto moved = [&](Eigen::Index at) {
    return Eigen::Vector2d(shift.x() - turn * q[at + 1], shift.y() + turn * q[at]);
  };
  const auto turned = [&](Eigen::Index at) {
    return Eigen::Vector2d(-turn * q[at + 1], turn * q[at]);
  };
  system::Vector v = system::Vector::Zero(size);
  if (sort.formulation == "floating") {
    v.head<3>() << moved(0), turn;
  } else if (sort.element == "bar") {
    for (Eigen::Index i = 0; i < size; i += 2) v.segment<2>(i) = moved(i);
  } else if (sort.formulation == "inertial") {
    for (Eigen::Index i = 0; i < size; i += 3) v.segment<3>(i) << moved(i), turn;
  } else {
    for (Eigen::Index i = 0; i < size; i += 4) v.segment<4>(i) << moved(i), turned(i + 2);
  }
  return v;
}

Description free_body(const Sort& sort) {
  Description d;
  d.space = Space::planar;
  FlexibleBody body = left_alone(rubber(sort, 2));
  body.frames.clear();
  add_flexible_body(body, d);
  return d;
}

// Free in space, stretched and turning: momentum and angular momentum about the origin stay.
TEST_P(FlexibleLaws, MomentumStaysWhenItIsFree) {
  Random random(4);
  const auto system = compile(free_body(GetParam()));
  system::State state = system->described_state();
  state.v += random.values(state.v.size(), 0.2);
  const auto momentum = [&](const system::State& at) {
    const Eigen::MatrixXd M =
        support::tangent_matrix(*system, support::at_rest(*system, at), {.acceleration = 1.0});
    const auto along = [&](const Eigen::Vector2d& shift, double turn) {
      return rigid_velocity(GetParam(), at.q, at.v.size(), shift, turn).dot(M * at.v);
    };
    return Vector3d(along({1.0, 0.0}, 0.0), along({0.0, 1.0}, 0.0), along({0.0, 0.0}, 1.0));
  };
  const system::Motion end = support::reference_motion(*system, state, 0.2, 200);
  EXPECT_GT((end.state.q - state.q).norm(), 0.05);
  // The fourth order of the reference at h = 1 ms.
  const Vector3d change = momentum(end.state) - momentum(state);
  EXPECT_LT(change.head<2>().norm(), 1e-8);
  // A constant mass in the inertial frame does not turn with the beam.
  const bool turns = GetParam().formulation != "inertial" || GetParam().element == "bar";
  if (turns || !GetParam().other) {
    EXPECT_LT(std::abs(change.z()), 1e-8);
  }
}

INSTANTIATE_TEST_SUITE_P(All, FlexibleLaws, testing::ValuesIn(all_sorts()), [](const auto& info) {
  return info.param.formulation + "_" + info.param.element + (info.param.other ? "_other" : "") +
         (info.param.rich ? "_rich" : "");
});

// Cantilevers -------------------------------------------------------------------------------------

double first_frequency(const Sort& sort, int elements) {
  Description d;
  d.space = Space::planar;
  FlexibleBody body = rubber(sort, elements);
  body.material.youngs_modulus = 2e9;
  body.section = {.area = 1e-4, .second_moment = 1e-9};
  body.start.setZero();
  body.tip = {1.0, 0.0, 0.0};
  body.frames.clear();
  add_flexible_body(body, d);
  d.add_joint("fixed", "clamp", "ground", "beam.start");
  const auto system = compile(d);
  system::State state = system->described_state();
  state.v.setZero();
  const system::Motion rest = support::at_rest(*system, state);
  const Eigen::Index n = state.v.size();
  const MatrixXd K = support::tangent_matrix(*system, rest, {.position = 1.0}).topLeftCorner(n, n);
  const MatrixXd M =
      support::tangent_matrix(*system, rest, {.acceleration = 1.0}).topLeftCorner(n, n);
  const MatrixXd Z = support::allowed_velocities(support::constraint_jacobian(*system, state));
  const Eigen::GeneralizedSelfAdjointEigenSolver<MatrixXd> modes(Z.transpose() * K * Z,
                                                                 Z.transpose() * M * Z);
  return std::sqrt(modes.eigenvalues()[0]);
}

// omega = 1.875104069^2 sqrt(E I/(rho A L^4)); cubic functions converge with the fourth power.
TEST(Cantilever, FrequenciesConvergeWithTheFourthPowerOfTheElements) {
  const double beta = 1.8751040687119611;
  const double exact = beta * beta * std::sqrt(2e9 * 1e-9 / (5540.0 * 1e-4));
  for (const std::string& formulation : flexible_formulations(Space::planar)) {
    const Sort sort{formulation, "euler_bernoulli"};
    const double two = std::abs(first_frequency(sort, 2) / exact - 1.0);
    const double four = std::abs(first_frequency(sort, 4) / exact - 1.0);
    EXPECT_LT(four, 1e-4) << formulation;
    EXPECT_NEAR(std::log2(two / four), 4.0, 0.2) << formulation;
  }
}

}  // namespace
}  // namespace trammel::model::flexible_laws_test
