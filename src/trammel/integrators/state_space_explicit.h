// Explicit methods on the state-space form, with fixed steps: the comparators of [Haug1997, sec.
// 4.1].
//
//     y = (p, P v, z, w),   y' = f(t, y) = (P T(x)^-1 v, s, z', powers)
//
// with s from (Z^T M Z) s = Z^T (f + M X gamma) (state_space_form.h), z first-order states and w
// the work done.
//
//     abm2   y_p = y_n + h/2 (3 f_n - f_{n-1}),  y_{n+1} = y_n + h/2 (f(y_p) + f_n),  f again;
//            the first step without f_{n-1}: y_p = y_n + h f_n. Stable for -2 < h lambda < 0.
//     rk4    the classical method of order 4
//
// Where steps change their size, y_p = y_n + h (f_n + h/(2 h_n) (f_n - f_{n-1})). f_{n-1} is kept
// as full vectors, so that it serves whatever coordinates are independent.
#pragma once

#include <array>

#include "trammel/integrators/state_space_integrator.h"

namespace trammel::integrators {

enum class ExplicitRule { abm2, rk4 };

class StateSpaceExplicit final : public StateSpaceIntegrator {
 public:
  StateSpaceExplicit(system::MechanicalSystem& system,
                     StateSpaceOptions options,
                     ExplicitRule rule);

  int order() const override { return rule_ == ExplicitRule::rk4 ? 4 : 2; }
  bool integrates_work() const override { return book_ != nullptr; }

 private:
  void begin() override;
  Failure advance(double t, double h, int& iterations) override;
  void keep(double h) override;
  void resize();
  Failure take_abm2(double t, double h);
  Failure take_rk4(double t, double h);
  /// f of a state; the form is then at it.
  Failure rates(double t, const system::Vector& y, system::Vector& f);
  /// f of a motion whose accelerations are known, in the form's chart at displacement x.
  void known_rates(const system::Motion& motion, const system::Vector& x, system::Vector& f);
  void add_powers(const system::Motion& motion, system::Vector& f);

  ExplicitRule rule_;
  system::EnergyBook* book_;
  int np_ = 0;
  int nd_ = 0;
  int nz_ = 0;
  system::Vector y_;
  system::Vector stage_;
  system::Vector sum_;
  std::array<system::Vector, 4> k_;
  system::Vector p_;
  system::Vector s_;
  system::Vector x_;
  system::Vector dx_;
  system::Vector rates_;
  system::Motion before_;  ///< t_{n-1}
  system::Motion unique_;  ///< a motion with reactions that are unique
  double last_h_ = 0.0;    ///< 0: there is none
};

}  // namespace trammel::integrators
