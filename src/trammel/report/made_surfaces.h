// Surfaces of parts that are made up: plates and bent rods.
#pragma once

#include <vector>

#include "trammel/report/scene.h"

namespace trammel::report {

/// A surface as a part.
Part mesh_part(math::TriangleMesh mesh,
               const Eigen::Vector3d& position,
               const Eigen::Quaterniond& rotation);

/// The plate between z = -thickness/2 and thickness/2 with this rim, which every ray from the
/// origin meets once, counterclockwise. Its surface is closed.
math::TriangleMesh plate_mesh(const std::vector<Eigen::Vector3d>& rim, double thickness);

/// A rod of this radius along a line of points, with flat ends. Its surface is closed.
math::TriangleMesh rod_mesh(const std::vector<Eigen::Vector3d>& line, double radius);

}  // namespace trammel::report
