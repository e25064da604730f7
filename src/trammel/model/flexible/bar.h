// Elastic bars between points that stretch and do not bend, in inertial coordinates.
//
// With d the distance of the ends, n the unit vector between them and L the length without load, a
// bar pulls with T(d) n, the slope of its energy:
//
//     inertial   U = E A (d - L)^2/(2 L)                T = E A (d - L)/L              [A.1.1]
//     ancf       U = E A (d - L)^2 (2 d + L)/(6 L^2)    T = E A (d - L)/L * d/L        [A.1.2]
//     green      U = E A L eps^2/2, eps = (d^2 - L^2)/(2 L^2)     T = E A eps d/L
//
//     K = T' n n^T + T/d (1 - n n^T),     M = m [1/3, 1/6; 1/6, 1/3],     weight m g/2 on each end
//
// [Huang2014, appendix A.1]. Several bars of one body are a chain with a hinge at every node. The
// nodes are points; "beam.bar_1" ... are frames at the middles of the bars.
#pragma once

#include "trammel/model/description.h"
#include "trammel/model/flexible/beam_shape.h"

namespace trammel::model {

enum class BarLaw { inertial, ancf, green };

/// Points at all nodes, bars between them, and the frames of the body.
void add_bars(const FlexibleBody& body, BarLaw law, Description& description);
/// Kelvin and Voigt's damping of bar k.
std::shared_ptr<const BlockElement<Planar>> bar_damping(const FlexibleBody& body,
                                                        BarLaw law,
                                                        int k);

}  // namespace trammel::model
