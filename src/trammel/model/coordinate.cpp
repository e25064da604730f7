#include "trammel/model/coordinate.h"

#include <algorithm>
#include <cmath>

#include "trammel/model/joints/primitives/planar.h"
#include "trammel/model/joints/primitives/spatial.h"

namespace trammel::model {

template <class S>
double DisplacementCoordinate<S>::value(const Kinematics& a, const Kinematics& b) const {
  return (a.R * n_).dot(points_.distance(a, b));
}

template <>
double DisplacementCoordinate<Spatial>::rate(const Kinematics& a, const Kinematics& b) const {
  return (a.R * n_).dot(points_.rate(a, b)) + (a.R * a.w.cross(n_)).dot(points_.distance(a, b));
}

template <>
double DisplacementCoordinate<Planar>::rate(const Kinematics& a, const Kinematics& b) const {
  const Eigen::Vector2d s = a.R * n_;
  return s.dot(points_.rate(a, b)) + a.w * perpendicular(s).dot(points_.distance(a, b));
}

namespace {

// s_a . (p_b - p_a) as the primitive that would hold it at zero.
PlanarPointOnLine primitive(const PointPair<Planar>& points, const Eigen::Vector2d& n) {
  return {points.a, n, points.b};
}
SpatialPointInPlane primitive(const PointPair<Spatial>& points, const Eigen::Vector3d& n) {
  return {points.a, n, points.b};
}

}  // namespace

template <class S>
void DisplacementCoordinate<S>::jacobian(const Kinematics& a,
                                         const Kinematics& b,
                                         PairVector<S>& J) const {
  typename Constraint<S>::Rows g;
  typename Constraint<S>::Jacobian G = Constraint<S>::Jacobian::Zero();
  primitive(points_, n_).linearise(a, b, 0.0, g, G);
  J = G.row(0).transpose();
}

template <class S>
void DisplacementCoordinate<S>::derivative(const Kinematics& a,
                                           const Kinematics& b,
                                           PairMatrix<S>& H) const {
  const double one = 1.0;
  H.setZero();
  primitive(points_, n_).add_stiffness(a, b, 0.0, &one, 1.0, H);
}

template class DisplacementCoordinate<Planar>;
template class DisplacementCoordinate<Spatial>;

template <class S>
double DistanceCoordinate<S>::rate(const Kinematics& a, const Kinematics& b) const {
  const typename S::Point d = points_.distance(a, b);
  return d.dot(points_.rate(a, b)) / d.norm();
}

template <class S>
void DistanceCoordinate<S>::jacobian(const Kinematics& a,
                                     const Kinematics& b,
                                     PairVector<S>& J) const {
  J = points_.load(a, b, points_.distance(a, b).normalized());
}

template <class S>
void DistanceCoordinate<S>::derivative(const Kinematics& a,
                                       const Kinematics& b,
                                       PairMatrix<S>& H) const {
  using Matrix = Eigen::Matrix<double, S::dimension, S::dimension>;
  const typename S::Point d = points_.distance(a, b);
  const double length = d.norm();
  const typename S::Point u = d / length;
  const auto B = points_.B(a, b);
  const Matrix across = (Matrix::Identity() - u * u.transpose()) / length;  // du/dd
  H.noalias() = B.transpose() * across * B;
  H += points_.geometric(a, b, u);
}

template class DistanceCoordinate<Planar>;
template class DistanceCoordinate<Spatial>;

template <class S>
void ReversedCoordinate<S>::jacobian(const Kinematics& a,
                                     const Kinematics& b,
                                     PairVector<S>& J) const {
  PairVector<S> other;
  coordinate_->jacobian(b, a, other);
  J << other.template tail<S::freedoms>(), other.template head<S::freedoms>();
}

template <class S>
void ReversedCoordinate<S>::derivative(const Kinematics& a,
                                       const Kinematics& b,
                                       PairMatrix<S>& H) const {
  constexpr int f = S::freedoms;
  PairMatrix<S> other;
  coordinate_->derivative(b, a, other);
  H << other.template bottomRightCorner<f, f>(), other.template bottomLeftCorner<f, f>(),
      other.template topRightCorner<f, f>(), other.template topLeftCorner<f, f>();
}

template class ReversedCoordinate<Planar>;
template class ReversedCoordinate<Spatial>;

double RotationDirection::rate(const Kinematics& a, const Kinematics& b) const {
  return n_.dot(a.R.transpose() * (b.R * b.w) - a.w);
}

void RotationDirection::jacobian(const Kinematics& a,
                                 const Kinematics& b,
                                 PairVector<Spatial>& J) const {
  J.setZero();
  J.segment<3>(3) = -n_;
  J.segment<3>(9) = b.R.transpose() * (a.R * n_);
}

// m = R_b^T R_a n: dm = -R_b^T R_a skew(n) dx_a + skew(m) dx_b.
void RotationDirection::derivative(const Kinematics& a,
                                   const Kinematics& b,
                                   PairMatrix<Spatial>& H) const {
  const Eigen::Matrix3d R = b.R.transpose() * a.R;
  H.setZero();
  H.block<3, 3>(9, 3) = -R * math::skew(n_);
  H.block<3, 3>(9, 9) = math::skew(R * n_);
}

}  // namespace trammel::model
