#include "trammel/model/joint_symbol.h"

#include <array>
#include <cstddef>

namespace trammel::model {

std::string_view to_string(JointSymbol symbol) {
  static constexpr std::array<std::string_view, 20> names{
      "untold",        "none",        "pin",      "rail",   "slot", "support", "follower",
      "roller_on_cam", "face_on_cam", "profiles", "rod",    "axle", "sleeve",  "guide",
      "cross",         "block",       "ball",     "socket", "bead", "wires"};
  static_assert(names.size() == static_cast<std::size_t>(JointSymbol::wires) + 1);
  return names.at(static_cast<std::size_t>(symbol));
}

}  // namespace trammel::model
