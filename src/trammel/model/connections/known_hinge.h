// Whether a kinematic connection does the same as a joint of the catalogue.
//
// Seen from body a, the motions that the connection allows at the reference, and the lines along
// which its rows push at several other places, tell which joint could do the same:
//
//     none                                                fixed
//     a turn about a line; with a shift along it          revolute; screw
//     a shift                                             prismatic
//     a turn and a shift along one line                   cylindrical
//     turns about two axes through one point, one fixed
//       in each body, at a right angle                    universal
//     all turns about a point; that point on a line, on   spherical; point_on_line,
//       a circle, in a plane                                revolute_spherical, point_on_plane
//     two shifts and the turn about their normal          planar
//     a row along the line between two points             distance
//     in the plane, a point on a line                     pin_in_slot
//
// It is the same when the rows of that joint hold wherever the connection was moved to: both leave
// as many freedoms, so that one cannot allow more than the other. Where the point or the line
// belongs to the other body, the joint stands the other way round.
#pragma once

#include <string>

#include "trammel/model/connections/kinematic_connection.h"

namespace trammel::model {

template <class S>
struct KnownHinge {
  const JointKind* kind = nullptr;  ///< null: there is none
  /// Origins of its frames, in the axes of a from its mass centre, at the reference; the frames
  /// have those axes.
  typename S::Point first = S::Point::Zero();
  typename S::Point second = S::Point::Zero();
  Values values = {};
  bool swapped = false;       ///< its first frame is on body b
  std::string obstacle = {};  ///< why there is none

  /// The joint between nodes with these numbers, built.
  JointAssembly<S> build(const KinematicConnection<S>& connection) const;
};

template <class S>
KnownHinge<S> known_hinge(const KinematicConnection<S>& connection);

}  // namespace trammel::model
