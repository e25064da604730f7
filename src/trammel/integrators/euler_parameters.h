// Euler parameters e = (e_0, g) and angular velocities w in body axes, as numbers to integrate
// [ParkChiou1987, sec. 5; signs corrected]:
//
//     e' = A(w) e,    A(w)^T = -A(w),    A(w)^2 = -|w|^2/4 I
//     w  = 2 (e_0 g' - g x g' - e_0' g)                                          (5.11)
//
// and the half step of the midpoint rule, d = h/2, with |e| = 1 and e . e' = 0 kept:
//
//     [I - d A(w) - d^2 A(w')] e_{1/2}  + mu e_{1/2} = [I - d A(w) + d A(w_k)] e_k      (5.7),
//     (5.15) [I - d A(w)] e'_{1/2} + mu e_{1/2} = e'_k + d A(w') e_{1/2} (5.7), (5.16)
//
// w and w' being those of the middle.
#pragma once

#include <Eigen/Core>

namespace trammel::integrators {

using EulerParameters = Eigen::Vector4d;

/// A(w) e.
EulerParameters euler_rate(const Eigen::Vector3d& w, const EulerParameters& e);

/// (5.11).
Eigen::Vector3d angular_velocity(const EulerParameters& e, const EulerParameters& rate);

/// [I - d A(p)]^-1 b, in closed form (5.12).
EulerParameters solve_midpoint(double d, const Eigen::Vector3d& p, const EulerParameters& b);

/// (5.15): e with [I - d A(p)] e + mu e = b and |e| = 1 in closed form; false where there is none,
/// that is for d |p| >= 2 |b|.
bool unit_midpoint(double d,
                   const Eigen::Vector3d& p,
                   const EulerParameters& b,
                   EulerParameters& e);

/// The same by Newton's method on the bordered equations, from e = b.
bool unit_midpoint_by_newton(double d,
                             const Eigen::Vector3d& p,
                             const EulerParameters& b,
                             EulerParameters& e);

/// (5.16): x with [I - d A(p)] x + mu e = b and e . x = 0.
EulerParameters tangent_midpoint(double d,
                                 const Eigen::Vector3d& p,
                                 const EulerParameters& b,
                                 const EulerParameters& e);

}  // namespace trammel::integrators
