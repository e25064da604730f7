#include "trammel/report/part_surface.h"

#include <cmath>
#include <numbers>
#include <vector>

namespace trammel::report {
namespace {

using Eigen::Vector2d;
using Eigen::Vector3d;
using math::TriangleMesh;

constexpr double pi = std::numbers::pi;

/// A profile (distance from the z axis, height) turned about z. It runs so that the outside lies to
/// its right: upwards on an outer wall. A point on the axis closes the surface.
TriangleMesh turned(const std::vector<Vector2d>& profile, bool closed, std::size_t facets) {
  TriangleMesh mesh;
  for (const Vector2d& point : profile) {
    for (std::size_t k = 0; k < facets; ++k) {
      const double angle = 2.0 * pi * static_cast<double>(k) / static_cast<double>(facets);
      mesh.points.emplace_back(point[0] * std::cos(angle), point[0] * std::sin(angle), point[1]);
    }
  }
  const std::size_t rings = profile.size();
  for (std::size_t ring = 0; ring + 1 < rings + (closed ? 1 : 0); ++ring) {
    for (std::size_t k = 0; k < facets; ++k) {
      const auto number = [&](std::size_t r, std::size_t i) {
        return static_cast<std::uint32_t>(r % rings * facets + i % facets);
      };
      const std::uint32_t a = number(ring, k);
      const std::uint32_t b = number(ring, k + 1);
      const std::uint32_t c = number(ring + 1, k + 1);
      const std::uint32_t d = number(ring + 1, k);
      mesh.triangles.push_back({a, b, c});
      mesh.triangles.push_back({a, c, d});
    }
  }
  // On the axis all points of a ring are one, and half of the triangles vanish.
  return math::welded(mesh);
}

/// A convex outline in the x-y plane, counter-clockwise, of some thickness along z.
TriangleMesh extruded(const std::vector<Vector2d>& outline, double thickness) {
  TriangleMesh mesh;
  const auto n = static_cast<std::uint32_t>(outline.size());
  for (const double z : {-0.5 * thickness, 0.5 * thickness}) {
    for (const Vector2d& point : outline) mesh.points.emplace_back(point[0], point[1], z);
  }
  for (std::uint32_t k = 0; k < n; ++k) {
    const std::uint32_t next = (k + 1) % n;
    mesh.triangles.push_back({k, next, n + next});
    mesh.triangles.push_back({k, n + next, n + k});
  }
  for (std::uint32_t k = 2; k < n; ++k) {
    mesh.triangles.push_back({0, k, k - 1});
    mesh.triangles.push_back({n, n + k - 1, n + k});
  }
  return mesh;
}

TriangleMesh box(double x, double y, double z) {
  return extruded(
      {{-0.5 * x, -0.5 * y}, {0.5 * x, -0.5 * y}, {0.5 * x, 0.5 * y}, {-0.5 * x, 0.5 * y}}, z);
}

TriangleMesh cylinder(double radius, double length, double inner, std::size_t facets) {
  const double h = 0.5 * length;
  if (inner > 0.0) {
    return turned({{inner, -h}, {radius, -h}, {radius, h}, {inner, h}}, true, facets);
  }
  return turned({{0.0, -h}, {radius, -h}, {radius, h}, {0.0, h}}, false, facets);
}

/// A ball cut in the middle and pulled apart along z by `length`.
TriangleMesh capsule(double radius, double length, std::size_t facets) {
  const std::size_t steps = facets / 4 * 2;  // from pole to pole, with the equator among them
  std::vector<Vector2d> profile;
  for (std::size_t k = 0; k <= steps; ++k) {
    const double angle = pi * (static_cast<double>(k) / static_cast<double>(steps) - 0.5);
    const bool pole = k == 0 || k == steps;
    const Vector2d point(pole ? 0.0 : radius * std::cos(angle), radius * std::sin(angle));
    const Vector2d half(0.0, 0.5 * length);
    if (2 * k <= steps) profile.emplace_back(point - half);
    if (2 * k >= steps && (length > 0.0 || 2 * k > steps)) profile.emplace_back(point + half);
  }
  return turned(profile, false, facets);
}

TriangleMesh bar_surface(const Vector3d& size, std::size_t facets) {
  const double radius = 0.5 * size[1];
  if (size[2] > 0.0) {
    std::vector<Vector2d> outline;
    for (const double side : {1.0, -1.0}) {
      for (std::size_t k = 0; k <= facets / 2; ++k) {
        const double angle =
            side * 0.5 * pi + pi * (2.0 * static_cast<double>(k) / static_cast<double>(facets));
        outline.emplace_back(-side * 0.5 * size[0] + radius * std::cos(angle),
                             radius * std::sin(angle));
      }
    }
    return math::welded(extruded(outline, size[2]));
  }
  TriangleMesh mesh = capsule(radius, size[0], facets);
  // z becomes x.
  for (Vector3d& p : mesh.points) p = Vector3d(p.z(), p.x(), p.y());
  return mesh;
}

TriangleMesh in_part_frame(const Part& part, std::size_t facets) {
  const Vector3d& s = part.size;
  switch (part.kind) {
    case Part::Kind::box:
      return box(s[0], s[1], s[2]);
    case Part::Kind::cylinder:
      return cylinder(s[0], s[1], s[2], facets);
    case Part::Kind::sphere:
      return capsule(s[0], 0.0, facets);
    case Part::Kind::cone:
      return turned({{0.0, 0.0}, {s[0], 0.0}, {0.0, s[1]}}, false, facets);
    case Part::Kind::bar:
      return bar_surface(s, facets);
    case Part::Kind::mesh:
      break;
  }
  return *part.surface;
}

}  // namespace

TriangleMesh part_surface(const Part& part, std::size_t facets) {
  TriangleMesh mesh = in_part_frame(part, std::max<std::size_t>(6, facets));
  for (Vector3d& point : mesh.points) point = part.position + part.rotation * point;
  return mesh;
}

}  // namespace trammel::report
