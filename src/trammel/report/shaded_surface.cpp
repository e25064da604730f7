#include "trammel/report/shaded_surface.h"

#include <cmath>

namespace trammel::report {
namespace {

using Eigen::Vector3d;

/// Normals of the triangles with their areas as lengths, and the triangles round each point.
struct Facets {
  explicit Facets(const math::TriangleMesh& mesh) : round(mesh.points.size()) {
    for (std::size_t i = 0; i < mesh.triangles.size(); ++i) {
      const auto& [a, b, c] = mesh.triangles[i];
      normals.emplace_back(
          0.5 * (mesh.points[b] - mesh.points[a]).cross(mesh.points[c] - mesh.points[a]));
      for (const std::uint32_t point : mesh.triangles[i]) round[point].push_back(i);
    }
  }
  std::vector<Vector3d> normals;
  std::vector<std::vector<std::size_t>> round;
};

}  // namespace

ShadedSurface shaded(const math::TriangleMesh& mesh, double crease) {
  const Facets facets(mesh);
  const double least_cosine = std::cos(crease);
  ShadedSurface result;
  // The corners that were made at each point: few, so that a search is quick.
  std::vector<std::vector<std::uint32_t>> made(mesh.points.size());
  const auto corner = [&](std::uint32_t point, const Vector3d& own) {
    Vector3d sum = Vector3d::Zero();
    for (const std::size_t other : facets.round[point]) {
      const Vector3d& normal = facets.normals[other];
      if (normal.dot(own) >= least_cosine * normal.norm()) sum += normal;
    }
    const Eigen::Vector3f normal = sum.normalized().cast<float>();
    for (const std::uint32_t known : made[point]) {
      if ((result.normals[known] - normal).squaredNorm() < 1e-6F) return known;
    }
    const auto number = static_cast<std::uint32_t>(result.points.size());
    result.points.emplace_back(mesh.points[point].cast<float>());
    result.normals.push_back(normal);
    made[point].push_back(number);
    return number;
  };
  for (std::size_t i = 0; i < mesh.triangles.size(); ++i) {
    const double area = facets.normals[i].norm();
    if (!(area > 0.0)) continue;
    const Vector3d own = facets.normals[i] / area;
    for (const std::uint32_t point : mesh.triangles[i])
      result.corners.push_back(corner(point, own));
  }
  return result;
}

void append(ShadedSurface& surface, const ShadedSurface& more) {
  const auto first = static_cast<std::uint32_t>(surface.points.size());
  surface.points.insert(surface.points.end(), more.points.begin(), more.points.end());
  surface.normals.insert(surface.normals.end(), more.normals.begin(), more.normals.end());
  for (const std::uint32_t corner : more.corners) surface.corners.push_back(first + corner);
}

}  // namespace trammel::report
