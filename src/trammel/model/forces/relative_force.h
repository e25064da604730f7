// A force that depends on the motion of frame b relative to frame a, seen from a.
//
//     p = R_A^T (p_b - p_a)      R = R_A^T R_B      u = p'      w = R_A^T (w_b - w_a)
// all in the axes of frame a. A kind gives the wrench W = (F, M): the force F on b at b's origin
// and the moment M, both in the axes of frame a. It does the work F . u + M . w, so that with the
// map (u, w) = J v the generalised force is J^T W. Action and reaction balance and no rigid motion
// of both bodies is felt, whatever W is.
//     df/dq = J^T (W_x J + W_u C) + sum_i W_i dJ_i/dq,     df/dv = J^T W_u J,     C = d(J v)/dq
// with W_x the derivative by (dp, turn of R: dR = skew(turn) R) and W_u that by (u, w).
#pragma once

#include <memory>
#include <vector>

#include "trammel/model/coordinate.h"
#include "trammel/model/force.h"

namespace trammel::model {

template <class S>
struct FrameMotion {
  using Point = typename S::Point;
  using Turn = Eigen::Matrix<double, S::rotations, 1>;

  Point p = Point::Zero();                              ///< m
  Eigen::Matrix<double, S::dimension, S::dimension> R;  ///< frame b to frame a
  double angle = 0.0;                                   ///< planar: of R, whole turns kept
  Point u = Point::Zero();                              ///< m/s
  Turn w = Turn::Zero();                                ///< rad/s
};

template <class S>
class RelativeForce : public Force<S> {
 public:
  using Kinematics = typename S::Kinematics;
  using Motion = FrameMotion<S>;
  static constexpr int components = S::dimension + S::rotations;
  using Wrench = Eigen::Matrix<double, components, 1>;
  using Slope = Eigen::Matrix<double, components, components>;

  RelativeForce(const NodeFrame<S>& a, const NodeFrame<S>& b);

  void evaluate(const Kinematics& a, const Kinematics& b, double t, PairVector<S>& f) const final;
  void tangent(const Kinematics& a,
               const Kinematics& b,
               double t,
               PairMatrix<S>& f_q,
               PairMatrix<S>& f_v) const final;
  bool depends_on_velocity() const override { return true; }
  double potential(const Kinematics& a, const Kinematics& b) const final;
  ForcePower power(const Kinematics& a, const Kinematics& b, double t) const final;
  void measure(const Kinematics& a, const Kinematics& b, double t, double* values) const final;

 protected:
  /// False when nothing acts and nothing changes nearby: W and its derivatives are then not asked.
  virtual bool acts(const Motion& /*motion*/) const { return true; }
  virtual Wrench wrench(const Motion& motion) const = 0;
  /// W_x and W_u, written in full.
  virtual void slopes(const Motion& motion, Slope& by_pose, Slope& by_rate) const = 0;
  virtual double stored(const Motion& /*motion*/) const { return 0.0; }
  virtual ForcePower spent(const Motion& motion) const = 0;
  virtual void report(const Motion& motion, double* values) const = 0;

 private:
  using Map = Eigen::Matrix<double, components, pair_freedoms<S>>;

  Motion motion(const Kinematics& a, const Kinematics& b) const;
  Map jacobian(const Kinematics& a, const Kinematics& b) const;

  NodeFrame<S> frame_a_;
  NodeFrame<S> frame_b_;
  std::vector<std::shared_ptr<const Direction<S>>> directions_;
};

}  // namespace trammel::model
