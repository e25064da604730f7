// Parts as triangles: closed, on the true surface, and as large as the part.
#include "trammel/report/part_surface.h"

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "trammel/report/shaded_surface.h"

namespace trammel::report {
namespace {

using Eigen::Vector3d;

constexpr double pi = std::numbers::pi;

struct Case {
  Part part;
  double volume;
};

std::vector<Case> cases() {
  using Kind = Part::Kind;
  return {
      {{.kind = Kind::box, .size = {1, 2, 3}}, 6.0},
      {{.kind = Kind::cylinder, .size = {0.5, 2, 0}}, 0.5 * pi},
      {{.kind = Kind::cylinder, .size = {0.5, 2, 0.25}}, 0.375 * pi},
      {{.kind = Kind::sphere, .size = {0.5, 0, 0}}, 4.0 / 3.0 * pi * 0.125},
      {{.kind = Kind::cone, .size = {0.5, 3, 0}}, 0.25 * pi},
      // Flat: a rectangle and a disc; round: a cylinder and a ball.
      {{.kind = Kind::bar, .size = {2, 0.5, 0.1}}, 0.1 * (1.0 + pi / 16.0)},
      {{.kind = Kind::bar, .size = {2, 0.5, 0.0}}, 2.0 * pi / 16.0 + 4.0 / 3.0 * pi / 64.0},
  };
}

TEST(PartSurface, IsClosedAndComesToTheVolume) {
  for (const Case& each : cases()) {
    const math::TriangleMesh mesh = part_surface(each.part, 128);
    EXPECT_EQ(math::open_edges(mesh), 0u) << name_of(each.part.kind);
    double volume = 0.0;  // with its sign: the outside is outside
    for (const auto& [a, b, c] : mesh.triangles) {
      volume += mesh.points[a].dot(mesh.points[b].cross(mesh.points[c])) / 6.0;
    }
    // A polygon of n corners has the area of its circle times 1 - 2/3 pi^2/n^2; a ball loses in two
    // directions.
    const double lost = 2.0 * pi * pi / (128.0 * 128.0);
    EXPECT_LT(volume, each.volume * (1.0 + 1e-12)) << name_of(each.part.kind);
    EXPECT_GT(volume, each.volume * (1.0 - lost)) << name_of(each.part.kind);
  }
}

TEST(PartSurface, StandsWhereThePartDoes) {
  Part part{.kind = Part::Kind::cone, .size = {0.5, 3, 0}};
  part.position = {1, 2, 3};
  part.rotation = Eigen::AngleAxisd(pi / 2, Vector3d::UnitX());  // z becomes -y
  const Vector3d center = math::solid_properties(part_surface(part)).center;
  EXPECT_NEAR((center - Vector3d(1, 2 - 0.75, 3)).norm(), 0.0, 1e-12);
}

TEST(PartSurface, LitSmoothlyWhereRoundAndSharplyAtEdges) {
  const Part part{.kind = Part::Kind::cylinder, .size = {1, 2, 0}};
  const ShadedSurface surface = shaded(part_surface(part, 32));
  for (std::size_t i = 0; i < surface.points.size(); ++i) {
    const Vector3d n = surface.normals[i].cast<double>();
    const Vector3d p = surface.points[i].cast<double>();
    ASSERT_NEAR(n.norm(), 1.0, 1e-6);
    const bool face = std::abs(std::abs(n.z()) - 1.0) < 1e-6;
    const bool wall = std::abs(n.z()) < 1e-6 && std::abs(n.head<2>().dot(p.head<2>()) - 1.0) < 1e-3;
    EXPECT_TRUE(face || wall) << n.transpose();
  }
  // The rim has two normals, the middle of a face one: 2 (1 + 32) + 2 * 32.
  EXPECT_EQ(surface.points.size(), 130u);
}

}  // namespace
}  // namespace trammel::report
