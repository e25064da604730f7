// The motion of one node seen from another.
//
// Pose of b in the axes of a: d = R_a^T (p_b - p_a), C = R_a^T R_b. With the freedoms of space.h
// for both nodes, x = (a, b), and for b as a node of its own in the axes of a,
//     small motions        x_rel = T(x) dx
//     velocities           v_rel = T v,      v_rel' = T v' + bias
//     in space             T = [-R_a^T  [d]x  R_a^T  0;  0  -C^T  0  1]
//     in the plane         T = [-R_a^T  -perp(d)  R_a^T  0;  0  -1  0  1].
#pragma once

#include "trammel/math/rotation.h"
#include "trammel/model/space.h"

namespace trammel::model {

template <class S>
struct RelativeMotion {
  using Kinematics = typename S::Kinematics;
  using Vector = Eigen::Matrix<double, S::freedoms, 1>;
  using Transform = Eigen::Matrix<double, S::freedoms, pair_freedoms<S>>;

  RelativeMotion(const Kinematics& a, const Kinematics& b);

  Kinematics pose;  ///< with velocities
  Transform T;
  Vector bias;
  Eigen::Matrix<double, S::dimension, S::dimension> R_a;

  /// K += d(T^T w)/dx at constant w.
  void add_stiffness(const Vector& w, double scale, PairMatrix<S>& K) const;
};

template <>
inline RelativeMotion<Planar>::RelativeMotion(const Kinematics& a, const Kinematics& b) : R_a(a.R) {
  pose.p = a.R.transpose() * (b.p - a.p);
  pose.angle = b.angle - a.angle;
  pose.R = a.R.transpose() * b.R;
  T.setZero();
  T.leftCols<2>().topRows<2>() = -a.R.transpose();
  T.col(2).head<2>() = -perpendicular(pose.p);
  T.middleCols<2>(3).topRows<2>() = a.R.transpose();
  T(2, 2) = -1.0;
  T(2, 5) = 1.0;
  const Eigen::Vector2d u = a.R.transpose() * (b.v - a.v);
  pose.v = u - perpendicular(pose.p) * a.w;
  pose.w = b.w - a.w;
  bias << -a.w * perpendicular(u + pose.v), 0.0;
}

template <>
inline RelativeMotion<Spatial>::RelativeMotion(const Kinematics& a, const Kinematics& b)
    : R_a(a.R) {
  pose.p = a.R.transpose() * (b.p - a.p);
  pose.R = a.R.transpose() * b.R;
  T.setZero();
  T.topLeftCorner<3, 3>() = -a.R.transpose();
  T.block<3, 3>(0, 3) = math::skew(pose.p);
  T.block<3, 3>(0, 6) = a.R.transpose();
  T.block<3, 3>(3, 3) = -pose.R.transpose();
  T.block<3, 3>(3, 9).setIdentity();
  const Eigen::Vector3d u = a.R.transpose() * (b.v - a.v);
  pose.v = u + pose.p.cross(a.w);
  pose.w = b.w - pose.R.transpose() * a.w;
  bias << (u + pose.v).cross(a.w), pose.w.cross(pose.R.transpose() * a.w);
}

template <>
inline void RelativeMotion<Planar>::add_stiffness(const Vector& w,
                                                  double scale,
                                                  PairMatrix<Planar>& K) const {
  const Eigen::Vector2d turned = scale * perpendicular(w.head<2>());
  K.col(2).head<2>() -= R_a * turned;
  K.col(2).segment<2>(3) += R_a * turned;
  K.row(2) += turned.transpose() * T.topRows<2>();
}

template <>
inline void RelativeMotion<Spatial>::add_stiffness(const Vector& w,
                                                   double scale,
                                                   PairMatrix<Spatial>& K) const {
  const Eigen::Matrix3d force = scale * math::skew(Eigen::Vector3d(w.head<3>()));
  const Eigen::Matrix3d moment = scale * math::skew(Eigen::Vector3d(w.tail<3>()));
  K.block<3, 3>(0, 3) += R_a * force;
  K.block<3, 3>(6, 3) -= R_a * force;
  K.middleRows<3>(3) += force * T.topRows<3>() + pose.R * moment * T.bottomRows<3>();
}

}  // namespace trammel::model
