#include "trammel/model/forces/bushing.h"

#include "support/force_laws.h"
#include <gtest/gtest.h>

namespace trammel::model::bushing_test {
namespace {

using support::Random;
using support::Side;

system::Vector forces_of(const Description& description) {
  const auto system = compile(description);
  system::Vector f;
  system->forces(system->described_state(), f);
  return f;
}

// The generalised forces of two kinds between the same frames in the same motion.
void expect_same_forces(Space space,
                        const char* kind,
                        const Values& values,
                        const Values& bushing) {
  for (unsigned seed = 1; seed <= 10; ++seed) {
    Random random(seed);
    support::RandomPair pair = support::random_pair(space, Side::body, Side::body, 1.0, random);
    Description other = pair.description;
    pair.description.add_force("bushing", "item", {pair.mark_a, pair.mark_b}, bushing);
    other.add_force(kind, "item", {pair.mark_a, pair.mark_b}, values);
    const system::Vector expected = forces_of(other);
    EXPECT_LE((forces_of(pair.description) - expected).norm(), 1e-12 * (1.0 + expected.norm()));
  }
}

TEST(Bushing, EqualStiffnessesAreASpringOfNoLength) {
  for (const Space space : {Space::planar, Space::spatial}) {
    expect_same_forces(space, "spring", {{"stiffness", 30.0}},
                       {{"stiffness", Eigen::Vector3d(30, 30, space == Space::planar ? 0 : 30)}});
  }
}

TEST(Bushing, TurningPartIsARotationalSpringInThePlane) {
  expect_same_forces(Space::planar, "rotational_spring", {{"stiffness", 12.0}, {"damping", 3.0}},
                     {{"rotational_stiffness", 12.0}, {"rotational_damping", 3.0}});
}

TEST(Bushing, MatrixReplacesTheDiagonal) {
  std::vector<double> K(36, 0.0);
  std::vector<double> C(36, 0.0);
  for (std::size_t i = 0; i < 6; ++i) {
    K[7 * i] = 1.0 + static_cast<double>(i);
    C[7 * i] = 0.5;
  }
  expect_same_forces(Space::spatial, "bushing",
                     {{"stiffness", Eigen::Vector3d(1, 2, 3)},
                      {"rotational_stiffness", Eigen::Vector3d(4, 5, 6)},
                      {"damping", Eigen::Vector3d(0.5, 0.5, 0.5)},
                      {"rotational_damping", Eigen::Vector3d(0.5, 0.5, 0.5)}},
                     {{"stiffness_matrix", K}, {"damping_matrix", C}});
}

TEST(Bushing, LargeTurnAboutOneAxisGivesStiffnessTimesAngle) {
  Description d;
  Body body;
  body.name = "b";
  body.mass = {.mass = 1.0, .inertia = Eigen::Matrix3d::Identity()};
  body.orientation = Eigen::AngleAxisd(2.5, Eigen::Vector3d::UnitY());
  d.add_body(body);
  d.add_force("bushing", "item", {"ground", "b"},
              {{"rotational_stiffness", Eigen::Vector3d(3, 4, 5)},
               {"preload_torque", Eigen::Vector3d(0, 1, 0)}});
  const auto system = compile(d);
  const auto seen = support::observe(*system, support::at_rest(*system, system->described_state()));
  EXPECT_NEAR(seen.at("item.rotation.y"), 2.5, 1e-14);
  EXPECT_NEAR(seen.at("item.torque.y"), 1.0 - 4.0 * 2.5, 1e-13);
  EXPECT_NEAR(seen.at("item.torque.x"), 0.0, 1e-13);
  EXPECT_NEAR(system->energy(system->described_state()).potential, 2.0 * 2.5 * 2.5 - 2.5, 1e-13);
}

void expect_refused(const Values& values, const std::string& part) {
  Random random(1);
  support::RandomPair pair =
      support::random_pair(Space::spatial, Side::ground, Side::body, 1.0, random);
  pair.description.add_force("bushing", "mount", {pair.mark_a, pair.mark_b}, values);
  try {
    compile(pair.description);
    FAIL() << "not refused: " << part;
  } catch (const core::InputError& error) {
    const std::string text = core::to_string(error.diagnostics().front());
    EXPECT_NE(text.find("forces.mount"), std::string::npos) << text;
    EXPECT_NE(text.find(part), std::string::npos) << text;
  }
}

TEST(Bushing, WrongMatricesAreRefused) {
  expect_refused({{"stiffness_matrix", std::vector<double>(9, 1.0)}}, "has 9 numbers");
  std::vector<double> K(36, 0.0);
  K[1] = 1.0;
  expect_refused({{"stiffness_matrix", K}}, "not symmetric");
  K[1] = 0.0;
  K[0] = -1.0;
  expect_refused({{"damping_matrix", K}}, "negative eigenvalue");
  expect_refused({{"damping", Eigen::Vector3d(1, -2, 0)}}, "component -2");
}

}  // namespace
}  // namespace trammel::model::bushing_test
