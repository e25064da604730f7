// The geometrically exact beam of Reissner and Simo in space: two nodes, each with a position and a
// rotation of any size, strains at the middle of the element [Chiou1990, section 3.5; Simo1985;
// Crisfield1999].
//
// The line is straight between the nodes, and the section turns from one end to the other about a
// fixed axis. With R_1 and R_2 the axes of the sections at the ends, Delta = r_2 - r_1,
//
//     theta = log(R_1^T R_2)               R_m = R_1 exp(theta/2)
//     gamma = R_m^T Delta/L                kappa = theta/L
//     N = C_N (gamma - gamma_0 + eta gamma')   M = C_M (kappa - kappa_0 + eta kappa')
//     U = L/2 [e . C_N e + c . C_M c],   e = gamma - gamma_0,   c = kappa - kappa_0
//
//     C_N = diag(E A, G A_y, G A_z)   C_M = diag(G J, E I_y, E I_z)   gamma_0, kappa_0: unloaded
//
// Only the rotation from one end to the other counts: strains do not change in rigid motions
// (objective), and depend on where the nodes are, not on how they came there (path-independent).
// One point of integration leaves nothing to lock. The nodes' turns, seen in the axes of the
// middle, u_k = R_m^T R_k w_k, give with phi = theta/2 and f = |phi|
//
//     theta' = B^-1 (u_2 - u_1)
//     psi    = (u_1 + u_2)/2 - tau phi x (u_2 - u_1)        turn of R_m
//     gamma' = R_m^T Delta'/L - psi x gamma
//
//     B^-1 = 1 + k skew(phi)^2,   k = (1 - f/sin f)/f^2,   tau = tan(f/2)/(2 f)
//
// Shear `compensated`: a straight element leaves out the bending within it. Its flexibility,
// L^2/(12 E I) for each unit of shear force, is added to that of shear, 1/(G A). At small
// displacements nodes then are where the exact solution has them, and a shear that is stiff against
// bending makes no stiff equations. `plain` is the element of the source.
//
// Coupled mass: the line s1 r_1 + s2 t_1 + s3 r_2 + s4 t_2 with Hermite's functions and the
// directions t of the sections at the ends has M = B^T N B with N = m integral of s s^T, where
// (r', t') = B v. It depends on the rotations, and has terms of the velocities. The nodes' own
// masses are taken off: N_11 - m/2 and N_33 - m/2. Weight turns the nodes by m L/12 g . t.
//
// Limit: sections at the ends differ by less than half a turn.
#pragma once

#include <memory>

#include "trammel/model/block_element.h"
#include "trammel/model/flexible/spatial_beam.h"

namespace trammel::model {

/// An element where it is unloaded.
struct ReissnerPlace {
  double length = 0.0;
  Eigen::Vector3d way = Eigen::Vector3d::Zero();         ///< from its first node to the other
  Eigen::Matrix3d first = Eigen::Matrix3d::Identity();   ///< axes of the section at its first end
  Eigen::Matrix3d second = Eigen::Matrix3d::Identity();  ///< and at the other
  Eigen::Matrix3d first_node = Eigen::Matrix3d::Identity();  ///< axes of its nodes
  Eigen::Matrix3d second_node = Eigen::Matrix3d::Identity();
};

struct ReissnerOptions {
  BeamShear shear = BeamShear::compensated;
  double viscosity = 0.0;  ///< eta, s
  /// Mass besides that of the nodes, which have half of the element's each: that of a line with the
  /// slopes of its sections at the ends.
  bool coupled_mass = false;
};

std::shared_ptr<const BlockElement<Spatial>> reissner_beam(const BeamSection& section,
                                                           const ReissnerPlace& place,
                                                           const ReissnerOptions& options);

}  // namespace trammel::model
