// By which symbol a kind of joint is drawn. The report makes up parts of bodies by it, the viewer
// draws it (viewer/src/stage/joints.ts; its table of kinds is made from the registry).
#pragma once

#include <string_view>

namespace trammel::model {

enum class JointSymbol {
  untold,  ///< of no registered kind
  none,    ///< nothing is drawn
  // planar
  pin,
  rail,           ///< a block on it
  slot,           ///< with a pin in it
  support,        ///< without a pin
  follower,       ///< a pin on a curve of the first body
  roller_on_cam,  ///< a closed profile of the first body and a roller of the second
  face_on_cam,    ///< a closed profile of the first body and a flat face of the second
  profiles,       ///< a closed profile of each body
  // both
  rod,  ///< with its two ends
  // spatial
  axle,
  sleeve,  ///< on a rod
  guide,   ///< a rod to slide on
  cross,
  block,
  ball,
  socket,  ///< a ball that stands on a foot on the ground
  bead,    ///< a ball on a curve of the first body
  wires,   ///< a curve of each body
};

/// "pin", "rail" ...
std::string_view to_string(JointSymbol symbol);

}  // namespace trammel::model
