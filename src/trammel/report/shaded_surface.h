// A surface ready to be lit: points with normals, smooth where it is round and sharp at edges.
#pragma once

#include <cstdint>
#include <vector>

#include <Eigen/Core>

#include "trammel/math/triangle_mesh.h"

namespace trammel::report {

struct ShadedSurface {
  std::vector<Eigen::Vector3f> points;
  std::vector<Eigen::Vector3f> normals;  ///< one per point, of length one
  std::vector<std::uint32_t> corners;    ///< three per triangle
};

/// The normal of a corner is the mean over the triangles round its point that are turned by less
/// than `crease` (rad) against its own, weighted by their areas. Triangles without area are left
/// out. The mesh should be welded.
ShadedSurface shaded(const math::TriangleMesh& mesh, double crease = 0.7);

/// Appends a surface to another one.
void append(ShadedSurface& surface, const ShadedSurface& more);

}  // namespace trammel::report
