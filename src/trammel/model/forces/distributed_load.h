// Loads spread over a surface or a volume of a body, by formulas of the place, time and measured
// quantities.
//
//     surface_load   pressure p against the normal, dF = -p n dA, or traction, dF = t dA
//     volume_load    dF = b dV
// n is fixed in the body. Tractions and volume forces have world axes, or the axes of the frame and
// then follow the body. In the plane a surface is a curve and a volume an area, per thickness one.
//
// The integral is a sum over points k of quadrature.h with weights w_k: each point is a force
// w_k p_k along a direction at a point of the body, and so is its tangent; moments, power and
// derivatives of the formulas follow from these. Every point k = 1, 2 ... is a frame of the body,
// in two ways: `..._k` with the axes of the load's frame, and `..._k_n` with its z axis (planar: y)
// along n.
//
// Its laws have no channels of their own; their sum has: see add_formula_quantities().
//
// Local names of the formulas: x, y, z the point in the world; u, v, w the point in the load's
// frame; vx, vy, vz its velocity, vn that along n; nx, ny, nz the normal in world axes. The last
// four for surfaces only.
#pragma once

#include "trammel/model/kinds.h"

namespace trammel::model {

ForceKind surface_load(Space space);
ForceKind volume_load(Space space);

bool has_distributed_loads(const Description& description);
/// Adds the points of all distributed loads to their bodies as frames.
void place_load_points(Description& description);

}  // namespace trammel::model
