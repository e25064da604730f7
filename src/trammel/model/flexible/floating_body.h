// What a person says of a body in a floating frame, in space: a structure (structure.h), where
// others attach to it, and which shapes stand for it (reduction.h).
//
// Plain values in SI units. add_floating_body() turns it into a body without mass, "arm.frame",
// amplitudes "arm.shape", one element over both (modal_body.h), and carried bodies: "arm.hub" for
// an interface "hub", and those of Structure::points.
#pragma once

#include <memory>

#include "trammel/model/flexible/flexible_kinds.h"
#include "trammel/model/flexible/reduction.h"
#include "trammel/model/flexible/spatial_beam.h"

namespace trammel::model {

struct FloatingBody {
  std::string name;
  std::shared_ptr<const Structure> structure = nullptr;
  std::vector<StructureInterface> interfaces;
  ReductionOptions options = {};
  Eigen::Vector3d position = Eigen::Vector3d::Zero();  ///< of the structure's origin, m
  Eigen::Quaterniond orientation = Eigen::Quaterniond::Identity();
  Eigen::Vector3d velocity = Eigen::Vector3d::Zero();          ///< of that origin, m/s
  Eigen::Vector3d angular_velocity = Eigen::Vector3d::Zero();  ///< world axes, rad/s
  std::string color = {};  ///< "#rrggbb"; empty: chosen by whoever draws
};

/// The structure that a beam in space is, in world axes, with its nodes as points. Its own frames
/// are points too.
Structure beam_structure(const SpatialBeam& told);

/// Points "line_1" ... at these nodes, drawn as rods between them. Unknown nodes are told.
void draw_line(const std::vector<std::string>& nodes,
               double thickness,
               const std::string& color,
               const std::string& path,
               Structure& structure,
               core::Diagnostics& diagnostics);

/// Adds the body and all it is made of. False when something is wrong with it, which is told with
/// paths such as "flexible.arm.interfaces.hub".
bool add_floating_body(FloatingBody body, Description& description, core::Diagnostics& diagnostics);
/// Throws InputError when something is wrong with it.
void add_floating_body(FloatingBody body, Description& description);

/// Straight beams in a floating frame, by the elements of geometrically_exact.h.
FlexibleKind spatial_floating_frame();

}  // namespace trammel::model
