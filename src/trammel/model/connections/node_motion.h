// Small motions of single nodes, as the freedoms of space.h count them.
#pragma once

#include "trammel/math/rotation.h"
#include "trammel/model/space.h"

namespace trammel::model {

/// `to` becomes `from` moved by x: translations in world axes, the turn in those of the node.
inline void move_node(const double* x, const Planar::Kinematics& from, Planar::Kinematics& to) {
  to.p = from.p + Eigen::Vector2d(x[0], x[1]);
  to.angle = from.angle + x[2];
  to.R = Eigen::Rotation2Dd(to.angle).toRotationMatrix();
}

inline void move_node(const double* x, const Spatial::Kinematics& from, Spatial::Kinematics& to) {
  to.p = from.p + Eigen::Vector3d(x[0], x[1], x[2]);
  to.R = from.R * math::exponential(Eigen::Vector3d(x[3], x[4], x[5])).toRotationMatrix();
}

}  // namespace trammel::model
