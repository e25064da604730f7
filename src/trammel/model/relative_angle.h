// The angle of a direction fixed in body b, seen in a plane fixed in body a:
//
//     phi = atan2(s_b . y_a, s_b . x_a)
//
// with its exact first and second derivatives along the manifold. It is the angle of a revolute or
// cylindrical joint (s_b = x axis of frame b) and, with other directions, of a universal joint. In
// the plane it is simply angle_b - angle_a + offset, whole turns counted. In space the turns by
// which bodies and frames were stated tell the whole turns at the start (stated()).
#pragma once

#include "trammel/model/space.h"

namespace trammel::model {

template <class S>
struct RelativeAngle;

template <>
struct RelativeAngle<Planar> {
  int a = 0;
  int b = 0;
  double offset = 0.0;  ///< stated angle of frame b in its body less that of a

  struct Derivatives {
    double value = 0.0;
    double rate = 0.0;
    PairVector<Planar> gradient;
    PairMatrix<Planar> hessian;  ///< column j: derivative of the gradient by freedom j
  };

  double value(const Planar::Kinematics& ka, const Planar::Kinematics& kb) const {
    return kb.angle - ka.angle + offset;
  }
  double rate(const Planar::Kinematics& ka, const Planar::Kinematics& kb) const {
    return kb.w - ka.w;
  }
  PairVector<Planar> gradient(const Planar::Kinematics& /*ka*/,
                              const Planar::Kinematics& /*kb*/) const {
    return (PairVector<Planar>() << 0.0, 0.0, -1.0, 0.0, 0.0, 1.0).finished();
  }
  Derivatives derivatives(const Planar::Kinematics& ka, const Planar::Kinematics& kb) const;
};

template <>
struct RelativeAngle<Spatial> {
  int a = 0;
  int b = 0;
  Eigen::Vector3d x_a;  ///< body axes of a
  Eigen::Vector3d y_a;
  Eigen::Vector3d n_b;                               ///< body axes of b
  Eigen::Vector3d turn_a = Eigen::Vector3d::Zero();  ///< of the frames, see NodeFrame
  Eigen::Vector3d turn_b = Eigen::Vector3d::Zero();

  struct Derivatives {
    double value = 0.0;
    double rate = 0.0;
    PairVector<Spatial> gradient;
    PairMatrix<Spatial> hessian;
  };

  double value(const Spatial::Kinematics& ka, const Spatial::Kinematics& kb) const;
  /// What the turns of both frames and of their bodies add up to about the axis, given those of the
  /// bodies in body axes: the value differs from it by less than half a turn, or by what was stated
  /// about other axes.
  double stated(const Spatial::Kinematics& ka,
                const Spatial::Kinematics& kb,
                const Eigen::Vector3d& body_a,
                const Eigen::Vector3d& body_b) const;
  double rate(const Spatial::Kinematics& ka, const Spatial::Kinematics& kb) const;
  PairVector<Spatial> gradient(const Spatial::Kinematics& ka, const Spatial::Kinematics& kb) const;
  Derivatives derivatives(const Spatial::Kinematics& ka, const Spatial::Kinematics& kb) const;
};

/// The angle between two frames about their common z axis (planar: about z).
RelativeAngle<Planar> angle_about_z(const NodeFrame<Planar>& a, const NodeFrame<Planar>& b);
RelativeAngle<Spatial> angle_about_z(const NodeFrame<Spatial>& a, const NodeFrame<Spatial>& b);

}  // namespace trammel::model
