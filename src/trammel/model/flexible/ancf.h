// Beams in simplified absolute nodal coordinates (ANCF-S): nodes have a position r and a slope
// vector r' = dr/dx [Huang2014, appendix A.2.2, A.3.2].
//
//     r(xi) = s1 r_i + s2 r'_i + s3 r_j + s4 r'_j           eps = (r'.r' - 1)/2
//     U = E A L/2 times the integral of eps^2 over xi + q^T K_t q/2
//
// Mass and the bending stiffness K_t (beam_shape.h) are constant; the axial part is integrated in
// closed form. "Simplified": the energy of bending is that of r'' in place of the
// curvature, which holds as long as the centre line stretches little.
//
// A node is a set of four amplitudes "beam.coordinates_k": x, y, x', y'; the bodies that others
// attach to are carried by it and stand along its slope. A bar has points for nodes (bar.h).
#pragma once

#include "trammel/model/flexible/flexible_kinds.h"

namespace trammel::model {

FlexibleKind ancf();

}  // namespace trammel::model
