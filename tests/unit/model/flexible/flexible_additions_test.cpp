// Damping, loads along the line, sections that change and lines that are curved.
#include <cmath>

#include "support/system_view.h"
#include <Eigen/Eigenvalues>
#include <gtest/gtest.h>

#include "trammel/model/flexible/flexible_kinds.h"
#include "trammel/model/model_system.h"

namespace trammel::model::flexible_additions_test {
namespace {

using Eigen::MatrixXd;
using Eigen::Vector2d;
using Eigen::Vector3d;

FlexibleBody steel(const std::string& formulation, const std::string& element, int elements) {
  FlexibleBody body;
  body.name = "beam";
  body.formulation = formulation;
  body.element = element;
  body.elements = elements;
  body.material = {.density = 7850.0, .youngs_modulus = 2e11, .poissons_ratio = 0.3};
  body.section = {.area = 1e-4, .second_moment = 1e-9};
  body.tip = {1.0, 0.0, 0.0};
  return body;
}

std::unique_ptr<ModelSystem> compiled(const FlexibleBody& body, bool clamped = false) {
  Description d;
  d.space = Space::planar;
  add_flexible_body(body, d);
  if (clamped) d.add_joint("fixed", "clamp", "ground", "beam.start");
  return compile(d);
}

template <class Call>
void for_all(const Call& call) {
  for (const FlexibleKind& kind : flexible_kinds()) {
    if (kind.space != Space::planar) continue;
    for (const std::string& element : kind.elements) {
      SCOPED_TRACE(kind.name + " " + element);
      call(kind.name, element);
    }
  }
}

MatrixXd at_rest(ModelSystem& system, const system::Weights& weights) {
  const system::State state = system.described_state();
  const Eigen::Index n = state.v.size();
  return support::tangent_matrix(system, support::at_rest(system, state), weights)
      .topLeftCorner(n, n);
}

// At rest and unloaded the damping matrix is Rayleigh's, alpha M + beta K.
TEST(FlexibleDamping, IsThatOfRayleighAtRest) {
  for_all([](const std::string& formulation, const std::string& element) {
    FlexibleBody body = steel(formulation, element, 3);
    body.mass_damping = 0.7;
    body.viscosity = 2e-4;
    const auto system = compiled(body);
    const MatrixXd M = at_rest(*system, {.acceleration = 1.0});
    const MatrixXd K = at_rest(*system, {.position = 1.0});
    const MatrixXd D = at_rest(*system, {.velocity = 1.0});
    // Round-off of the largest entries, E A/L.
    EXPECT_LT((D - 0.7 * M - 2e-4 * K).lpNorm<Eigen::Infinity>(),
              1e-13 * D.lpNorm<Eigen::Infinity>());
  });
}

// What loads do to a body that is moved by x and turned about the origin.
Vector3d resultant(const FlexibleBody& body, double t = 0.0) {
  FlexibleBody bare = body;
  bare.loads.clear();
  const auto loaded = compiled(body);
  const auto without = compiled(bare);
  system::State state = loaded->described_state();
  state.t = t;
  system::Vector f;
  system::Vector rest;
  loaded->forces(state, f);
  without->forces(state, rest);
  f -= rest;
  const auto power = [&](const Vector3d& velocity, double turn) {
    FlexibleBody moved = body;
    moved.velocity = velocity + turn * Vector3d::UnitZ().cross(body.start);
    moved.angular_velocity = {0.0, 0.0, turn};
    return f.dot(compiled(moved)->described_state().v);
  };
  return {power({1.0, 0.0, 0.0}, 0.0), power({0.0, 1.0, 0.0}, 0.0), power(Vector3d::Zero(), 1.0)};
}

// Force and moment about the origin of a load that changes evenly from 0.25 to 0.75 of 2 m:
// (p + q)/2 times 1 m, at the distance (p + 2 q)/(3 (p + q)) m behind 0.5 m from the start.
TEST(FlexibleLoads, HaveTheResultantOfTheirDensity) {
  for_all([](const std::string& formulation, const std::string& element) {
    for (const bool follows : {false, true}) {
      FlexibleBody body = steel(formulation, element, 3);
      const Vector2d along(0.6, 0.8);
      body.start = {0.3, -0.2, 0.0};
      body.tip = body.start + 2.0 * Vector3d(0.6, 0.8, 0.0);
      const Vector2d p(3.0, 1.0);
      const Vector2d q(-1.0, 5.0);
      body.loads.push_back({.name = "wind",
                            .from = 0.25,
                            .to = 0.75,
                            .force = {p.x(), p.y(), 0.0},
                            .force_end = {q.x(), q.y(), 0.0},
                            .follows = follows,
                            .factor = "1 + time/(1 s)"});
      Eigen::Matrix2d R = Eigen::Matrix2d::Identity();
      if (follows) R << along.x(), -along.y(), along.y(), along.x();
      const Vector2d force = R * (p + q) / 2.0;
      // The integral of x times the density over the loaded metre, x from its beginning.
      const Vector2d first = R * (p + 2.0 * q) / 6.0;
      const Vector2d begin = body.start.head<2>() + 0.5 * along;
      const double moment = begin.x() * force.y() - begin.y() * force.x() + along.x() * first.y() -
                            along.y() * first.x();
      const Vector3d expected(force.x(), force.y(), moment);
      EXPECT_LT((resultant(body) - expected).norm(), 1e-12) << follows;
      EXPECT_LT((resultant(body, 2.0) - 3.0 * expected).norm(), 1e-12) << follows;
    }
  });
}

TEST(FlexibleLoads, OfTimeAloneAreMultiplied) {
  FlexibleBody body = steel("ancf", "euler_bernoulli", 2);
  body.loads.push_back(
      {.name = "wind", .force = {0.0, 1.0, 0.0}, .factor = "beam.tip.position.y/(1 m)"});
  try {
    compiled(body);
    FAIL();
  } catch (const core::InputError& error) {
    EXPECT_NE(std::string(error.what()).find("more than the time"), std::string::npos)
        << error.what();
  }
}

double first_frequency(const FlexibleBody& body) {
  const auto system = compiled(body, true);
  const MatrixXd K = at_rest(*system, {.position = 1.0});
  const MatrixXd M = at_rest(*system, {.acceleration = 1.0});
  const MatrixXd Z =
      support::allowed_velocities(support::constraint_jacobian(*system, system->described_state()));
  const Eigen::GeneralizedSelfAdjointEigenSolver<MatrixXd> modes(Z.transpose() * K * Z,
                                                                 Z.transpose() * M * Z);
  return std::sqrt(modes.eigenvalues()[0]);
}

CrossSection rectangle(double width, double height) {
  const double area = width * height;
  return {.area = area,
          .second_moment = area * height * height / 12.0,
          .height = height,
          .shape = SectionShape::rectangle};
}

// Half as high at its tip: omega = 3.8237848 sqrt(E I/(rho A L^4)) with the section of the clamped
// end, by shooting with (E I w'')'' = omega^2 rho A w. Elements of constant section converge with
// the square of their number.
TEST(TaperedBeam, HasTheFrequencyOfTheoryToSecondOrder) {
  for (const std::string formulation : {"inertial", "ancf", "floating"}) {
    const auto quotient = [&](int elements) {
      FlexibleBody body = steel(formulation, "euler_bernoulli", elements);
      body.section = rectangle(0.01, 0.02);
      body.tip_section = rectangle(0.01, 0.01);
      const double exact = 3.82378484729 * std::sqrt(2e11 * body.section.second_moment /
                                                     (7850.0 * body.section.area));
      return first_frequency(body) / exact;
    };
    const double coarse = quotient(16);
    const double fine = quotient(32);
    EXPECT_NEAR(std::log2((coarse - 1.0) / (fine - 1.0)), 2.0, 0.1) << formulation;
    // Extrapolated, an error of fourth order is left, about the square of 4e-4.
    EXPECT_NEAR((4.0 * fine - coarse) / 3.0, 1.0, 5e-6) << formulation;
  }
}

FlexibleBody quarter_circle(int elements) {
  FlexibleBody body = steel("inertial", "euler_bernoulli", elements);
  body.start = {1.0, 0.0, 0.0};
  body.tip = {0.0, 1.0, 0.0};
  body.through = Vector3d(std::sqrt(0.5), std::sqrt(0.5), 0.0);
  return body;
}

TEST(CurvedBeam, HasNoStrainAndTheMassOfItsArc) {
  FlexibleBody body = quarter_circle(5);
  const auto system = compiled(body);
  system::Vector f;
  system->forces(system->described_state(), f);
  // Round-off of E A = 2e7 N.
  EXPECT_LT(f.lpNorm<Eigen::Infinity>(), 1e-7);
  body.velocity = {1.0, 0.0, 0.0};
  const auto moving = compiled(body);
  const double mass = 7850.0 * 1e-4 * M_PI_2;
  EXPECT_NEAR(moving->energy(moving->described_state()).kinetic, 0.5 * mass, 1e-12 * mass);
}

// Clamped at (1, 0) and pulled by P along x at its tip (0, 1): the moment at the angle a from the
// clamp is P R (1 - sin a), and the tip yields by the integral of it times (1 - sin a) R over E I:
// P R^3/(E I) (3 pi/4 - 2).
TEST(CurvedBeam, YieldsAsCastiglianoSays) {
  const auto yields = [](int elements) {
    const auto system = compiled(quarter_circle(elements), true);
    const MatrixXd K = at_rest(*system, {.position = 1.0});
    const MatrixXd Z = support::allowed_velocities(
        support::constraint_jacobian(*system, system->described_state()));
    system::Vector load = system::Vector::Zero(K.rows());
    load[3 * elements] = 1.0;
    const system::Vector x = Z * (Z.transpose() * K * Z).ldlt().solve(Z.transpose() * load);
    return x[3 * elements];
  };
  // Stretch adds 1e-5 of it, E I/(E A R^2) times a number of size one.
  const double exact = (3.0 * M_PI / 4.0 - 2.0) / 200.0;
  EXPECT_NEAR(yields(32), exact, 2e-3 * exact);
  EXPECT_GT(std::abs(yields(4) - yields(64)) / std::abs(yields(8) - yields(64)), 3.5);
}

}  // namespace
}  // namespace trammel::model::flexible_additions_test
