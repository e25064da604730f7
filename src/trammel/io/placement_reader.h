// Where things sit in a body: frames, and the position and orientation of anything.
#pragma once

#include <vector>

#include <Eigen/Geometry>

#include "trammel/io/section_reader.h"
#include "trammel/model/description.h"

namespace trammel::io {

/// Position and turn of a frame or shape in its body, R maps its components to the body's.
struct Placement {
  Eigen::Vector3d position = Eigen::Vector3d::Zero();
  Eigen::Quaterniond rotation = Eigen::Quaterniond::Identity();
  Eigen::Vector3d stated_turn = Eigen::Vector3d::Zero();  ///< of the rotation, whole turns counted
};

/// From the keys `position` and `angle` or `orientation`.
Placement read_placement(Reader& reader, SectionReader& section);

/// A map with these keys, or a bare list that stands for the position.
Placement read_placement(Reader& reader,
                         const Node& node,
                         const Path& path,
                         const Section& section);

/// An orientation with the turns by which it was stated (model::Body).
struct StatedOrientation {
  Eigen::Quaterniond rotation = Eigen::Quaterniond::Identity();
  Eigen::Vector3d turn = Eigen::Vector3d::Zero();
  bool turn_counts = true;  ///< false: without whole turns
};

/// A map with the keys of the section "orientation".
StatedOrientation read_orientation(Reader& reader, const Node& node, const Path& path);

/// The map of named frames of a body or the ground.
std::vector<model::Frame> read_frames(Reader& reader, const Node& node, const Path& path);

/// Whether `node` is a map (or empty); reports what else it is. `example` shows what belongs there.
bool is_named_map(Reader& reader, const Node& node, const Path& path, const std::string& example);

}  // namespace trammel::io
