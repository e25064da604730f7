#include "trammel/model/forces/triangle.h"

#include <cmath>

#include "support/force_laws.h"
#include "support/system_view.h"
#include <gtest/gtest.h>

namespace trammel::model::triangle_test {
namespace {

using Eigen::Vector3d;

// Three point masses at the corners of a sheet.
Description sheet(Space space, const Vector3d& p1, const Vector3d& p2, const Vector3d& p3) {
  Description d;
  d.space = space;
  const Vector3d places[] = {p1, p2, p3};
  for (int i = 0; i < 3; ++i) {
    Body body;
    body.name = std::string("p") + static_cast<char>('1' + i);
    body.kind = BodyKind::point;
    body.mass.mass = 1.0;
    body.position = places[i];
    d.add_body(body);
  }
  d.add_force("triangle", "sheet", {"p1", "p2", "p3"},
              {{"side_12", 2.0},
               {"side_13", std::hypot(0.5, 1.5)},
               {"side_23", std::hypot(1.5, 1.5)},
               {"thickness", 0.01},
               {"youngs_modulus", 2e5},
               {"poissons_ratio", 0.3}});
  return d;
}

system::Vector forces_of(const Description& d) {
  const auto system = compile(d);
  system::Vector f;
  system->forces(system->described_state(), f);
  return f;
}

// Patch test: under a homogeneous small strain the corner forces are those of a constant stress,
// the resultants t/2 (stress . outward normals of the sides at the corner).
TEST(Triangle, ConstantStrainGivesConstantStress) {
  const double strain = 1e-6;
  Eigen::Matrix2d gradient;
  gradient << 1.0, 0.4, 0.4, -0.7;  // symmetric
  const Eigen::Vector2d corners[] = {{0, 0}, {2, 0}, {0.5, 1.5}};
  Vector3d moved[3];
  for (int i = 0; i < 3; ++i) {
    const Eigen::Vector2d p = corners[i] + strain * gradient * corners[i];
    moved[i] = {p.x(), p.y(), 0};
  }
  const system::Vector f = forces_of(sheet(Space::planar, moved[0], moved[1], moved[2]));
  const double E = 2e5;
  const double nu = 0.3;
  const double factor = E / (1 - nu * nu) * strain;
  Eigen::Matrix2d stress;
  stress << factor * (1.0 - 0.7 * nu), factor * (1 - nu) * 0.4, factor * (1 - nu) * 0.4,
      factor * (-0.7 + nu);
  for (int i = 0; i < 3; ++i) {
    // What the sheet exerts on corner i: -t stress . (area gradient of its shape function) * area.
    const Eigen::Vector2d side = corners[(i + 2) % 3] - corners[(i + 1) % 3];
    const Eigen::Vector2d normal(-side.y(), side.x());  // inwards, length of the side opposite
    const Eigen::Vector2d expected = -0.5 * 0.01 * stress * normal;
    EXPECT_NEAR(f[2 * i], expected.x(), 1e-5 * 0.01 * factor);  // strains are 1e-6
    EXPECT_NEAR(f[2 * i + 1], expected.y(), 1e-5 * 0.01 * factor);
  }
}

TEST(Triangle, RigidMotionInSpaceGivesNoLoad) {
  const Eigen::Quaterniond turn(Eigen::AngleAxisd(1.1, Vector3d(1, 2, -1).normalized()));
  const Vector3d shift(3, -1, 2);
  const system::Vector f =
      forces_of(sheet(Space::spatial, turn * Vector3d(0, 0, 0) + shift,
                      turn * Vector3d(2, 0, 0) + shift, turn * Vector3d(0.5, 1.5, 0) + shift));
  EXPECT_LE(f.norm(), 1e-11);  // 2e3 N/m times round-off of lengths
}

TEST(Triangle, LoadsBalance) {
  const Vector3d p[] = {{0.1, 0, 0.2}, {2.2, 0.3, -0.4}, {0.4, 1.1, 0.5}};
  const Description d = sheet(Space::spatial, p[0], p[1], p[2]);
  const system::Vector f = forces_of(d);
  Vector3d force = Vector3d::Zero();
  Vector3d moment = Vector3d::Zero();
  for (int i = 0; i < 3; ++i) {
    force += f.segment<3>(3 * i);
    moment += p[i].cross(f.segment<3>(3 * i));
  }
  EXPECT_GT(f.norm(), 10.0);
  EXPECT_LE(force.norm(), 1e-12 * f.norm());
  EXPECT_LE(moment.norm(), 1e-12 * f.norm());
}

TEST(Triangle, SidesThatDoNotCloseAreRefused) {
  Description d = sheet(Space::planar, {0, 0, 0}, {2, 0, 0}, {0.5, 1.5, 0});
  d.forces[0].values["side_12"] = 9.0;
  try {
    compile(d);
    FAIL() << "accepted";
  } catch (const core::InputError& error) {
    EXPECT_NE(std::string(error.what()).find("make no triangle"), std::string::npos);
  }
}

}  // namespace
}  // namespace trammel::model::triangle_test
