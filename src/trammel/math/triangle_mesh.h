// A surface made of triangles, and the mass properties of what it encloses.
//
// The corners of a triangle run counter-clockwise, seen from outside. For a closed surface the
// integrals over the volume become sums over tetrahedra from the origin to each triangle (a, b, c),
// which is the divergence theorem for a polyhedron:
//
//   V           = sum det(a, b, c)/6                                                      m^3
//   V c         = sum det(a, b, c)/24 (a + b + c)                                         m^4
//   int p p^T dV = sum det(a, b, c)/120 (a a^T + b b^T + c c^T + (a+b+c)(a+b+c)^T)        m^5
//
// [Mirtich1996]. Tetrahedra outside of the body count negative and cancel.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <Eigen/Core>

namespace trammel::math {

struct TriangleMesh {
  std::vector<Eigen::Vector3d> points;                  ///< m
  std::vector<std::array<std::uint32_t, 3>> triangles;  ///< indices into `points`
};

/// The same surface with points of equal coordinates made one, without triangles that have two
/// equal corners and without points that no triangle uses.
TriangleMesh welded(const TriangleMesh& mesh);

/// Every coordinate times the factor of its axis. Triangles are turned round when the factors
/// mirror, so that the outside stays outside.
TriangleMesh scaled(const TriangleMesh& mesh, const Eigen::Vector3d& factors);

/// Edges that do not have exactly one triangle on either side, in opposite directions. None: the
/// surface is closed and all its triangles agree on what is outside. The mesh must be welded.
std::size_t open_edges(const TriangleMesh& mesh);

/// Of the homogeneous body inside a closed surface.
struct SolidProperties {
  double volume = 0.0;                               ///< m^3, positive also when all faces inward
  Eigen::Vector3d center = Eigen::Vector3d::Zero();  ///< m
  Eigen::Matrix3d inertia_per_mass = Eigen::Matrix3d::Zero();  ///< about the centre, m^2
};
SolidProperties solid_properties(const TriangleMesh& mesh);

/// Radius of the ball about the origin that contains all points, m.
double reach(const TriangleMesh& mesh);

}  // namespace trammel::math
