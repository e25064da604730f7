// Gravity that depends on the place: on every body, or on chosen ones.
//
//     gravity_field    acceleration (gx, gy, gz) by formulas of x, y, z and time
//     central_gravity  -mu (r - c) / |r - c|^3: the pull of a point mass at c, mu = G M
// r = (x, y, z) is the centre of mass of each body, where the force m g acts. The field is taken as
// uniform over a body: no gravity-gradient torque. Potential: that of central gravity is
// -mu m / |r - c|; for formulas it can be given (per mass), or the work counts as that of a load.
#pragma once

#include "trammel/model/kinds.h"

namespace trammel::model {

ForceKind gravity_field(Space space);
ForceKind central_gravity(Space space);

}  // namespace trammel::model
