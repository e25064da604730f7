// The surface of a part as triangles, for programs that know no cylinders and bars.
#pragma once

#include "trammel/math/triangle_mesh.h"
#include "trammel/report/scene.h"

namespace trammel::report {

/// A closed surface in the body frame. Round parts get `facets` (at least 6) round their
/// circumference, with corners on the true surface.
math::TriangleMesh part_surface(const Part& part, std::size_t facets = 32);

}  // namespace trammel::report
