// The visible parts of one body: its shapes, or what its joints and inertia suggest.
#pragma once

#include <vector>

#include "trammel/report/scene.h"

namespace trammel::report {

/// A point of a body, in its frame, that a joint or force takes hold of.
struct Hold {
  Eigen::Vector3d position = Eigen::Vector3d::Zero();
  bool slides = false;                              ///< the joint lets the body slide
  Eigen::Vector3d axis = Eigen::Vector3d::UnitX();  ///< along which, body frame
  bool profile = false;                             ///< a curve of the body is drawn there
  /// Away from a cam that touches the body there, as far as roller or face need room; or zero.
  Eigen::Vector3d room = Eigen::Vector3d::Zero();
};

/// Measures of made-up parts.
struct Proportions {
  double size = 1.0;       ///< of the model, m
  double bar_width = 0.0;  ///< m
  bool planar = false;
};

/// Parts of a body. Without shapes:
///   - two or more holds, or frames: bars between them (a triangle for three, else a star; in
///     space a plate for points of a plane);
///   - one hold and a centre of mass elsewhere: a bar to the solid of equal inertia;
///   - a hold that slides: a block along its axis, as large as the inertia suggests, beyond the
///     roller or face of a follower;
///   - else the homogeneous cylinder or box of equal mass and inertia; a ball for a point mass;
///     neither where a profile is drawn.
std::vector<Part> body_parts(const model::Body& body,
                             const std::vector<Hold>& holds,
                             const Proportions& proportions);

/// Radius around the body's origin within which its shapes lie; 0 without shapes, m.
double shapes_reach(const model::Body& body);

/// The largest distance of two holds, or of a hold and the centre of mass, m.
double longest_distance(const model::Body& body, const std::vector<Hold>& holds);

}  // namespace trammel::report
