// What there is to draw: the parts of every body in its own frame, and where joints and forces act.
//
// A scene is geometry only. Motion comes from the channels "<body>.position.*" and "<body>.angle"
// or "<body>.orientation.*" of the results. Bodies are drawn by the shapes of the model file; where
// there is none, parts are made up from the points at which joints and forces act, and from the
// inertia, so that every model is visible.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <Eigen/Core>
#include <Eigen/Geometry>

#include "trammel/math/triangle_mesh.h"
#include "trammel/model/description.h"

namespace trammel::report {

/// Of the JSON that results files keep.
inline constexpr int scene_version = 1;

/// Distance of neighbouring layers of a planar model, in widths of made-up bars.
inline constexpr double layer_heights = 0.56;

/// A piece of a body. `size` means, by kind, in m:
///   box       edges along x, y, z
///   cylinder  radius, length along z, radius of the hole
///   sphere    radius
///   cone      radius, height along z from its base
///   bar       distance of its two ends along x (from -l/2 to l/2), width, thickness; the ends are
///             round with width/2. Thickness 0: a round bar
///   mesh      edges of the box around it; it looks as `surface` says
struct Part {
  enum class Kind { box, cylinder, sphere, cone, bar, mesh };
  Kind kind = Kind::box;
  Eigen::Vector3d size = Eigen::Vector3d::Zero();
  Eigen::Vector3d position = Eigen::Vector3d::Zero();            ///< of its middle, body frame
  Eigen::Quaterniond rotation = Eigen::Quaterniond::Identity();  ///< part to body
  std::string color = {};                                        ///< "#rrggbb", or empty
  std::shared_ptr<const math::TriangleMesh> surface = nullptr;   ///< of a mesh
  bool mark = false;  ///< a box, drawn darker, that shows how the body turns
};

/// "box", "bar", ...
std::string_view name_of(Part::Kind kind);

/// Radius around its own origin that contains a part, m.
double reach(const Part& part);

/// Where a joint or force takes hold of a body.
struct End {
  int body = -1;  ///< index among the bodies; -1 is the ground
  Eigen::Vector3d position = Eigen::Vector3d::Zero();
  Eigen::Quaterniond rotation = Eigen::Quaterniond::Identity();
};

struct SceneBody {
  std::vector<Part> parts;
  int layer = 0;  ///< planar: neighbours lie in different layers, one above the other
};

struct Scene {
  double size = 1.0;       ///< of the described model, m
  double bar_width = 0.0;  ///< of made-up bars, pins and symbols, m
  std::vector<SceneBody> bodies;
  std::vector<Part> ground_parts;            ///< curves that guide bodies
  std::vector<std::vector<End>> joint_ends;  ///< per joint, one per attachment
  std::vector<std::vector<End>> force_ends;
  std::vector<std::vector<End>> sensor_ends;
};

/// The description must have passed model::check.
Scene make_scene(const model::Description& description);

}  // namespace trammel::report
