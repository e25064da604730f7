// Velocities of frames as twists about the world's origin, in world axes: V = (v_O, w), where v_O
// is the velocity of the frame's point that passes the origin. All frames then speak the same
// language: the twist of a body is the sum of the twists of the hinges on its path.
//
//     cross(X, Y) = (w_X x v_Y + v_X x w_Y, w_X x w_Y)      rate of Y carried along by X
//     W = (F, moment of F about the origin)                 a wrench; power = W . V
//     cross(X, s) . W = X . cross_wrench(s, W)
//
// A node's own velocities (space.h) are v = v_O + w x p and w in body axes.
#pragma once

#include "trammel/math/rotation.h"
#include "trammel/model/space.h"

namespace trammel::model {

template <class S>
using Twist = Eigen::Matrix<double, S::freedoms, 1>;
template <class S>
using TwistMatrix = Eigen::Matrix<double, S::freedoms, S::freedoms>;

inline Twist<Spatial> cross(const Twist<Spatial>& X, const Twist<Spatial>& Y) {
  const Eigen::Vector3d w = X.tail<3>();
  Twist<Spatial> result;
  result << w.cross(Y.head<3>()) + X.head<3>().cross(Y.tail<3>()), w.cross(Y.tail<3>());
  return result;
}

inline Twist<Planar> cross(const Twist<Planar>& X, const Twist<Planar>& Y) {
  Twist<Planar> result;
  result << X[2] * perpendicular(Y.head<2>()) - Y[2] * perpendicular(X.head<2>()), 0.0;
  return result;
}

inline Twist<Spatial> cross_wrench(const Twist<Spatial>& s, const Twist<Spatial>& W) {
  const Eigen::Vector3d w = s.tail<3>();
  Twist<Spatial> result;
  result << w.cross(W.head<3>()), s.head<3>().cross(W.head<3>()) + w.cross(W.tail<3>());
  return result;
}

inline Twist<Planar> cross_wrench(const Twist<Planar>& s, const Twist<Planar>& W) {
  Twist<Planar> result;
  result << s[2] * perpendicular(W.head<2>()), perpendicular(s.head<2>()).dot(W.head<2>());
  return result;
}

/// w x r.
inline Eigen::Vector3d turn_velocity(const Twist<Spatial>& V, const Eigen::Vector3d& r) {
  return V.tail<3>().cross(r);
}
inline Eigen::Vector2d turn_velocity(const Twist<Planar>& V, const Eigen::Vector2d& r) {
  return V[2] * perpendicular(r);
}

/// A turn with rate 1 about the direction n through p; in the plane about z.
inline Twist<Spatial> turning(const Eigen::Vector3d& p, const Eigen::Vector3d& n) {
  Twist<Spatial> s;
  s << p.cross(n), n;
  return s;
}
inline Twist<Planar> turning(const Eigen::Vector2d& p, double n) {
  Twist<Planar> s;
  s << -n * perpendicular(p), n;
  return s;
}

template <class S>
Twist<S> sliding(const typename S::Point& n) {
  Twist<S> s = Twist<S>::Zero();
  s.template head<S::dimension>() = n;
  return s;
}

/// E with (v, w in body axes) = E V, for a node at p with rotation R. Point masses have no
/// rotational rows.
inline TwistMatrix<Spatial> node_map(const Eigen::Vector3d& p,
                                     const Eigen::Matrix3d& R,
                                     bool rotates) {
  TwistMatrix<Spatial> E = TwistMatrix<Spatial>::Identity();
  E.topRightCorner<3, 3>() = -math::skew(p);
  if (rotates) {
    E.bottomRightCorner<3, 3>() = R.transpose();
  } else {
    E.bottomRightCorner<3, 3>().setZero();
  }
  return E;
}
inline TwistMatrix<Planar> node_map(const Eigen::Vector2d& p,
                                    const Eigen::Matrix2d& /*R*/,
                                    bool rotates) {
  TwistMatrix<Planar> E = TwistMatrix<Planar>::Identity();
  E.topRightCorner<2, 1>() = perpendicular(p);
  if (!rotates) E(2, 2) = 0.0;
  return E;
}

}  // namespace trammel::model
