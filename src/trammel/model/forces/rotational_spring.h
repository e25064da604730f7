// Rotational spring and damper between two frames about their common z axis.
//
//     tau = -(k (phi - phi0) + c phi')
// is the torque on b about the axis, -tau acts on a; phi is the angle of frame b against frame a.
// In the plane whole turns count. In space phi lies in (-180, 180] degrees and the torque jumps
// there: use it on hinges that stay within a turn.
#pragma once

#include "trammel/model/force.h"
#include "trammel/model/kinds.h"
#include "trammel/model/relative_angle.h"

namespace trammel::model {

template <class S>
class RotationalSpring final : public Force<S> {
 public:
  using Kinematics = typename S::Kinematics;

  struct Parameters {
    double stiffness = 0.0;  ///< k, N m/rad
    double damping = 0.0;    ///< c, N m s/rad
    double angle = 0.0;      ///< phi0, rad
  };

  RotationalSpring(RelativeAngle<S> angle, Parameters parameters);

  void evaluate(const Kinematics& a,
                const Kinematics& b,
                double t,
                PairVector<S>& f) const override;
  void tangent(const Kinematics& a,
               const Kinematics& b,
               double t,
               PairMatrix<S>& f_q,
               PairMatrix<S>& f_v) const override;
  bool depends_on_velocity() const override { return parameters_.damping != 0.0; }
  double potential(const Kinematics& a, const Kinematics& b) const override;
  ForcePower power(const Kinematics& a, const Kinematics& b, double t) const override;
  std::vector<Quantity> quantities() const override;
  void measure(const Kinematics& a, const Kinematics& b, double t, double* values) const override;

 private:
  double torque(double angle, double rate) const;

  RelativeAngle<S> angle_;
  Parameters parameters_;
};

ForceKind planar_rotational_spring();
ForceKind spatial_rotational_spring();

}  // namespace trammel::model
