// The hinge that a kinematic connection is [Sol1983, 7.2 (a)]: its bodies stand where as many
// coordinates eta as there are freedoms say, X = X(eta).
//
// Joints one behind the other from body a to body b, each with coordinates of its own, make a chain
// of elementary joints: eta are the coordinates of all. Otherwise (loops among the joints, rows
// that say nothing new, joints without coordinates) eta are chosen among the coordinates of the
// joints, and the place of everything else is solved for (implicit_motion.h).
//
// There is no hinge where a freedom of a node is felt by no body (eta would have more components
// than there are freedoms), nor with nonholonomic rows. Such connections are constraints (7.2 b).
#pragma once

#include "trammel/model/connections/kinematic_connection.h"
#include "trammel/model/hinge.h"

namespace trammel::model {

template <class S>
struct ConnectionHinge {
  Hinge<S> hinge;                        ///< from body a to body b, with its start
  std::vector<std::string> coordinates;  ///< "first.angle"
  std::string obstacle;                  ///< why there is none; empty when there is one
};

/// `wished` names the coordinates ("crank.angle"); none: chosen. Throws InputError where those
/// that are wished do not tell the motion.
template <class S>
ConnectionHinge<S> connection_hinge(const std::shared_ptr<const KinematicConnection<S>>& connection,
                                    const std::vector<std::string>& wished);

}  // namespace trammel::model
