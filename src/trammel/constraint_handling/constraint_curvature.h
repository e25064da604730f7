// How constraints at the levels of velocity and acceleration change with positions and velocities:
// the second and third derivatives of g that exact Jacobians need, out of what the contract offers.
//
//     W(q, v) = G v + g_t,   gamma(q, v) with g'' = G a + gamma
//
// gamma is a quadratic function of v, so that differences of it over any distance are exact. With
// D_w for the derivative along retract(q, w),
//
//     gamma(v) = D_v D_v g + 2 D_v g_t + g_tt
//     gamma_v w                 = [gamma(v + w) - gamma(v - w)]/2
//     (D_v D_w + D_w D_v) g     = [gamma(v + w) - gamma(v - w) - gamma(w) + gamma(-w)]/2
//     D_w D_v g - D_v D_w g     = G [w, v]
//
// where the bracket of rotations, w x v, is what inverse_tangent has odd in w:
// [w, v] = T(w)^-1 v - T(-w)^-1 v. Therefore
//
//     W_q w     = gamma_v w / 2 + G [w, v] / 2
//     (G a)_q w = [gamma(a + w) - gamma(a - w) - gamma(w) + gamma(-w)]/4 + G [w, a] / 2
//
// hold to round-off. Two terms are differences of fourth order (relative errors of some 1e-12):
// gamma_q w, which has third derivatives of g, and W_q w of nonholonomic rows, which are not
// derivatives of anything and so have no symmetry.
#pragma once

#include <Eigen/Core>

#include "trammel/system/mechanical_system.h"

namespace trammel::constraint_handling {

class ConstraintCurvature {
 public:
  explicit ConstraintCurvature(system::MechanicalSystem& system);

  /// True where positions are no vector space.
  bool curved() const { return curved_; }
  /// rows = W_q w.
  void of_velocity(const system::State& state, const system::Vector& w, system::Vector& rows);
  /// rows = (G a)_q w + gamma_q w + gamma_v v_w.
  void of_acceleration(const system::Motion& motion,
                       const system::Vector& w,
                       const system::Vector& v_w,
                       system::Vector& rows);
  /// [w, v] of the manifold's rotations.
  void bracket(const system::Vector& w, const system::Vector& v, system::Vector& result);

 private:
  double size(const system::Vector& x) const;
  const system::Vector& gamma(const system::Vector& v);
  /// rows += factor (gamma(v + c w) - gamma(v - c w)) / c, c such that both are of one size.
  void add_difference(const system::Vector& v,
                      const system::Vector& w,
                      double factor,
                      system::Vector& rows);
  /// rows += G [w, v] / 2.
  void add_bracket(const system::Vector& w, const system::Vector& v, system::Vector& rows);
  /// (A v)_q w + a_q w of nonholonomic rows, into their places; without a_q w for accelerations.
  void set_nonholonomic(const system::Vector& v,
                        const system::Vector& w,
                        bool acceleration,
                        system::Vector& rows);
  /// rows += gamma_q w.
  void add_bias_change(const system::Vector& v, const system::Vector& w, system::Vector& rows);
  void move_to(const system::Vector& w, double distance);

  system::MechanicalSystem& system_;
  system::Sizes sizes_;
  bool curved_ = false;
  system::Vector origin_;  ///< q
  system::State probe_;
  system::Vector gamma_;
  system::Vector moved_;
  system::Vector plus_;
  system::Vector minus_;
  system::Vector sum_;
  system::Vector zero_;
};

}  // namespace trammel::constraint_handling
