// Quasi-linear visco-elastic element over several coordinates, after Fung [Sol1983, (3.4.3)].
//
//     F(t) = -int_{-inf}^t G(t - s) (dE/de)(e(s)) e'(s) ds
//     e    relevant variables: any coordinates x_i (sensors, joint coordinates)
//     E(e) elastic response, one formula for each coordinate: the load of a sudden strain, N or N m
//     G(t) matrix of reduced relaxation functions, without unit; G(0) = 1 where the response is
//          that of a sudden strain
// With G(t) = G_inf + sum_b G_b exp(-t/tau_b) the integral is the answer of states y_b, one for
// each coordinate and branch,
//     F = -(G_inf E + sum_b G_b (E - y_b)),   y_b' = (E(e) - y_b)/tau_b,
// which begin at the response that was held for a long time before the start (zero: none). Without
// G_inf it is what the branches leave of 1. Instead of branches, the relaxation spectrum c/tau from
// tau_1 to tau_2 may be given, of one function for all coordinates,
//     G(t) = (1 + c (E1(t/tau_2) - E1(t/tau_1)))/(1 + c ln(tau_2/tau_1)),   E1 the exponential
// integral [Fung1993, 7.6]; a Prony series is fitted to it (prony.h), and the largest relative
// error of the fit is the channel "<name>.fit_error".
//
// A quasi-linear law has no energy that the state alone tells. What `energy`, a formula, says that
// is stored is booked as potential energy, and the rest of the work as brought in (or out).
#pragma once

#include "trammel/model/kinds.h"

namespace trammel::model {

/// G(t) of the relaxation spectrum c/tau between tau_1 and tau_2, s.
double relaxation_of_spectrum(double c, double tau_1, double tau_2, double t);

ForceKind fung_element(Space space);

}  // namespace trammel::model
