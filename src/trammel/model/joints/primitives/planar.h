// Constraint primitives between two planar nodes a and b.
//
// With p = r + R l and s = R n: dp = dr + perp(R l) d(angle), ds = perp(s) d(angle), where perp
// turns by +90 degrees; second derivatives bring -R l and -s.
#pragma once

#include "trammel/model/constraint.h"

namespace trammel::model {

/// Two points coincide: g = p_b - p_a (2 rows).
class PlanarCoincidentPoints final : public Constraint<Planar> {
 public:
  PlanarCoincidentPoints(const NodeFrame<Planar>& a, const NodeFrame<Planar>& b);
  LocalPattern pattern() const override;
  void linearise(
      const Kinematics& a, const Kinematics& b, double t, Rows& g, Jacobian& G) const override;
  void bias(const Kinematics& a, const Kinematics& b, double t, Rows& gamma) const override;
  void add_stiffness(const Kinematics& a,
                     const Kinematics& b,
                     double t,
                     const double* lambda,
                     double scale,
                     PairMatrix<Planar>& K) const override;

 private:
  Eigen::Vector2d l_a_;
  Eigen::Vector2d l_b_;
};

/// The relative angle is fixed: g = angle_b - angle_a - offset. Whole turns count: the offset that
/// belongs to the described angles must be given.
class PlanarAngle final : public Constraint<Planar> {
 public:
  PlanarAngle(int node_a, int node_b, double offset);
  LocalPattern pattern() const override;
  void linearise(
      const Kinematics& a, const Kinematics& b, double t, Rows& g, Jacobian& G) const override;
  void bias(const Kinematics& a, const Kinematics& b, double t, Rows& gamma) const override;
  void add_stiffness(const Kinematics& a,
                     const Kinematics& b,
                     double t,
                     const double* lambda,
                     double scale,
                     PairMatrix<Planar>& K) const override;

 private:
  double offset_;
};

/// The point of b lies on a line through the point of a whose normal n is fixed in a:
/// g = s_a . (p_b - p_a).
class PlanarPointOnLine final : public Constraint<Planar> {
 public:
  PlanarPointOnLine(const NodeFrame<Planar>& a,
                    const Eigen::Vector2d& normal_a,
                    const NodeFrame<Planar>& b);
  LocalPattern pattern() const override;
  void linearise(
      const Kinematics& a, const Kinematics& b, double t, Rows& g, Jacobian& G) const override;
  void bias(const Kinematics& a, const Kinematics& b, double t, Rows& gamma) const override;
  void add_stiffness(const Kinematics& a,
                     const Kinematics& b,
                     double t,
                     const double* lambda,
                     double scale,
                     PairMatrix<Planar>& K) const override;

 private:
  Eigen::Vector2d l_a_;
  Eigen::Vector2d n_a_;
  Eigen::Vector2d l_b_;
};

/// Two points keep their distance: g = (d . d - L^2) / (2 L), d = p_b - p_a.
class PlanarDistance final : public Constraint<Planar> {
 public:
  PlanarDistance(const NodeFrame<Planar>& a, const NodeFrame<Planar>& b, double length);
  LocalPattern pattern() const override;
  void linearise(
      const Kinematics& a, const Kinematics& b, double t, Rows& g, Jacobian& G) const override;
  void bias(const Kinematics& a, const Kinematics& b, double t, Rows& gamma) const override;
  void add_stiffness(const Kinematics& a,
                     const Kinematics& b,
                     double t,
                     const double* lambda,
                     double scale,
                     PairMatrix<Planar>& K) const override;

 private:
  Eigen::Vector2d l_a_;
  Eigen::Vector2d l_b_;
  double length_;
};

}  // namespace trammel::model
