// Bars and beams in a floating frame (FRF): a frame (R, theta) that moves at will, and small
// deformations q_f in it [Huang2014, section 3.5.3, appendix A.1.3, A.2.3, A.3.3].
//
//     r = R + A(theta) p,   p = S (q_f0 + q_f)
//
// The frame is fixed to the start: its origin there, and x along the section. Deformations are
// those of the nodes in the frame: displacements u, v and slopes u', v' of beams ("beam.shape_k";
// of the start u' alone), u of bars, which stay straight. With the integrals of the element
// (beam_shape.h) c = mean of s, N = mass integrals, and X the rows p_i, p'_i, p_j, p'_j,
//
//     M: R R m 1; R theta A_theta S; R f A c; theta theta tr(X^T N X); theta f X^T N turned; f f N
//     Q_v,R = w^2 A S - 2 w A_theta S'     Q_v,theta = -2 w tr(X'^T N X)
//     Q_v,f = w^2 N X + 2 w N X' turned back,     S = X^T c, w = theta'
//
// The strain is linear: deformations must be small against the length, turns of sections against a
// radian, and no stiffening by axial load is seen. Every element of the body stands on the frame
// and on the deformations of its two nodes.
#pragma once

#include "trammel/model/flexible/flexible_kinds.h"

namespace trammel::model {

FlexibleKind floating_frame();

}  // namespace trammel::model
