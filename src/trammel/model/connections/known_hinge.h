// Whether a kinematic connection does the same as a joint of the catalogue.
//
// The motions that the connection allows at the reference tell which joint could do the same: a
// single turn about a line (revolute), a single shift (prismatic), both along one line
// (cylindrical), all turns about a point (spherical), none (fixed). It is the same when the
// connection is closed all along the motion of that joint, which is tried at several places: both
// leave as many freedoms, so that one cannot allow more than the other.
#pragma once

#include <string>

#include "trammel/model/connections/kinematic_connection.h"

namespace trammel::model {

template <class S>
struct KnownHinge {
  const char* kind = nullptr;                       ///< null: there is none
  typename S::Point point = S::Point::Zero();       ///< in the axes of a, from its mass centre
  Eigen::Vector3d axis = Eigen::Vector3d::UnitZ();  ///< in the axes of a
  std::string obstacle;                             ///< why there is none
};

template <class S>
KnownHinge<S> known_hinge(const KinematicConnection<S>& connection);

}  // namespace trammel::model
