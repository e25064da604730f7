// Gas spring: a piston on enclosed gas between two points.
//
//     V = V0 + A (L - L0),   p = p0 (V0 / V)^k,   push = A (p - p_out),   T = -push + c L'
// k = 1 isothermal, 1.4 adiabatic air. The gas stores
//     U = p0 V0 / (k - 1) ((V0/V)^(k-1) - 1) + p_out A (L - L0)     (k = 1: -p0 V0 log(V/V0) + ...)
// counted from L = L0. Lengths with V <= 0 are out of reach: the force is then not a number, which
// makes a step fail.
#pragma once

#include "trammel/model/forces/line_force.h"
#include "trammel/model/kinds.h"

namespace trammel::model {

class GasSpringLaw final : public LineLaw {
 public:
  struct Parameters {
    double length = 0.0;    ///< L0, m
    double area = 0.0;      ///< A, m^2
    double volume = 0.0;    ///< V0, m^3
    double pressure = 0.0;  ///< p0, Pa, absolute
    double outside = 0.0;   ///< p_out, Pa
    double exponent = 1.4;  ///< k
    double damping = 0.0;   ///< c, N s/m
  };

  explicit GasSpringLaw(Parameters parameters) : parameters_(parameters) {}
  Tension tension(double length, double rate) const override;
  double potential(double length) const override;
  bool depends_on_rate() const override { return parameters_.damping != 0.0; }

 private:
  double volume(double length) const;

  Parameters parameters_;
};

ForceKind planar_gas_spring();
ForceKind spatial_gas_spring();

}  // namespace trammel::model
