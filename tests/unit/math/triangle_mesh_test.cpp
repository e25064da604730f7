#include "trammel/math/triangle_mesh.h"

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "trammel/math/shapes.h"

namespace trammel::math::triangle_mesh_test {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

constexpr double pi = std::numbers::pi;

// Corners at 0 and the edge lengths, shifted; every face is cut once.
TriangleMesh box_mesh(const Vector3d& edges, const Vector3d& shift) {
  TriangleMesh mesh;
  for (int i = 0; i < 8; ++i) {
    const Vector3d corner(i & 1, (i >> 1) & 1, (i >> 2) & 1);
    mesh.points.push_back(shift + edges.cwiseProduct(corner));
  }
  mesh.triangles = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6}, {0, 1, 4}, {1, 5, 4},
                    {2, 6, 3}, {3, 6, 7}, {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};
  return mesh;
}

// Points of a ball on circles of latitude.
TriangleMesh ball_mesh(double radius, std::uint32_t n) {
  TriangleMesh mesh;
  for (std::uint32_t i = 0; i <= n; ++i) {
    for (std::uint32_t k = 0; k < 2 * n; ++k) {
      const double theta = pi * i / n;
      const double phi = pi * k / n;
      const double r = i == 0 || i == n ? 0.0 : radius * std::sin(theta);
      mesh.points.emplace_back(r * std::cos(phi), r * std::sin(phi), radius * std::cos(theta));
    }
  }
  for (std::uint32_t i = 0; i < n; ++i) {
    for (std::uint32_t k = 0; k < 2 * n; ++k) {
      const std::uint32_t a = 2 * n * i + k;
      const std::uint32_t b = 2 * n * i + (k + 1) % (2 * n);
      mesh.triangles.push_back({a, a + 2 * n, b});
      mesh.triangles.push_back({b, a + 2 * n, b + 2 * n});
    }
  }
  return welded(mesh);
}

TEST(TriangleMesh, BoxHasTheMassPropertiesOfTheBox) {
  const Vector3d edges(0.3, 0.5, 0.7);
  const Vector3d shift(10.0, -20.0, 30.0);
  const TriangleMesh mesh = box_mesh(edges, shift);
  EXPECT_EQ(open_edges(mesh), 0u);
  const SolidProperties solid = solid_properties(mesh);
  const Shape box = Box{edges.x(), edges.y(), edges.z()};
  // The coordinates are rounded at 30 m: 4e-15 m of 0.3 m.
  EXPECT_NEAR(solid.volume, volume(box), 1e-13);
  EXPECT_NEAR((solid.center - shift - 0.5 * edges).norm(), 0.0, 1e-13);
  EXPECT_NEAR((solid.inertia_per_mass - inertia_per_mass(box)).norm(), 0.0, 1e-13);
}

TEST(TriangleMesh, BallComesToTheBallWithTheSquareOfTheEdge) {
  const Shape ball = Sphere{.radius = 0.2};
  double error = 0.0;
  for (const std::uint32_t n : {16U, 32U}) {
    const TriangleMesh mesh = ball_mesh(0.2, n);
    ASSERT_EQ(open_edges(mesh), 0u);
    const SolidProperties solid = solid_properties(mesh);
    // Up to 4000 terms of 0.2 m are added up.
    EXPECT_NEAR(solid.center.norm(), 0.0, 1e-14);
    const double before = error;
    error = 1.0 - solid.inertia_per_mass.trace() / inertia_per_mass(ball).trace();
    EXPECT_GT(error, 0.0) << "it lies inside of the ball";
    EXPECT_LT(error, 5.0 / (n * n));
    if (before > 0.0) {
      EXPECT_NEAR(before / error, 4.0, 0.05);
    }
  }
}

TEST(TriangleMesh, OfObliqueShapeHasProductsOfInertia) {
  // A box that is sheared: x' = x + y. Then int x'y' = int y^2 about the middle.
  TriangleMesh mesh = box_mesh({1, 1, 1}, {-0.5, -0.5, -0.5});
  for (Vector3d& p : mesh.points) p.x() += p.y();
  const Matrix3d J = solid_properties(mesh).inertia_per_mass;
  EXPECT_NEAR(J(0, 1), -1.0 / 12.0, 1e-15);
  EXPECT_NEAR(J(2, 2), 1.0 / 12.0 + 2.0 / 12.0, 1e-15);
}

TEST(TriangleMesh, WithAHoleOrAFlippedTriangleIsOpen) {
  TriangleMesh mesh = box_mesh({1, 1, 1}, {0, 0, 0});
  mesh.triangles.pop_back();
  EXPECT_EQ(open_edges(mesh), 3u);
  mesh = box_mesh({1, 1, 1}, {0, 0, 0});
  std::swap(mesh.triangles[0][0], mesh.triangles[0][1]);
  EXPECT_EQ(open_edges(mesh), 3u);
}

TEST(TriangleMesh, AllInwardsIsTheSameBody) {
  TriangleMesh mesh = box_mesh({1, 2, 3}, {0, 0, 0});
  for (auto& triangle : mesh.triangles) std::swap(triangle[0], triangle[1]);
  EXPECT_EQ(open_edges(mesh), 0u);
  EXPECT_NEAR(solid_properties(mesh).volume, 6.0, 1e-14);
  EXPECT_NEAR(solid_properties(mesh).center.x(), 0.5, 1e-15);
}

TEST(TriangleMesh, WeldingJoinsLooseTriangles) {
  const TriangleMesh box = box_mesh({1, 2, 3}, {-1, 0, 0});
  TriangleMesh loose;
  for (const auto& triangle : box.triangles) {
    const auto first = std::uint32_t(loose.points.size());
    for (const std::uint32_t corner : triangle) loose.points.push_back(box.points[corner]);
    loose.triangles.push_back({first, first + 1, first + 2});
  }
  loose.triangles.push_back({0, 0, 1});  // nothing
  loose.points.emplace_back(7, 7, 7);    // used by nobody
  EXPECT_GT(open_edges(loose), 0u);
  const TriangleMesh mesh = welded(loose);
  EXPECT_EQ(mesh.points.size(), 8u);
  EXPECT_EQ(mesh.triangles.size(), 12u);
  EXPECT_EQ(open_edges(mesh), 0u);
}

TEST(TriangleMesh, MirroringKeepsTheOutsideOutside) {
  TriangleMesh mesh = scaled(box_mesh({1, 2, 3}, {1, 0, 0}), {-2.0, 1.0, 1.0});
  // solid_properties takes the absolute value: look at one tetrahedron sum itself.
  double volume = 0.0;
  for (const auto& [a, b, c] : mesh.triangles) {
    volume += mesh.points[a].dot(mesh.points[b].cross(mesh.points[c])) / 6.0;
  }
  EXPECT_NEAR(volume, 12.0, 1e-14);
  EXPECT_NEAR(solid_properties(mesh).center.x(), -3.0, 1e-15);
  EXPECT_NEAR(reach(mesh), std::sqrt(16.0 + 4.0 + 9.0), 1e-14);
}

}  // namespace
}  // namespace trammel::math::triangle_mesh_test
