// The three forms of a GSSSS step as predictor and multi-corrector [Huang2014, table 2.2]: the
// unknown is the change of a (a-form), of v (v-form) or of u (d-form), and each x of
// u_{n+1}, v_{n+1}, a_{n+1} and of u, v, a at the level t_n + W1 h is
//
//     x = chi_P1 u_n + chi_P2 v_n + chi_P3 a_n + chi_C delta
//
// All three give the same step; Newton's iteration starts from different places (delta = 0).
#pragma once

#include <array>

#include "trammel/integrators/gssss_parameters.h"

namespace trammel::integrators {

enum class StepForm { a, v, d };

struct Chi {
  std::array<double, 3> predictor{};  ///< of u_n, v_n, a_n
  double corrector = 0.0;
};

struct ChiCoefficients {
  Chi u;  ///< at t_{n+1}
  Chi v;
  Chi a;
  Chi level_u;  ///< at t_n + W1 h
  Chi level_v;
  Chi level_a;
};

/// For steps of h, s.
ChiCoefficients chi_coefficients(const GssssParameters& p, StepForm form, double h);

}  // namespace trammel::integrators
