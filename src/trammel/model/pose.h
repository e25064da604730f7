// Places of frames in other frames: a position and a rotation. Planar rotations are angles that
// count whole turns.
#pragma once

#include <cmath>

#include "trammel/model/space.h"

namespace trammel::model {

template <class S>
struct Pose;

template <>
struct Pose<Planar> {
  Eigen::Vector2d p = Eigen::Vector2d::Zero();
  double angle = 0.0;

  Eigen::Matrix2d rotation() const { return Eigen::Rotation2Dd(angle).toRotationMatrix(); }
};

template <>
struct Pose<Spatial> {
  Eigen::Vector3d p = Eigen::Vector3d::Zero();
  Eigen::Quaterniond e = Eigen::Quaterniond::Identity();

  Eigen::Matrix3d rotation() const { return e.toRotationMatrix(); }
};

/// The place in A of a frame whose place in B is `b`, where `a` is the place of B in A.
inline Pose<Planar> operator*(const Pose<Planar>& a, const Pose<Planar>& b) {
  return {a.p + a.rotation() * b.p, a.angle + b.angle};
}
inline Pose<Spatial> operator*(const Pose<Spatial>& a, const Pose<Spatial>& b) {
  return {a.p + a.e * b.p, a.e * b.e};
}

inline Pose<Planar> inverse(const Pose<Planar>& a) {
  return {-(a.rotation().transpose() * a.p), -a.angle};
}
inline Pose<Spatial> inverse(const Pose<Spatial>& a) {
  const Eigen::Quaterniond back = a.e.conjugate();
  return {-(back * a.p), back};
}

/// A frame on a node, in that node.
inline Pose<Planar> pose_of(const NodeFrame<Planar>& frame) {
  return {frame.l, std::atan2(frame.axes(1, 0), frame.axes(0, 0))};
}
inline Pose<Spatial> pose_of(const NodeFrame<Spatial>& frame) {
  return {frame.l, Eigen::Quaterniond(frame.axes).normalized()};
}

/// Where a node stands.
inline Pose<Planar> pose_of(const Planar::Kinematics& node) {
  return {node.p, node.angle};
}
inline Pose<Spatial> pose_of(const Spatial::Kinematics& node) {
  return {node.p, Eigen::Quaterniond(node.R).normalized()};
}

}  // namespace trammel::model
