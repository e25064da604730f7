// Rotational spring and damper between two frames about their common z axis.
//
//     tau = -(k (phi - phi0) + c phi')
// is the torque on b about the axis, -tau acts on a; phi is the angle of frame b against frame a.
// Whole turns count. In space phi is known only up to whole turns from the bodies' orientations and
// is continued from step to step: there the spring is a law along an angle sensor of its own.
#pragma once

#include "trammel/model/force.h"
#include "trammel/model/kinds.h"
#include "trammel/model/relative_angle.h"

namespace trammel::model {

class PlanarRotationalSpring final : public Force<Planar> {
 public:
  using Kinematics = Planar::Kinematics;

  struct Parameters {
    double stiffness = 0.0;  ///< k, N m/rad
    double damping = 0.0;    ///< c, N m s/rad
    double angle = 0.0;      ///< phi0, rad
  };

  PlanarRotationalSpring(RelativeAngle<Planar> angle, Parameters parameters);

  void evaluate(const Kinematics& a,
                const Kinematics& b,
                double t,
                PairVector<Planar>& f) const override;
  void tangent(const Kinematics& a,
               const Kinematics& b,
               double t,
               PairMatrix<Planar>& f_q,
               PairMatrix<Planar>& f_v) const override;
  bool depends_on_velocity() const override { return parameters_.damping != 0.0; }
  double potential(const Kinematics& a, const Kinematics& b) const override;
  ForcePower power(const Kinematics& a, const Kinematics& b, double t) const override;
  std::vector<Quantity> quantities() const override;
  void measure(const Kinematics& a, const Kinematics& b, double t, double* values) const override;

 private:
  double torque(double angle, double rate) const;

  RelativeAngle<Planar> angle_;
  Parameters parameters_;
};

ForceKind planar_rotational_spring();
ForceKind spatial_rotational_spring();

}  // namespace trammel::model
