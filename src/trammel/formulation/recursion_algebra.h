// What differs between plane and space in the recursions: rotations, spins (one number or three),
// inertias, and their shifts.
#pragma once

#include <cmath>

#include "trammel/formulation/twist.h"
#include "trammel/math/rotation.h"
#include "trammel/model/mechanism.h"

namespace trammel::formulation::recursion {

inline Eigen::Matrix2d turned(const Eigen::Matrix2d& R, double angle) {
  const double c = std::cos(angle);
  const double s = std::sin(angle);
  Eigen::Matrix2d result;
  result.col(0) = c * R.col(0) + s * R.col(1);
  result.col(1) = c * R.col(1) - s * R.col(0);
  return result;
}
inline Eigen::Matrix3d turned(const Eigen::Matrix3d& R, double angle) {
  const double c = std::cos(angle);
  const double s = std::sin(angle);
  Eigen::Matrix3d result;
  result.col(0) = c * R.col(0) + s * R.col(1);
  result.col(1) = c * R.col(1) - s * R.col(0);
  result.col(2) = R.col(2);
  return result;
}

inline Eigen::Vector2d slide_axis(const Eigen::Matrix2d& R) {
  return R.col(0);
}
inline Eigen::Vector3d slide_axis(const Eigen::Matrix3d& R) {
  return R.col(2);
}
inline Eigen::Matrix<double, 1, 1> turn_axis(const Eigen::Matrix2d& /*R*/) {
  return Eigen::Matrix<double, 1, 1>(1.0);
}
inline Eigen::Vector3d turn_axis(const Eigen::Matrix3d& R) {
  return R.col(2);
}

using Spin1 = Eigen::Matrix<double, 1, 1>;

inline Eigen::Vector2d cross_spin(const Spin1& w, const Eigen::Vector2d& r) {
  return w[0] * model::perpendicular(r);
}
inline Eigen::Vector3d cross_spin(const Eigen::Vector3d& w, const Eigen::Vector3d& r) {
  return w.cross(r);
}
inline Spin1 cross_spins(const Spin1& /*a*/, const Spin1& /*b*/) {
  return Spin1(0.0);
}
inline Eigen::Vector3d cross_spins(const Eigen::Vector3d& a, const Eigen::Vector3d& b) {
  return a.cross(b);
}
inline Spin1 moment(const Eigen::Vector2d& r, const Eigen::Vector2d& F) {
  return Spin1(r.x() * F.y() - r.y() * F.x());
}
inline Eigen::Vector3d moment(const Eigen::Vector3d& r, const Eigen::Vector3d& F) {
  return r.cross(F);
}

inline Spin1 rotated(const Eigen::Matrix2d& /*R*/, const Spin1& J) {
  return J;
}
inline Eigen::Matrix3d rotated(const Eigen::Matrix3d& R, const Eigen::Matrix3d& J) {
  return R * J * R.transpose();
}
inline Spin1 turned_back(const Eigen::Matrix2d& /*R*/, const Spin1& w) {
  return w;
}
inline Eigen::Vector3d turned_back(const Eigen::Matrix3d& R, const Eigen::Vector3d& w) {
  return R * w;
}

// m (|r|^2 - r r^T): a point mass about the reference point.
inline Spin1 point_inertia(double m, const Eigen::Vector2d& r) {
  return Spin1(m * r.squaredNorm());
}
inline Eigen::Matrix3d point_inertia(double m, const Eigen::Vector3d& r) {
  Eigen::Matrix3d J = -m * r * r.transpose();
  J.diagonal().array() += m * r.squaredNorm();
  return J;
}

// -m skew(r): how an angular acceleration moves the centre.
inline Eigen::Vector2d coupling(double m, const Eigen::Vector2d& r) {
  return m * model::perpendicular(r);
}
inline Eigen::Matrix3d coupling(double m, const Eigen::Vector3d& r) {
  return math::skew(-m * r);
}

// X^T I X and X^T p for the shift by d.
inline void shift(const Eigen::Vector3d& d, TwistMatrix<Spatial>& I) {
  const Eigen::Matrix3d D = math::skew(d);
  const Eigen::Matrix3d B = I.topRightCorner<3, 3>();
  const Eigen::Matrix3d moved = B - I.topLeftCorner<3, 3>() * D;
  I.bottomRightCorner<3, 3>() += D * moved - B.transpose() * D;
  I.topRightCorner<3, 3>() = moved;
  I.bottomLeftCorner<3, 3>() = moved.transpose();
}
inline void shift(const Eigen::Vector2d& d, TwistMatrix<Planar>& I) {
  const Eigen::Vector2d x = model::perpendicular(d);  // the column of X
  const Eigen::Vector2d B = I.topRightCorner<2, 1>();
  const Eigen::Vector2d moved = B + I.topLeftCorner<2, 2>() * x;
  I(2, 2) += x.dot(moved) + x.dot(B);
  I.topRightCorner<2, 1>() = moved;
  I.bottomLeftCorner<1, 2>() = moved.transpose();
}

template <class S>
void shift_load(const typename S::Point& d, Twist<S>& p) {
  p.template tail<S::rotations>() += moment(d, typename S::Point(p.template head<S::dimension>()));
}

template <class S>
Twist<S> shifted(const Twist<S>& a, const typename S::Point& d) {
  Twist<S> result = a;
  result.template head<S::dimension>() +=
      cross_spin(Eigen::Matrix<double, S::rotations, 1>(a.template tail<S::rotations>()), d);
  return result;
}

inline Spin1 inertia_of(const model::Node<Planar>& node) {
  return Spin1(node.freedoms == Planar::freedoms ? node.inertia : 0.0);
}
inline Eigen::Matrix3d inertia_of(const model::Node<Spatial>& node) {
  return node.freedoms == Spatial::freedoms ? node.inertia : Eigen::Matrix3d::Zero();
}

}  // namespace trammel::formulation::recursion
