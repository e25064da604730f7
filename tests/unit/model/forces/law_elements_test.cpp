#include "trammel/model/forces/law_elements.h"

#include <cmath>

#include "support/force_laws.h"
#include "support/reference_motion.h"
#include "support/refusal.h"
#include <gtest/gtest.h>

namespace trammel::model::law_elements_test {
namespace {

using support::expect_refused;

// A block of 2 kg on a rail along x, at 0.3 m.
Description block() {
  Description d;
  d.space = Space::planar;
  Body body;
  body.name = "block";
  body.mass = {.mass = 2.0, .inertia = 0.1 * Eigen::Matrix3d::Identity()};
  body.position = {0.3, 0, 0};
  d.add_body(body);
  d.add_joint("prismatic", "rail", "ground", "block", {{"axis", Eigen::Vector3d(1, 0, 0)}});
  return d;
}

support::Observation seen(const Description& d) {
  const auto system = compile(d);
  return support::observe(*system, support::at_rest(*system, system->described_state()));
}

Description with_equation(const std::string& equation, double guess = 0.0) {
  Description d = block();
  d.add_force(
      "implicit_force", "strut", {},
      {{"coordinate", std::string("rail.displacement")}, {"equation", equation}, {"guess", guess}});
  return d;
}

TEST(ImplicitForce, SolvesItsEquation) {
  EXPECT_NEAR(seen(with_equation("strut.load + 50*rail.displacement")).at("strut.load"), -15.0,
              1e-13);
  // F + F^3 = -x: the real root of the cubic by Cardano.
  const double x = 0.3;
  const double root = std::sqrt(0.25 * x * x + 1.0 / 27.0);
  const double F = std::cbrt(-0.5 * x + root) + std::cbrt(-0.5 * x - root);
  EXPECT_NEAR(
      seen(with_equation("strut.load + strut.load^3 + 1*rail.displacement")).at("strut.load"), F,
      1e-14);
}

// Newton's method alone would run away from atan; the residual changes its sign all the same.
TEST(ImplicitForce, FallsBackOnBisection) {
  EXPECT_NEAR(seen(with_equation("atan(1*strut.load - 7)", 500.0)).at("strut.load"), 7.0, 1e-9);
  EXPECT_NEAR(seen(with_equation("abs(1*strut.load)*strut.load - 4", 0.0)).at("strut.load"), 2.0,
              1e-12);
}

TEST(ImplicitForce, OfTwoRootsTheOneNearTheGuessIsTaken) {
  EXPECT_NEAR(seen(with_equation("(1*strut.load)^2 - 9", 1.0)).at("strut.load"), 3.0, 1e-13);
  EXPECT_NEAR(seen(with_equation("(1*strut.load)^2 - 9", -1.0)).at("strut.load"), -3.0, 1e-13);
}

TEST(ImplicitForce, EquationsWithoutRootAreRefused) {
  expect_refused(with_equation("(1*strut.load)^2 + 1"), "has no root");
  expect_refused(with_equation("2*rail.displacement"), "does not contain 'strut.load'");
  expect_refused(with_equation("2*strut.lod"), "strut.lod");
}

// x'' + (a + b cos(w t)) x = 0 is Mathieu's equation; its determinant of two solutions stays 1.
TEST(ParametricSpring, KeepsTheWronskianOfMathieu) {
  const auto end_of = [](double x, double v) {
    Description d = block();
    d.bodies[0].position = {x, 0, 0};
    d.bodies[0].velocity = {v, 0, 0};
    d.add_force("parametric_spring", "spring", {},
                {{"coordinate", std::string("rail.displacement")},
                 {"stiffness", std::string("20 + 8*cos(5*time)")}});
    const auto system = compile(d);
    const system::State end =
        support::reference_motion(*system, system->described_state(), 1.5, 3000).state;
    return Eigen::Vector2d(end.q[0], end.v[0]);
  };
  Eigen::Matrix2d transition;
  transition << end_of(1.0, 0.0), end_of(0.0, 1.0);
  EXPECT_NEAR(transition.determinant(), 1.0, 1e-9);
  EXPECT_GT((transition - Eigen::Matrix2d::Identity()).norm(), 0.1);
}

TEST(ParametricSpring, BooksWhatTheChangeOfStiffnessBrings) {
  Description d = block();
  d.bodies[0].velocity = {0.4, 0, 0};
  d.add_force("parametric_spring", "spring", {},
              {{"coordinate", std::string("rail.displacement")},
               {"stiffness", std::string("20 + 6*time")},
               {"damping", std::string("3")},
               {"reference", std::string("0.1 m")}});
  const auto system = compile(d);
  const system::Power power = system->power(support::at_rest(*system, system->described_state()));
  EXPECT_NEAR(power.loads, 0.5 * 6.0 * 0.2 * 0.2, 1e-14);
  EXPECT_NEAR(power.dissipated, 3.0 * 0.4 * 0.4, 1e-14);
}

TEST(ParametricSpring, StiffnessOfAPositionIsRefused) {
  Description d = block();
  d.add_force("parametric_spring", "spring", {},
              {{"coordinate", std::string("rail.displacement")},
               {"stiffness", std::string("20 + rail.displacement*1")}});
  expect_refused(d, "reads 'rail.displacement'");
}

// Three blocks in a row, held by springs k1 (to the ground), k2, k3: as coordinates the extensions.
TEST(MatrixElement, CoupledExtensionsAreItsStiffnessMatrix) {
  Description d;
  d.space = Space::planar;
  for (const char* name : {"a", "b"}) {
    Body body;
    body.name = name;
    body.mass = {.mass = 1.0, .inertia = 0.1 * Eigen::Matrix3d::Identity()};
    body.position = {name[0] == 'a' ? 1.1 : 2.4, 0, 0};
    d.add_body(body);
  }
  d.add_sensor("displacement", "first", {"ground", "a"});
  d.add_sensor("displacement", "second", {"a", "b"});
  d.add_force("matrix_element", "part", {},
              {{"coordinates", std::vector<std::string>{"first", "second"}},
               {"stiffness", std::vector<double>{10.0, 3.0, 3.0, 20.0}},
               {"reference", std::vector<double>{1.0, 1.0}}});
  const auto system = compile(d);
  system::Vector f;
  system->forces(system->described_state(), f);
  const double e1 = 0.1;
  const double e2 = 0.3;
  const double F1 = -10.0 * e1 - 3.0 * e2;
  const double F2 = -3.0 * e1 - 20.0 * e2;
  EXPECT_NEAR(f[0], F1 - F2, 1e-13);
  EXPECT_NEAR(f[3], F2, 1e-13);
  EXPECT_NEAR(system->energy(system->described_state()).potential,
              0.5 * (10.0 * e1 * e1 + 6.0 * e1 * e2 + 20.0 * e2 * e2), 1e-13);
  d.forces[0].values["stiffness"] = std::vector<double>{10.0, 3.0, 2.0, 20.0};
  expect_refused(d, "not symmetric");
  d.forces[0].values["stiffness"] = std::vector<double>{10.0};
  expect_refused(d, "1 numbers for 2 coordinates");
}

}  // namespace
}  // namespace trammel::model::law_elements_test
