// What a person says of a beam in space, besides what is said of any body that bends: a line that
// may have corners, the other axis of its section, torsion.
//
// Plain values in SI units. add_spatial_beam() turns it into bodies, elements and carried frames
// of a description.
#pragma once

#include <optional>
#include <vector>

#include "trammel/core/diagnostic.h"
#include "trammel/model/description.h"
#include "trammel/model/flexible/flexible_body.h"

namespace trammel::model {

/// What a piece of a beam resists and weighs, for each metre of its centre line. Axes are those of
/// the section: x along the line, y and z across it.
struct BeamSection {
  Eigen::Vector3d force = Eigen::Vector3d::Zero();    ///< E A, G A_y, G A_z, N
  Eigen::Vector3d moment = Eigen::Vector3d::Zero();   ///< G J, E I_y, E I_z, N m^2
  double mass = 0.0;                                  ///< kg/m
  Eigen::Vector3d inertia = Eigen::Vector3d::Zero();  ///< about x, y and z, kg m
};

/// Of a cross section in space what a planar one has not; its `second_moment` is that about z, its
/// `height` along y.
struct SpatialSection {
  double second_moment_y = 0.0;      ///< I about y, m^4
  double torsion_constant = 0.0;     ///< J, m^4: torque = G J twist
  double shear_factor_z = 0.0;       ///< kappa of shear along z; zero: as along y
  double width = 0.0;                ///< along z, m; for drawing. Zero: round, or unknown
  std::optional<BeamSection> given;  ///< stiffness and inertia as such, without a material
};

/// How mass is spread (geometrically_exact.h).
enum class BeamMass { lumped, consistent };
/// What shear resists (reissner_beam.h).
enum class BeamShear { compensated, plain };

struct SpatialBeam : FlexibleBody {
  SpatialSection across;
  std::vector<Eigen::Vector3d> corners;              ///< between start and tip
  Eigen::Vector3d y_axis = Eigen::Vector3d::Zero();  ///< of the first section; zero: chosen
  BeamMass beam_mass = BeamMass::lumped;
  BeamShear shear = BeamShear::compensated;
};

/// From material and section, or as the section gives it.
BeamSection section_of(const SpatialBeam& beam);

/// Everything that is wrong with it, with paths such as "flexible.beam.elements".
void check(const SpatialBeam& beam, core::Diagnostics& diagnostics);

/// Adds the body and all it is made of. Throws InputError when something is wrong with it.
void add_spatial_beam(SpatialBeam beam, Description& description);

}  // namespace trammel::model
