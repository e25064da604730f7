// Which kinds of joints and forces may be elements of a connection.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "trammel/model/kinds.h"

namespace trammel::model {

struct ElementKind {
  const std::vector<Field>* fields = nullptr;  ///< null: cannot be part of such a connection
  std::size_t attachments = 2;
};

/// Kinematic connections take all joints; others forces between frames and along coordinates, and
/// loads on one frame.
ElementKind element_kind(Space space, std::string_view type, bool kinematic);
std::vector<std::string> element_kinds(Space space, bool kinematic);

}  // namespace trammel::model
