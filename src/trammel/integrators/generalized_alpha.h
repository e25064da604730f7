// Generalized-alpha at index 3 on manifolds [Chung & Hulbert 1993; Bruls & Cardona 2010; Arnold &
// Bruls 2007]: the member U0(rho, rho, rho) of the GSSSS family with the equations of motion at the
// end of the step. In the usual letters, with alpha_m = 1 - L6W1, alpha_f = 1 - W1, beta = l3,
// gamma = l5:
//
//     q_{n+1} = retract(q_n, x),   x = h v_n + h^2 (1/2 - beta) a_n + h^2 beta a_{n+1}
//     v_{n+1} = v_n + h (1 - gamma) a_n + h gamma a_{n+1}
//     (1 - alpha_m) a_{n+1} + alpha_m a_n = (1 - alpha_f) v'_{n+1} + alpha_f v'_n
//     M v'_{n+1} + G^T lambda_{n+1} = f_{n+1},   g(q_{n+1}) = 0,   A v_{n+1} + a = 0
//
//     alpha_m = (2 rho - 1)/(rho + 1),  alpha_f = rho/(rho + 1),
//     gamma = 1/2 + alpha_f - alpha_m,  beta = (gamma + 1/2)^2 / 4.
#pragma once

#include "trammel/integrators/gssss.h"

namespace trammel::integrators {

struct GeneralizedAlphaOptions {
  double spectral_radius = 0.6;  ///< rho in [0, 1]; 1 keeps energy, 0 annihilates high frequencies
  double newton_tolerance = 1e-8;  ///< this and the following: see GssssOptions
  int most_iterations = 20;
  double resolution = 0.1;
  std::string solver = "auto";
};

class GeneralizedAlpha final : public Gssss {
 public:
  /// Throws InputError when the options are out of range or the solver is unknown.
  GeneralizedAlpha(system::MechanicalSystem& system, const GeneralizedAlphaOptions& options)
      : Gssss(system,
              {.radii = radii_of(*find_gssss_member("generalized-alpha"), options.spectral_radius),
               .evaluation = Evaluation::end,
               .newton_tolerance = options.newton_tolerance,
               .most_iterations = options.most_iterations,
               .resolution = options.resolution,
               .solver = options.solver}) {}
};

}  // namespace trammel::integrators
