// A model as results files keep it for drawing: the scene's JSON read back (scene_json.h).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "trammel/report/scene.h"

namespace trammel::report {

struct DrawnBody : SceneBody {
  std::string name;
  Eigen::Vector3d position = Eigen::Vector3d::Zero();               ///< as described, m
  Eigen::Quaterniond orientation = Eigen::Quaterniond::Identity();  ///< as described
};

struct DrawnModel {
  bool planar = false;
  double layer_height = 0.0;  ///< planar: distance of neighbouring layers along z, m
  Eigen::Vector3d gravity = Eigen::Vector3d::Zero();
  std::vector<DrawnBody> bodies;  ///< the last is the ground where it has parts
};

/// InputError when the text is no scene or one of a later version.
DrawnModel read_scene(std::string_view json);

/// Which way is up in pictures: y in the plane; in space the axis against gravity, else z.
Eigen::Vector3d up_of(const DrawnModel& model);

}  // namespace trammel::report
