// Frames at points of beams in space, between two nodes, as reissner_beam.h has them: the origin on
// the straight line between the nodes, the axes turned by a share of the way,
//
//     p = (1 - xi) r_1 + xi r_2        R = R_1 exp(xi theta),   theta = log(R_1^T R_2)
//
// With T the tangent operator of rotations (math/rotation.h) and S its inverse,
//
//     theta' = S(theta) w_2 - S(theta)^T w_1      w = exp(-xi theta) w_1 + xi T(xi theta) theta'
//
// w_1, w_2 and w in the axes of the sections there. Derivatives of this map along displacements x
// and y are those of its matrices by s and t, for nodes moved by t y and then by s x.
#pragma once

#include <memory>

#include "trammel/model/frames/carried_frame.h"

namespace trammel::model {

/// `first` and `second`: axes of the sections at the ends, in those of their nodes.
std::shared_ptr<const CarriedFrame<Spatial>> section_frame(double xi,
                                                           const Eigen::Matrix3d& first,
                                                           const Eigen::Matrix3d& second);

}  // namespace trammel::model
