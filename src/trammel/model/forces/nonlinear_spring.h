// Nonlinear springs and dampers between two points.
//
//     T = [F0 + E(e+)] ramp'(e) + D(L') ramp'(e),     e = L - L0
// E and D are polynomials (polynomial_spring) or tables (table_spring) of the extension and its
// rate. The ramp (one_sided.h) makes it act in tension or compression only; then T is also cut off
// at zero, so that a damper cannot make a rope push. D must resist on both sides, so that the
// damper never drives; dissipated power is D L' >= 0.
#pragma once

#include "trammel/model/forces/force_curve.h"
#include "trammel/model/forces/line_force.h"
#include "trammel/model/forces/one_sided.h"
#include "trammel/model/kinds.h"

namespace trammel::model {

class NonlinearSpringLaw final : public LineLaw {
 public:
  struct Parameters {
    double length = 0.0;   ///< L0, m
    double preload = 0.0;  ///< F0, N
    ForceCurve elastic;    ///< E, N over m
    ForceCurve damper;     ///< D, N over m/s
    ActsIn side = ActsIn::both;
    double smoothing = 0.0;  ///< m
  };

  explicit NonlinearSpringLaw(Parameters parameters) : parameters_(std::move(parameters)) {}
  Tension tension(double length, double rate) const override;
  double potential(double length) const override;
  bool depends_on_rate() const override { return !parameters_.damper.is_zero(); }

 private:
  Parameters parameters_;
};

ForceKind planar_polynomial_spring();
ForceKind spatial_polynomial_spring();
ForceKind planar_table_spring();
ForceKind spatial_table_spring();

}  // namespace trammel::model
