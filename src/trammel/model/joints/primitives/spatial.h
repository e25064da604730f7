// Constraint primitives between two spatial nodes a and b.
//
// With p = r + R l the attachment point and s = R n a body-fixed direction,
//     dp = dr - R skew(l) dx,      ds = -R skew(n) dx,
// where dx is the rotation vector in body axes. Biases (accelerations at v' = 0):
//     beta(l) = R (w x (w x l)).
// The rows are those of [Chiou1990, ch. 4]; the tangents of G^T lambda follow by differentiation.
#pragma once

#include "trammel/model/constraint.h"

namespace trammel::model {

/// Two points coincide: g = p_b - p_a (3 rows) [Chiou1990, eq. 4.2.1].
class SpatialCoincidentPoints final : public Constraint<Spatial> {
 public:
  SpatialCoincidentPoints(const NodeFrame<Spatial>& a, const NodeFrame<Spatial>& b);
  LocalPattern pattern() const override;
  void linearise(
      const Kinematics& a, const Kinematics& b, double t, Rows& g, Jacobian& G) const override;
  void bias(const Kinematics& a, const Kinematics& b, double t, Rows& gamma) const override;
  void add_stiffness(const Kinematics& a,
                     const Kinematics& b,
                     double t,
                     const double* lambda,
                     double scale,
                     PairMatrix<Spatial>& K) const override;

 private:
  Eigen::Vector3d l_a_;
  Eigen::Vector3d l_b_;
};

/// Two directions enclose a fixed angle: g = s_a . s_b - cosine [Chiou1990, eq. 4.3.4].
class SpatialAngle final : public Constraint<Spatial> {
 public:
  /// n_a and n_b are unit vectors in body axes.
  SpatialAngle(int node_a,
               const Eigen::Vector3d& n_a,
               int node_b,
               const Eigen::Vector3d& n_b,
               double cosine = 0.0);
  LocalPattern pattern() const override;
  void linearise(
      const Kinematics& a, const Kinematics& b, double t, Rows& g, Jacobian& G) const override;
  void bias(const Kinematics& a, const Kinematics& b, double t, Rows& gamma) const override;
  void add_stiffness(const Kinematics& a,
                     const Kinematics& b,
                     double t,
                     const double* lambda,
                     double scale,
                     PairMatrix<Spatial>& K) const override;

 private:
  Eigen::Vector3d n_a_;
  Eigen::Vector3d n_b_;
  double cosine_;
};

/// Two axes are parallel: z_b is perpendicular to two directions x_a and y_a,
/// g = (x_a . z_b, y_a . z_b) (2 rows) [Chiou1990, eq. 4.4.8].
class SpatialParallelAxes final : public Constraint<Spatial> {
 public:
  /// Unit vectors in body axes; x_a, y_a and the axis of a are perpendicular to each other.
  SpatialParallelAxes(int node_a,
                      const Eigen::Vector3d& x_a,
                      const Eigen::Vector3d& y_a,
                      int node_b,
                      const Eigen::Vector3d& z_b);
  LocalPattern pattern() const override;
  void linearise(
      const Kinematics& a, const Kinematics& b, double t, Rows& g, Jacobian& G) const override;
  void bias(const Kinematics& a, const Kinematics& b, double t, Rows& gamma) const override;
  void add_stiffness(const Kinematics& a,
                     const Kinematics& b,
                     double t,
                     const double* lambda,
                     double scale,
                     PairMatrix<Spatial>& K) const override;

 private:
  Eigen::Vector3d x_a_;
  Eigen::Vector3d y_a_;
  Eigen::Vector3d z_b_;
};

/// The point of b lies in a plane through the point of a, whose normal n is fixed in a:
/// g = s_a . (p_b - p_a). Two of them put a point on a line.
class SpatialPointInPlane final : public Constraint<Spatial> {
 public:
  SpatialPointInPlane(const NodeFrame<Spatial>& a,
                      const Eigen::Vector3d& normal_a,
                      const NodeFrame<Spatial>& b);
  LocalPattern pattern() const override;
  void linearise(
      const Kinematics& a, const Kinematics& b, double t, Rows& g, Jacobian& G) const override;
  void bias(const Kinematics& a, const Kinematics& b, double t, Rows& gamma) const override;
  void add_stiffness(const Kinematics& a,
                     const Kinematics& b,
                     double t,
                     const double* lambda,
                     double scale,
                     PairMatrix<Spatial>& K) const override;

 private:
  Eigen::Vector3d l_a_;
  Eigen::Vector3d n_a_;
  Eigen::Vector3d l_b_;
};

/// Two points keep their distance: g = (d . d - L^2) / (2 L), d = p_b - p_a. Divided by L so that g
/// is a length and the multiplier a force.
class SpatialDistance final : public Constraint<Spatial> {
 public:
  SpatialDistance(const NodeFrame<Spatial>& a, const NodeFrame<Spatial>& b, double length);
  LocalPattern pattern() const override;
  void linearise(
      const Kinematics& a, const Kinematics& b, double t, Rows& g, Jacobian& G) const override;
  void bias(const Kinematics& a, const Kinematics& b, double t, Rows& gamma) const override;
  void add_stiffness(const Kinematics& a,
                     const Kinematics& b,
                     double t,
                     const double* lambda,
                     double scale,
                     PairMatrix<Spatial>& K) const override;

 private:
  Eigen::Vector3d l_a_;
  Eigen::Vector3d l_b_;
  double length_;
};

}  // namespace trammel::model
