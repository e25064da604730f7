#include "trammel/math/triangle_mesh.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>
#include <unordered_map>
#include <utility>

namespace trammel::math {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

struct PointHash {
  std::size_t operator()(const std::array<double, 3>& p) const {
    std::size_t hash = 0;
    for (const double x : p) {
      hash = (hash ^ std::hash<double>()(x)) * 0x9E3779B97F4A7C15ULL;
      hash ^= hash >> 29U;
    }
    return hash;
  }
};

}  // namespace

TriangleMesh welded(const TriangleMesh& mesh) {
  TriangleMesh result;
  result.triangles.reserve(mesh.triangles.size());
  std::unordered_map<std::array<double, 3>, std::uint32_t, PointHash> known;
  const auto number_of = [&](std::uint32_t old) {
    const Vector3d& p = mesh.points[old];
    // -0 and 0 are the same place.
    const auto next = static_cast<std::uint32_t>(result.points.size());
    const auto [place, is_new] = known.try_emplace({p.x() + 0.0, p.y() + 0.0, p.z() + 0.0}, next);
    if (is_new) result.points.push_back(p);
    return place->second;
  };
  for (const auto& [a, b, c] : mesh.triangles) {
    if (mesh.points[a] == mesh.points[b] || mesh.points[b] == mesh.points[c] ||
        mesh.points[c] == mesh.points[a]) {
      continue;
    }
    const std::uint32_t i = number_of(a);
    const std::uint32_t j = number_of(b);
    result.triangles.push_back({i, j, number_of(c)});
  }
  return result;
}

TriangleMesh scaled(const TriangleMesh& mesh, const Vector3d& factors) {
  TriangleMesh result = mesh;
  for (Vector3d& point : result.points) point = factors.cwiseProduct(point);
  if (factors.prod() < 0.0) {
    for (auto& triangle : result.triangles) std::swap(triangle[1], triangle[2]);
  }
  return result;
}

std::size_t open_edges(const TriangleMesh& mesh) {
  // Directed edges, counted positive from the smaller to the larger number.
  struct Uses {
    int forward = 0;
    int backward = 0;
  };
  std::unordered_map<std::uint64_t, Uses> edges;
  edges.reserve(2 * mesh.triangles.size());
  for (const auto& triangle : mesh.triangles) {
    for (std::size_t k = 0; k < 3; ++k) {
      const std::uint64_t from = triangle[k];
      const std::uint64_t to = triangle[(k + 1) % 3];
      Uses& uses = edges[(std::min(from, to) << 32U) | std::max(from, to)];
      ++(from < to ? uses.forward : uses.backward);
    }
  }
  return static_cast<std::size_t>(std::count_if(edges.begin(), edges.end(), [](const auto& edge) {
    return edge.second.forward != 1 || edge.second.backward != 1;
  }));
}

SolidProperties solid_properties(const TriangleMesh& mesh) {
  if (mesh.triangles.empty()) return {};
  // Near the body, so that a place far from the origin costs no digits.
  const Vector3d origin = mesh.points[mesh.triangles[0][0]];
  double volume = 0.0;
  Vector3d first = Vector3d::Zero();
  Matrix3d second = Matrix3d::Zero();
  for (const auto& triangle : mesh.triangles) {
    const Vector3d a = mesh.points[triangle[0]] - origin;
    const Vector3d b = mesh.points[triangle[1]] - origin;
    const Vector3d c = mesh.points[triangle[2]] - origin;
    const double det = a.dot(b.cross(c));
    const Vector3d sum = a + b + c;
    volume += det / 6.0;
    first += det / 24.0 * sum;
    second += det / 120.0 *
              (a * a.transpose() + b * b.transpose() + c * c.transpose() + sum * sum.transpose());
  }
  if (volume == 0.0) return {};
  const Vector3d center = first / volume;
  const Matrix3d about_center = second / volume - center * center.transpose();
  return {std::abs(volume), origin + center,
          about_center.trace() * Matrix3d::Identity() - about_center};
}

double reach(const TriangleMesh& mesh) {
  double farthest = 0.0;
  for (const Vector3d& point : mesh.points) farthest = std::max(farthest, point.norm());
  return farthest;
}

}  // namespace trammel::math
