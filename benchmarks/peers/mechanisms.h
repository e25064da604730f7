/// The benchmark mechanisms, as numbers: every program (and reference.py) builds exactly these.
///
/// All are planar, in the x-y plane, joints about z, gravity (0, -g, 0), no friction, no drive. SI
/// units. "Slender" means: mass m, length L, central inertia m L^2/12 about both transverse axes
/// and m (L/100)^2 about the long axis, which no planar motion feels but which keeps programs
/// content that insist on a positive definite inertia.
#pragma once

#include <cmath>

namespace peers {

inline constexpr double gravity = 9.81;
inline constexpr double pi = 3.14159265358979323846;

/// Inertia about the transverse axes and about the long axis, both through the mass centre [kg
/// m^2].
struct SlenderRod {
  double length;  ///< [m]
  double mass;    ///< [kg]
  double transverse_inertia() const { return mass * length * length / 12.0; }
  double axial_inertia() const { return mass * length * length * 1e-4; }
};

/// `chain`: n equal rods in a row along +x, hinged to ground at the origin, at rest; 1 m and 1 kg
/// in all.
inline SlenderRod chain_link(int n) {
  return {1.0 / n, 1.0 / n};
}

/// `fourbar`: ground pivots at x = 0..n, n+1 rockers, n couplers between the tops of consecutive
/// rockers. Starts with the rockers upright and the couplers moving with 1 m/s in +x.
namespace fourbar {
inline constexpr SlenderRod bar{1.0, 1.0};
inline constexpr double start_angle = pi / 2;
inline constexpr double start_rate = -1.0;
}  // namespace fourbar

/// `slider_crank`: crank on the origin, slider on the x axis.
namespace slider_crank {
inline constexpr SlenderRod crank{0.15, 0.5};
inline constexpr SlenderRod rod{0.45, 1.0};
inline constexpr double slider_mass = 0.7;
inline constexpr double start_angle = pi / 4;
inline constexpr double start_rate = 10.0;

/// Configuration and rates that close the loop for a crank angle and rate.
struct Start {
  double rod_angle, slider_position, rod_rate, slider_rate;
};

/// l sin(phi) = -r sin(theta), x = r cos(theta) + l cos(phi), and their time derivatives.
inline Start start() {
  const double r = crank.length, l = rod.length, theta = start_angle, rate = start_rate;
  const double phi = -std::asin(r * std::sin(theta) / l);
  const double phi_rate = -r * std::cos(theta) * rate / (l * std::cos(phi));
  return {phi, r * std::cos(theta) + l * std::cos(phi), phi_rate,
          -r * std::sin(theta) * rate - l * std::sin(phi) * phi_rate};
}
}  // namespace slider_crank

/// `pendulum`: IFToMM A01, a point mass on a massless rod, released at rest at (-1, 0).
namespace pendulum {
inline constexpr double mass = 1.0;
inline constexpr double length = 1.0;
inline constexpr double start_angle = pi;  ///< of the rod, from +x
}  // namespace pendulum

}  // namespace peers
