// Rings for bodies that turn about crossing axes in one point, as in a gyroscope.
//
// The solid of equal inertia would hide everything that turns inside of it. A body whose hinges all
// lie in one point, with two axes that are not parallel, is drawn as a ring in the plane of these
// axes, larger than what it carries, and shafts lead from each body to the ring around it.
#pragma once

#include <functional>
#include <map>
#include <vector>

#include "trammel/report/body_parts.h"

namespace trammel::report {

/// A hinge between two bodies, -1 for the ground; axes in the frames of the bodies.
struct Hinge {
  int first = -1;
  int second = -1;
  Eigen::Vector3d position_in_second = Eigen::Vector3d::Zero();
  Eigen::Vector3d axis_in_first = Eigen::Vector3d::UnitZ();
  Eigen::Vector3d axis_in_second = Eigen::Vector3d::UnitZ();
  Eigen::Vector3d position_in_first = Eigen::Vector3d::Zero();
};

/// The parts of all bodies that are rings or turn in one, by their numbers. `parts_of` gives the
/// parts a body would have otherwise, `may_change` whether parts may be made up for it.
std::map<int, std::vector<Part>> gimbal_parts(const std::vector<Hinge>& hinges,
                                              const std::function<std::vector<Part>(int)>& parts_of,
                                              const std::function<bool(int)>& may_change,
                                              const Proportions& proportions);

}  // namespace trammel::report
