// Regularised dry friction: Coulomb's law with a Stribeck drop, smoothed about zero slip.
//
//     mu(s) = mu_d + (mu_s - mu_d) exp(-(s/s_S)^2)
//     friction force / normal force = phi u,   phi = mu(s) / sqrt(s^2 + s_0^2),   s = |u|
// u is the slip velocity, s_0 the slip at which 0.7 of the force is there: below it the contact
// creeps instead of sticking. The result opposes u, so that friction never drives.
#pragma once

#include <cmath>

namespace trammel::model {

struct FrictionCoefficient {
  double sliding = 0.0;          ///< mu_d
  double sticking = 0.0;         ///< mu_s >= mu_d
  double stribeck_speed = 1e-2;  ///< s_S
  double slip_speed = 1e-3;      ///< s_0

  struct Value {
    double phi = 0.0;        ///< per unit of slip velocity
    double by_square = 0.0;  ///< d phi / d(s^2)
  };
  struct Coefficient {
    double mu = 0.0;
    double by_square = 0.0;  ///< d mu / d(s^2)
  };
  /// mu(s), without regularisation; mu_d where s_S = 0.
  Coefficient coefficient(double square) const {
    if (stribeck_speed == 0.0) return {sliding, 0.0};
    const double by_speed = 1.0 / (stribeck_speed * stribeck_speed);
    const double drop = (sticking - sliding) * std::exp(-square * by_speed);
    return {sliding + drop, -drop * by_speed};
  }
  Value at(double square) const {
    const auto [mu, by_square] = coefficient(square);
    const double inverse = 1.0 / std::sqrt(square + slip_speed * slip_speed);
    return {mu * inverse, (by_square - 0.5 * mu * inverse * inverse) * inverse};
  }
};

}  // namespace trammel::model
