// Bushing: stiffness and damping in all directions between two frames.
//
//     x = (p, theta),   m = -K x - C x' + F0,   W = (m_p, T^-T m_theta)
// p is the displacement of frame b and theta its rotation vector (R = exp(skew(theta))), both in
// the axes of frame a; x' = (p', T^-1 w) is its rate, with
//     T^-1 = I - skew(theta)/2 + c skew(theta)^2,   c = (1 - f/2 cot(f/2)) / f^2,   f = |theta|.
// The rotation vector makes K a true stiffness at any angle up to half a turn: U = x^T K x/2 - F0 x
// is the energy stored and x'^T C x' the power lost. For small angles theta is the three angles
// about x, y and z. K and C are symmetric, 6 x 6 (planar: 3 x 3 over x, y and the angle).
#pragma once

#include "trammel/model/forces/relative_force.h"
#include "trammel/model/kinds.h"

namespace trammel::model {

template <class S>
class Bushing final : public RelativeForce<S> {
 public:
  using Base = RelativeForce<S>;
  using typename Base::Motion;
  using typename Base::Slope;
  using typename Base::Wrench;

  struct Parameters {
    Slope stiffness = Slope::Zero();
    Slope damping = Slope::Zero();
    Wrench preload = Wrench::Zero();  ///< on b, at zero deflection
  };

  Bushing(const NodeFrame<S>& a, const NodeFrame<S>& b, Parameters parameters)
      : Base(a, b), parameters_(std::move(parameters)) {}

  bool depends_on_velocity() const override { return !parameters_.damping.isZero(0.0); }
  std::vector<Quantity> quantities() const override;

 protected:
  Wrench wrench(const Motion& motion) const override;
  void slopes(const Motion& motion, Slope& by_pose, Slope& by_rate) const override;
  double stored(const Motion& motion) const override;
  ForcePower spent(const Motion& motion) const override;
  void report(const Motion& motion, double* values) const override;

 private:
  Parameters parameters_;
};

ForceKind planar_bushing();
ForceKind spatial_bushing();

}  // namespace trammel::model
