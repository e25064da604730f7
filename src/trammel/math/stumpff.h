// Stumpff's functions: what exponential, tangent operator and their derivatives are made of, smooth
// through the zero of the angle f, with z = f^2:
//
//     c_k(z) = 1/k! - z/(k + 2)! + z^2/(k + 4)! - ...
//     c_0 = cos f,   c_1 = sin f/f,   c_2 = (1 - cos f)/f^2,   c_3 = (f - sin f)/f^3
//     c_k = 1/k! - z c_(k+2)          dc_k/dz = (k c_(k+2) - c_(k+1))/2
#pragma once

#include <array>

namespace trammel::math {

/// c_0 to c_7 at z, to round-off for 0 <= z <= pi^2.
inline std::array<double, 8> stumpff(double z) {
  constexpr int terms = 12;
  constexpr std::array inverse_factorial{1.0, 1.0, 1.0 / 2.0, 1.0 / 6.0, 1.0 / 24.0, 1.0 / 120.0};
  std::array<double, 8> c{};
  // Of the last two by their series, from its far end.
  double even = 1.0;
  double odd = 1.0;
  for (int i = terms; i > 0; --i) {
    even = 1.0 - z * even / ((2 * i + 6) * (2 * i + 5));
    odd = 1.0 - z * odd / ((2 * i + 7) * (2 * i + 6));
  }
  c[6] = even / 720.0;
  c[7] = odd / 5040.0;
  for (std::size_t k = 6; k-- > 0;) c[k] = inverse_factorial[k] - z * c[k + 2];
  return c;
}

/// dc_k/dz for k up to 5.
inline double stumpff_slope(const std::array<double, 8>& c, std::size_t k) {
  return 0.5 * (static_cast<double>(k) * c[k + 2] - c[k + 1]);
}

/// d^2 c_k/dz^2 for k up to 3.
inline double stumpff_curvature(const std::array<double, 8>& c, std::size_t k) {
  return 0.5 * (static_cast<double>(k) * stumpff_slope(c, k + 2) - stumpff_slope(c, k + 1));
}

}  // namespace trammel::math
