// Aerodynamic drag on a point of a body.
//
//     F = -rho/2 C A |u| u,    u = velocity of the point - wind
// rho the density of the medium (kg/m^3), A the reference area, C the drag coefficient. The medium
// takes the power -F . u; what the wind does on the body is a load, F . wind.
#pragma once

#include "trammel/model/forces/relative_force.h"
#include "trammel/model/kinds.h"

namespace trammel::model {

template <class S>
class Drag final : public RelativeForce<S> {
 public:
  using Base = RelativeForce<S>;
  using typename Base::Motion;
  using typename Base::Slope;
  using typename Base::Wrench;

  /// `factor` = rho C A / 2, kg/m.
  Drag(const NodeFrame<S>& ground, const NodeFrame<S>& b, double factor, typename S::Point wind)
      : Base(ground, b), factor_(factor), wind_(std::move(wind)) {}

  std::vector<Quantity> quantities() const override;

 protected:
  Wrench wrench(const Motion& motion) const override;
  void slopes(const Motion& motion, Slope& by_pose, Slope& by_rate) const override;
  ForcePower spent(const Motion& motion) const override;
  void report(const Motion& motion, double* values) const override;

 private:
  double factor_;
  typename S::Point wind_;
};

ForceKind planar_drag();
ForceKind spatial_drag();

}  // namespace trammel::model
