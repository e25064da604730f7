// Visco-elastic springs: a relaxation function k(t) makes the load a memory of the strain e = x -
// x0.
//
//     F = -int_0^t k(t - s) e'(s) ds - k(t) e(0),   k(t) = k_inf + sum_i k_i exp(-t/tau_i)
//                                                                    [Sol1983, (3.4.3), hereditary]
// For such a Prony series the integral is the answer of a spring k_inf beside Maxwell elements
// (spring k_i and damper k_i tau_i in series), one first-order state each:
//     form: strains   F = -(k_inf e + sum k_i (e - y_i)),   y_i' = (e - y_i)/tau_i
//     form: loads     F = -(k_inf e + sum f_i),   f_i' = k_i e' - f_i/tau_i    [Sol1983, (3.4.4)]
// Both describe the same material and start relaxed (y_i = e, f_i = 0) or fresh (y_i = 0: e was put
// on at the start). One branch is the standard linear solid, one branch with k_inf = 0 a Maxwell
// element. Stored: k_inf e^2/2 + sum k_i (e - y_i)^2/2; lost: sum k_i (e - y_i)^2/tau_i. Instead of
// k and tau, points of the relaxation function may be given; a Prony series is fitted to them
// (prony.h), and the fit's largest relative error is the channel "<name>.fit_error".
//     viscoelastic_spring       between two frames; x is their distance, "<name>.length"
//     coordinate_viscoelastic   along a coordinate
#pragma once

#include "trammel/model/kinds.h"

namespace trammel::model {

ForceKind viscoelastic_spring(Space space);
ForceKind coordinate_viscoelastic(Space space);

}  // namespace trammel::model
