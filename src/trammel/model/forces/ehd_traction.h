// Traction of an elasto-hydrodynamic oil film between a cam and its roller.
//
//     u_s = slip of the roller past the cam,   u_m = mean speed of both surfaces past the contact
//         = u_s/2 + R_r (angle' - alpha')      alpha: angle of the normal in the cam
//     1/R = 1/R_r + curvature of the cam,      E' = E/(1 - nu^2),      w = N/L
//     Hertz    p_H = sqrt(w E'/(2 pi R)),      p_m = pi p_H/4
//     film     h = 2.65 R (eta u_m/(E' R))^0.7 (alpha_p E')^0.54 (w/(E' R))^-0.13
//     traction F = N tau_0/p_m asinh(eta exp(alpha_p p_m) u_s/(h tau_0))      against the slip
//
// N is the normal load of the joint, so that F depends on the multipliers: see
// system::ConstraintDependentForces. The film is that of Dowson and Higginson, the traction that of
// an Eyring fluid at the mean Hertz pressure; both stand for the law of Houpert that [Sol1983, 9.3]
// cites. Valid for fully flooded line contacts; u_m is taken not below 1e-6 m/s.
#pragma once

#include "trammel/model/kinds.h"

namespace trammel::model {

ForceKind ehd_traction();

}  // namespace trammel::model
