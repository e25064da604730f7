// Hydraulic cylinder with a four-way valve, along a coordinate x (a length or a displacement).
//
//     F = A_a p_a - A_b p_b,   positive: the cylinder pushes x up
//     p_a' = K/V_a (Q_a - A_a x' - c_l (p_a - p_b)),   V_a = V_a0 + A_a (x - x0)
//     p_b' = K/V_b (Q_b + A_b x' + c_l (p_a - p_b)),   V_b = V_b0 - A_b (x - x0)
//     Q_a = k (u+ phi(p_s - p_a) - u- phi(p_a - p_t)),   u+ = max(u, 0),  u- = max(-u, 0)
//     Q_b = k (u- phi(p_s - p_b) - u+ phi(p_b - p_t)),   phi(d) = d / (d^2 + d0^2)^(1/4)
// p_a, p_b in Pa are first-order states "<name>.pressure_a" and "_b"; K is the bulk modulus of the
// oil, c_l the leak, k the flow of the open valve per root of pressure. u is the opening, -1 .. 1:
// for u > 0 chamber a is fed from the supply p_s and b drained to the tank p_t. phi is sign(d)
// sqrt|d| with its infinite slope at d = 0 taken away within |d| < d0. Volumes are kept above a
// hundredth of those at x0, where a real piston would have met its end. The work F x' is booked as
// that of a load: with a constant K the oil has no exact energy.
#pragma once

#include "trammel/model/kinds.h"

namespace trammel::model {

ForceKind hydraulic_cylinder(Space space);

}  // namespace trammel::model
