// Parameters of the GSSSS family: generalized single-step single-solve integrators of second order
// [Huang2014, ch. 2; Zhou & Tamma 2004].
//
// With h the step and da the change of the algorithmic acceleration,
//
//     u_{n+1} = u_n + h v_n + h^2/2 a_n + l3 h^2 da           a_{n+1} = a_n + da
//     v_{n+1} = v_n + h a_n + l5 h da
//     u~ = u_n + W1 h v_n + L2W2 h^2 a_n + L3W3 h^2 da        ~ stands at t_n + W1 h, where the
//     v~ = v_n + W1 h a_n + L5W2 h da                         equations of motion are satisfied:
//     a~ = a_n + L6W1 da                                      M a~ = f(t~, u~, v~)
//
// Two families, U0 and V0 (zero-order overshoot in displacement and in velocity), each with three
// numbers: the spectral radii of the two principal roots and of the spurious root at infinite
// frequency, 0 <= rho_s <= rho_min <= rho_max <= 1. Every member is of second order and
// unconditionally stable for linear systems. a_n belongs to the time t_n - shift h.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <Eigen/Core>

namespace trammel::integrators {

enum class Family { U0, V0 };

/// Spectral radii at infinite frequency.
struct SpectralRadii {
  double minimum = 1.0;   ///< of the smaller principal root, rho_min
  double maximum = 1.0;   ///< of the larger principal root, rho_max
  double spurious = 0.0;  ///< rho_s
};

struct GssssParameters {
  double w1 = 0.0;     ///< W1 = L1W1 = L4W1, the level of the equations of motion
  double l2_w2 = 0.0;  ///< L2W2
  double l3_w3 = 0.0;  ///< L3W3
  double l5_w2 = 0.0;  ///< L5W2
  double l6_w1 = 0.0;  ///< L6W1
  double l3 = 0.0;     ///< Newmark's beta in the U0 family
  double l5 = 0.0;     ///< Newmark's gamma in the U0 family
  double shift = 0.0;  ///< L6W1 - W1: a_n belongs to t_n - shift h
};

/// "V0(1, 1, 0)".
std::string to_string(Family family, const SpectralRadii& radii);

bool admissible(const SpectralRadii& radii);
/// Radii put into their range and order: the nearest member that exists.
SpectralRadii nearest_admissible(const SpectralRadii& radii);

/// Throws InputError with the nearest admissible radii when these are not.
GssssParameters gssss_parameters(Family family, const SpectralRadii& radii);

/// One step of u'' + 2 damping w u' + w^2 u = 0 with w h = `frequency`: maps (u, h v, h^2 a) from
/// t_n to t_{n+1}.
Eigen::Matrix3d amplification_matrix(const GssssParameters& p, double frequency, double damping);
/// The same for frequency -> infinity. Its eigenvalues are -rho_min, -rho_max, -rho_s.
Eigen::Matrix3d amplification_matrix_at_infinity(const GssssParameters& p);
/// Largest absolute eigenvalue.
double spectral_radius(const Eigen::Matrix3d& amplification);

/// A member, or a curve of members with one number rho, that has a name.
struct GssssMember {
  std::string name;
  std::string summary;
  Family family = Family::U0;
  bool takes_radius = false;  ///< is there a rho to choose?
  double least_radius = 0.0;  ///< of rho
  SpectralRadii (*radii)(double rho) = nullptr;
};

/// newmark, mpr-epa, mpr-mpa, generalized-alpha, wbz, hht, u0-v0-optimal [Huang2014, table 2.1].
const std::vector<GssssMember>& gssss_members();
/// Null when no member has that name.
const GssssMember* find_gssss_member(std::string_view name);
/// The member's radii; throws InputError when rho is outside its range.
SpectralRadii radii_of(const GssssMember& member, double rho);

}  // namespace trammel::integrators
