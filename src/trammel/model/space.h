// The two spaces a rigid mechanism can live in, as compile-time traits.
//
// A node is a body, a point mass or the ground, placed at its centre of mass, so that its mass
// matrix is constant. Its freedoms are, in this order:
//     planar   (x, y, angle)                  velocity (x', y', w)
//     spatial  (x, y, z, rotation vector)     velocity (x', y', z' in world axes, w in body axes)
// A point mass has only the translations, the ground nothing.
#pragma once

#include <array>
#include <cmath>
#include <numbers>

#include <Eigen/Core>
#include <Eigen/Geometry>

#include "trammel/model/field.h"

namespace trammel::model {

struct Planar {
  static constexpr Space space = Space::planar;
  static constexpr int dimension = 2;  ///< of space
  static constexpr int rotations = 1;
  static constexpr int freedoms = 3;     ///< velocities of a rigid body
  static constexpr int coordinates = 3;  ///< of a rigid body
  using Point = Eigen::Vector2d;

  struct Kinematics {
    Eigen::Vector2d p = Eigen::Vector2d::Zero();      ///< centre of mass, world
    Eigen::Matrix2d R = Eigen::Matrix2d::Identity();  ///< body to world
    double angle = 0.0;
    Eigen::Vector2d v = Eigen::Vector2d::Zero();
    double w = 0.0;
  };
};

struct Spatial {
  static constexpr Space space = Space::spatial;
  static constexpr int dimension = 3;
  static constexpr int rotations = 3;
  static constexpr int freedoms = 6;
  static constexpr int coordinates = 7;
  using Point = Eigen::Vector3d;

  struct Kinematics {
    Eigen::Vector3d p = Eigen::Vector3d::Zero();
    Eigen::Matrix3d R = Eigen::Matrix3d::Identity();
    Eigen::Vector3d v = Eigen::Vector3d::Zero();
    Eigen::Vector3d w = Eigen::Vector3d::Zero();  ///< body axes
  };
};

/// Two nodes' freedoms one after the other: the local unknowns of a joint or force.
template <class S>
constexpr int pair_freedoms = 2 * S::freedoms;

template <class S>
using PairVector = Eigen::Matrix<double, pair_freedoms<S>, 1>;
template <class S>
using PairMatrix = Eigen::Matrix<double, pair_freedoms<S>, pair_freedoms<S>>;

/// A turn as it was stated, whole turns counted: the angle in the plane, in space a rotation
/// vector.
template <class S>
using Turn = Eigen::Matrix<double, S::rotations, 1>;

/// A frame as elements see it: on node number `node`, its origin relative to the node's centre of
/// mass and its axes, both in body components. Planar frames use the x-y part and turn about z.
template <class S>
struct NodeFrame {
  int node = 0;
  typename S::Point l = S::Point::Zero();
  Eigen::Matrix<double, S::dimension, S::dimension> axes =
      Eigen::Matrix<double, S::dimension, S::dimension>::Identity();
  /// The turn by which the axes were stated, body components, rad: it tells whole turns, which they
  /// cannot. Turning the axes towards an axis of a joint leaves it as it is.
  Turn<S> turn = Turn<S>::Zero();
};

inline void set_twist(const Eigen::Vector3d& twist, Planar::Kinematics& k) {
  k.v = twist.head<2>();
  k.w = twist[2];
}
inline void set_twist(const Eigen::Matrix<double, 6, 1>& twist, Spatial::Kinematics& k) {
  k.v = twist.head<3>();
  k.w = twist.tail<3>();
}

/// The angle moved by whole turns to where it is nearest to another.
inline double nearest_turn(double angle, double other) {
  constexpr double turn = 2.0 * std::numbers::pi;
  return angle + turn * std::round((other - angle) / turn);
}

/// a turned by +90 degrees: the derivative of a rotated vector by the angle.
inline Eigen::Vector2d perpendicular(const Eigen::Vector2d& a) {
  return {-a.y(), a.x()};
}

}  // namespace trammel::model
