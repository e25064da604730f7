// The motion of one frame as seen from another, and the rates and cosines that formulas read of a
// frame.
//
//     position          R_A^T (p_B - p_A), in the axes of the first frame A
//     velocity          its derivative by time: of the origin of B for somebody who moves with A
//     acceleration      the derivative of that
//     orientation       Euler parameters of R_AB = R_A^T R_B; in the plane the angle of B against A
//     angular velocity  w_B - w_A in the axes of B, as bodies have it; and its derivative
// R_A and R_B turn frame components to world components. From the ground these are the position
// [Sol1983, eq. 2.2.26], velocity and acceleration [eq. 2.2.28] of any frame of a body.
#pragma once

#include <string>
#include <vector>

#include "trammel/model/measure.h"

namespace trammel::model {

/// The velocity of a point of the first node along a direction fixed in that node: s_a . v_P. It is
/// no coordinate's rate, and the second node has no part in it.
template <class S>
class PointVelocity final : public Direction<S> {
 public:
  using Kinematics = typename S::Kinematics;
  /// The frame's origin and one of its axes.
  PointVelocity(const NodeFrame<S>& frame, int axis) : l_(frame.l), n_(frame.axes.col(axis)) {}
  double rate(const Kinematics& a, const Kinematics& b) const override;
  void jacobian(const Kinematics& a, const Kinematics& b, PairVector<S>& J) const override;
  void derivative(const Kinematics& a, const Kinematics& b, PairMatrix<S>& H) const override;

 private:
  typename S::Point l_;
  typename S::Point n_;
};

/// What formulas read of frames. The cosine s_a . s_b of two axes is one entry of R_AB.
Measure<Spatial> cosine_measure(const NodeFrame<Spatial>& a,
                                int axis_a,
                                const NodeFrame<Spatial>& b,
                                int axis_b);
template <class S>
Measure<S> own_velocity_measure(const NodeFrame<S>& frame, int axis);
/// Of frame b against frame a, along an axis of frame b.
Measure<Spatial> spin_measure(const NodeFrame<Spatial>& a, const NodeFrame<Spatial>& b, int axis);

/// A sensor for all of a frame's motion.
template <class S>
struct NamedFrame {
  NamedFrame(std::string sensor,
             std::string seen_from,
             const NodeFrame<S>& frame_a,
             const NodeFrame<S>& frame_b);

  std::string name;
  std::string first;  ///< name of the frame it is seen from
  NodeFrame<S> a;
  NodeFrame<S> b;
  std::vector<Measure<S>> places;  ///< along the axes of frame a
  std::vector<Measure<S>> turns;   ///< angular velocity about the axes of b; planar: the angle
};

}  // namespace trammel::model
