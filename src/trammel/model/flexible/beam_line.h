// The unloaded centre line of a beam in space, cut into elements: straight, with corners, or an arc
// of a circle.
//
// Sections have axes x along the line, y (the height) and z. They go along the line without turning
// about it: an arc turns them about its axis, a corner by the smallest turn from one piece to the
// next. A node at a corner has the axes of the piece that ends there.
#pragma once

#include <string>
#include <vector>

#include <Eigen/Core>

#include "trammel/model/flexible/spatial_beam.h"

namespace trammel::model {

struct BeamLine {
  struct Node {
    double along = 0.0;  ///< share of the length
    Eigen::Vector3d p;
    Eigen::Matrix3d R;  ///< axes of its section, in columns
  };
  struct Element {
    double length = 0.0;     ///< along the line, m
    Eigen::Matrix3d first;   ///< axes of the section at its first end
    Eigen::Matrix3d second;  ///< and at the other
    /// Whether the one before has the same length and curvature, and nodes with its own axes.
    bool repeats = false;
  };

  double length = 0.0;
  std::vector<Node> nodes;
  std::vector<Element> elements;
};

/// Corners, beginning with the start and ending with the tip.
std::vector<Eigen::Vector3d> beam_corners(const SpatialBeam& body);

/// Length of the unloaded centre line.
double beam_length(const SpatialBeam& body);

/// What is wrong with the line, and with which key; empty: nothing.
struct LineMistake {
  std::string key;
  std::string message;
  std::string remedy;
};
LineMistake line_mistake(const SpatialBeam& body);

/// Of a body that has no such mistake: the y axis of its first section.
Eigen::Vector3d first_y_axis(const SpatialBeam& body);
/// And all of it.
BeamLine beam_line(const SpatialBeam& body);

}  // namespace trammel::model
