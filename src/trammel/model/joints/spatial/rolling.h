// Rolling without slipping on a plane of the first body: a sphere, a thin disc, and a wheel with a
// rounded rim. With the plane's normal z, the axle n and c = z . n, the contact lies at
//
//     rho = -R (z - c n) / sqrt(1 - c^2) - r z
//
// from the centre (disc: r = 0; sphere: R = 0). It touches, d_z = R sqrt(1 - c^2) + r, and the
// material point there rests: (d' + w x rho)_{x,y} = 0, with d' and w relative to the first body,
// in its axes. The velocity across the plane is then zero by the derivative of the first equation.
#pragma once

#include "trammel/model/kinds.h"

namespace trammel::model {

JointKind spatial_rolling_sphere();
JointKind spatial_rolling_disc();
JointKind spatial_rolling_wheel();

}  // namespace trammel::model
