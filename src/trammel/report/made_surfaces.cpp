#include "trammel/report/made_surfaces.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace trammel::report {
namespace {

using Eigen::Vector3d;
using Line = std::vector<Vector3d>;

Vector3d across(const Vector3d& tangent) {
  const Vector3d helper = std::abs(tangent.z()) < 0.9 ? Vector3d::UnitZ() : Vector3d::UnitX();
  return helper.cross(tangent).normalized();
}

}  // namespace

Part mesh_part(math::TriangleMesh mesh,
               const Vector3d& position,
               const Eigen::Quaterniond& rotation) {
  Eigen::AlignedBox3d box;
  for (const Vector3d& point : mesh.points) box.extend(point);
  return {.kind = Part::Kind::mesh,
          .size = box.isEmpty() ? Vector3d(Vector3d::Zero()) : Vector3d(box.sizes()),
          .position = position,
          .rotation = rotation,
          .surface = std::make_shared<const math::TriangleMesh>(std::move(mesh))};
}

math::TriangleMesh plate_mesh(const Line& rim, double thickness) {
  math::TriangleMesh mesh;
  const auto n = static_cast<std::uint32_t>(rim.size());
  for (const double side : {-0.5, 0.5}) {
    const Vector3d lift(0.0, 0.0, side * thickness);
    for (const Vector3d& point : rim) mesh.points.emplace_back(point + lift);
  }
  const Vector3d lift(0.0, 0.0, 0.5 * thickness);
  mesh.points.emplace_back(-lift);
  mesh.points.push_back(lift);
  const std::uint32_t low = 2 * n;
  const std::uint32_t high = 2 * n + 1;
  for (std::uint32_t i = 0; i < n; ++i) {
    const std::uint32_t j = (i + 1) % n;
    mesh.triangles.push_back({low, j, i});
    mesh.triangles.push_back({high, n + i, n + j});
    mesh.triangles.push_back({i, j, n + j});
    mesh.triangles.push_back({i, n + j, n + i});
  }
  return mesh;
}

math::TriangleMesh rod_mesh(const Line& line, double radius) {
  constexpr std::uint32_t facets = 12;
  math::TriangleMesh mesh;
  const auto count = static_cast<std::uint32_t>(line.size());
  Vector3d u;
  for (std::uint32_t i = 0; i < count; ++i) {
    const Vector3d tangent =
        (line[std::min(i + 1, count - 1)] - line[i == 0 ? 0 : i - 1]).normalized();
    // The direction before, turned with the tangent.
    u = i == 0 ? across(tangent) : Vector3d(u - tangent * tangent.dot(u)).normalized();
    const Vector3d v = tangent.cross(u);
    for (std::uint32_t k = 0; k < facets; ++k) {
      const double angle = 2.0 * std::numbers::pi * k / facets;
      mesh.points.emplace_back(line[i] + radius * (std::cos(angle) * u + std::sin(angle) * v));
    }
  }
  for (std::uint32_t i = 0; i + 1 < count; ++i) {
    for (std::uint32_t k = 0; k < facets; ++k) {
      const std::uint32_t a = i * facets + k;
      const std::uint32_t b = i * facets + (k + 1) % facets;
      mesh.triangles.push_back({a, b, b + facets});
      mesh.triangles.push_back({a, b + facets, a + facets});
    }
  }
  const std::uint32_t last = (count - 1) * facets;
  for (std::uint32_t k = 1; k + 1 < facets; ++k) {
    mesh.triangles.push_back({0, k + 1, k});
    mesh.triangles.push_back({last, last + k, last + k + 1});
  }
  return mesh;
}

}  // namespace trammel::report
