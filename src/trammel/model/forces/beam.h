// Massless elastic beam between two frames: small strains, any rotation (corotational).
//
// The beam lies along the x axis of both frames when it is unloaded, with their axes parallel and
// their origins a length l0 apart. Seen from the chord d between the ends, its strains are
//     e = |d| - l0                         stretch
//     ta, tb                               turns of the end sections against the chord, about z
//                                          (and y in space): ta = -atan2(d_y, d_x) in the axes of
//                                          frame a, tb the same in those of frame b
//     phi                                  twist of b against a about x (space)
//     U = EA e^2/(2 l0) + GJ phi^2/(2 l0)
//         + EI/(2 l0 (1+s)) ((4+s)(ta^2 + tb^2) + 2 (2-s) ta tb),   s = 12 EI/(GA l0^2)
// s = 0 without shear. Fixed in a, with the force F across at the tip it bends by F l0^3/(3 EI).
// [Sol1983, (3.4.18, 19)] measures from the tangent at a instead of the chord: the same for small
// deformations. The loads are the derivatives of U, so that energy is kept and nothing is felt from
// a common rigid motion. Damping is proportional: the stresses are K (strain + T strain').
#pragma once

#include "trammel/model/forces/relative_force.h"
#include "trammel/model/jet.h"
#include "trammel/model/kinds.h"

namespace trammel::model {

template <class S>
class Beam final : public RelativeForce<S> {
 public:
  using Base = RelativeForce<S>;
  using typename Base::Motion;
  using typename Base::Slope;
  using typename Base::Wrench;
  static constexpr int strains = S::space == Space::planar ? 3 : 6;
  using Strain = Eigen::Matrix<double, strains, 1>;
  using Stiffness = Eigen::Matrix<double, strains, strains>;

  struct Parameters {
    double length = 1.0;  ///< l0, m
    Stiffness stiffness = Stiffness::Zero();
    double damping_time = 0.0;  ///< T, s
  };

  Beam(const NodeFrame<S>& a, const NodeFrame<S>& b, Parameters parameters)
      : Base(a, b), parameters_(std::move(parameters)) {}

  bool depends_on_velocity() const override { return parameters_.damping_time != 0.0; }
  std::vector<Quantity> quantities() const override;

 protected:
  bool acts(const Motion& /*motion*/) const override { return true; }
  Wrench wrench(const Motion& motion) const override;
  void slopes(const Motion& motion, Slope& by_pose, Slope& by_rate) const override;
  double stored(const Motion& motion) const override;
  ForcePower spent(const Motion& motion) const override;
  void report(const Motion& motion, double* values) const override;

 private:
  /// Strains, their derivatives by (dp, turn), and their rates.
  struct Strains;
  Strains strains_at(const Motion& motion) const;

  Parameters parameters_;
};

ForceKind planar_beam();
ForceKind spatial_beam();

}  // namespace trammel::model
