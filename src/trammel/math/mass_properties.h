// Mass, centre of mass and inertia of a rigid body, and the rules to move, turn and add them.
//
// With the density rho and p the position in the body frame B (origin O):
//
//   m   = integral rho dV                                    mass, kg
//   c   = (1/m) integral rho p dV                            centre of mass, m, B components
//   J_C = integral rho (|p-c|^2 I - (p-c)(p-c)^T) dV         inertia about the centre, kg m^2, B
//   axes J_P = J_C + m (|c-P|^2 I - (c-P)(c-P)^T)                 inertia about any other point P
//
// [Sol1983, eqs. 2.3.1-2.3.3]. Off-diagonal elements are J_xy = -integral rho x y dV: the tensor,
// not the products of inertia with positive sign that some programs print.
#pragma once

#include <string>
#include <vector>

#include <Eigen/Core>

#include "trammel/core/diagnostic.h"

namespace trammel::math {

struct MassProperties {
  double mass = 0.0;                                 ///< kg
  Eigen::Vector3d center = Eigen::Vector3d::Zero();  ///< centre of mass, body frame, m
  Eigen::Matrix3d inertia =
      Eigen::Matrix3d::Zero();  ///< about the centre of mass, body axes, kg m^2
};

/// Inertia of a point mass at `position` about the origin: m (|p|^2 I - p p^T).
Eigen::Matrix3d point_mass_inertia(double mass, const Eigen::Vector3d& position);

/// Inertia about `point` (body frame), larger than that about the centre of mass.
Eigen::Matrix3d inertia_about(const MassProperties& body, const Eigen::Vector3d& point);
/// From an inertia that was given about `point`. The result may be impossible; check it.
MassProperties from_inertia_about(const Eigen::Vector3d& point,
                                  double mass,
                                  const Eigen::Vector3d& center,
                                  const Eigen::Matrix3d& inertia_about_point);

/// The same body described in a frame F, where its own frame B has the rotation R_FB and the origin
/// p_FB.
MassProperties placed(const MassProperties& body_in_B,
                      const Eigen::Matrix3d& R_FB,
                      const Eigen::Vector3d& p_FB);
MassProperties translated(const MassProperties& body_in_B, const Eigen::Vector3d& p_FB);
MassProperties rotated(const MassProperties& body_in_B, const Eigen::Matrix3d& R_FB);

/// One body made of several parts, all described in the same frame. A hole is a part with negative
/// mass and inertia. When the masses cancel, the centre is undefined and set to the origin.
MassProperties sum(const std::vector<MassProperties>& parts);

struct PrincipalInertia {
  Eigen::Vector3d moments;  ///< ascending, kg m^2
  Eigen::Matrix3d R_BP;     ///< columns: the principal axes in body components, right-handed
};
/// R_BP diag(moments) R_BP^T = inertia about the centre of mass.
PrincipalInertia principal_inertia(const MassProperties& body);

/// What a plane body needs of them: the turn is about z.
struct PlanarMassProperties {
  double mass = 0.0;                                 ///< kg
  Eigen::Vector2d center = Eigen::Vector2d::Zero();  ///< body frame, m
  double inertia = 0.0;                              ///< J_zz about the centre of mass, kg m^2
};
/// Drops everything that a motion in the x-y plane cannot feel.
PlanarMassProperties planar(const MassProperties& body);

/// What the equations of motion ask of an inertia. A slender rod or a point mass has a moment that
/// is zero, which is physical but leaves the spin of a free rigid body undetermined.
enum class InertiaDemand { positive_definite, positive_semidefinite };

/// Adds every reason why no such body exists, under `path` ("bodies.crank"): mass not positive,
/// numbers not finite, inertia unsymmetric (beyond 1e-6 of its largest element), negative moments,
/// a moment that is zero (below 1e-12 of the largest) where a positive one is demanded, or a moment
/// larger than the sum of the other two. The last gets a margin of 1e-3, since flat bodies reach
/// equality and people type rounded numbers.
void check_mass_properties(const MassProperties& body,
                           InertiaDemand demand,
                           const std::string& path,
                           core::Diagnostics& diagnostics);
void check_mass_properties(const PlanarMassProperties& body,
                           InertiaDemand demand,
                           const std::string& path,
                           core::Diagnostics& diagnostics);

}  // namespace trammel::math
