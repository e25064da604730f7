// Where the bodies, joints and forces of instances are described.
#pragma once

#include <string>
#include <unordered_map>

#include "trammel/io/yaml_tree.h"

namespace trammel::io {

struct PartPlace {
  const Node* value = nullptr;
  Mark key_mark;
};

/// By path: "bodies.left_leg.shin". Parts of the model itself are found by their path in the tree.
using PartPlaces = std::unordered_map<std::string, PartPlace>;

}  // namespace trammel::io
