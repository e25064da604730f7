// Explicit Runge-Kutta methods as tables [Hairer, Norsett & Wanner 1993, ch. II].
//
//     k_i = f(t + c_i h, y + h sum_j a_ij k_j),   y_1 = y + h sum_i b_i k_i
//
// The rates at the end of a step are those at the start of the next one; where the method estimates
// its error they count as its last stage, e = h sum_i e_i k_i.
#pragma once

#include <array>

namespace trammel::integrators {

struct RungeKuttaTable {
  static constexpr int most_stages = 6;

  int stages = 0;  ///< without the rates at the end
  int order = 0;
  std::array<double, most_stages> c{};
  std::array<std::array<double, most_stages>, most_stages> a{};
  std::array<double, most_stages> b{};
  std::array<double, most_stages + 1> e{};  ///< of the stages, then of the rates at the end
  /// Of h k_i in the last term of the interpolating polynomial.
  std::array<double, most_stages + 1> d{};
};

/// The classical method of order 4.
const RungeKuttaTable& classical_runge_kutta();
/// Dormand and Prince's pair of orders 5 and 4 with its polynomial of order 4.
const RungeKuttaTable& dormand_prince();

}  // namespace trammel::integrators
