// A constant force and torque on a frame of a body, fixed in world axes or turning with the body.
//
// World axes:  (f, l x R^T f + R^T m)      Body axes:  (R f, l x f + m)
// (moment about the centre of mass, body axes; l the point of application) [Chiou1990, eq. 4.7.2.2,
// corrected]. A follower force (body axes) has no potential, and its tangent is not symmetric.
#pragma once

#include "trammel/model/force.h"
#include "trammel/model/kinds.h"

namespace trammel::model {

enum class LoadAxes { world, body };

template <class S>
class Load final : public Force<S> {
 public:
  using Kinematics = typename S::Kinematics;
  using Point = typename S::Point;
  using Moment = Eigen::Matrix<double, S::rotations, 1>;

  /// In body axes, force and torque are given in the frame's own components.
  Load(const NodeFrame<S>& frame, Point force, Moment torque, LoadAxes axes);

  void evaluate(const Kinematics& a,
                const Kinematics& b,
                double t,
                PairVector<S>& f) const override;
  void tangent(const Kinematics& a,
               const Kinematics& b,
               double t,
               PairMatrix<S>& f_q,
               PairMatrix<S>& f_v) const override;
  bool depends_on_velocity() const override { return false; }
  bool balances_energy() const override { return true; }
  ForcePower power(const Kinematics& a, const Kinematics& b, double t) const override;
  std::vector<Quantity> quantities() const override { return {}; }
  void measure(const Kinematics&, const Kinematics&, double, double*) const override {}

 private:
  Point l_;
  Point force_;    ///< world axes, or body axes for a follower
  Moment torque_;  ///< likewise
  LoadAxes axes_;
};

ForceKind planar_force();
ForceKind spatial_force();
ForceKind planar_torque();
ForceKind spatial_torque();

}  // namespace trammel::model
