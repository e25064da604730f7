// Beams in the inertial frame (IRF): nodes have a position and the angle phi of the section;
// strains are measured against the chord [Huang2014, appendix A.2.1, A.3.1].
//
//     Delta = r_j - r_i, d = |Delta|, alpha its angle     eps_l = (d - L)/L
//     eps_i = phi_i - alpha                               eps_j = phi_j - alpha
//     U = E A L eps_l^2/2 + E I/(2 L (1 + p)) [(4 + p) eps_i^2 + 2 (2 - p) eps_i eps_j
//                                              + (4 + p) eps_j^2]
//
// with the shear parameter p (beam_shape.h), zero for Euler-Bernoulli. Bends of half a turn within
// an element are too much for it: alpha is taken within half a turn of (phi_i + phi_j)/2.
//
// Inertia: `consistent` is that of the centre line s1 r_i + s2 t_i + s3 r_j + s4 t_j, with
// t = (cos phi, sin phi): it depends on the angles, and has terms of the velocities. `constant`
// leaves out what couples positions with angles, as the source does: a single element that turns
// about its end then has 79/210 m L^2 in place of m L^2/3, and its weight turns the nodes by
// constant couples; both errors vanish with more elements.
#pragma once

#include "trammel/model/flexible/flexible_kinds.h"

namespace trammel::model {

FlexibleKind inertial_frame();

}  // namespace trammel::model
